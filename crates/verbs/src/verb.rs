//! The facts about a verb.

use crate::{Clear, Modulo, Real};

/// A verb of the ring schemes.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// The name of the method of `Evaluator`.
    pub name: &'static str,
    /// The schemes that have it.
    pub schemes: Schemes,
    /// The operands beside the evaluator.
    pub takes: Takes,
    /// The clear arguments of its case in the testbed, and of the test of its law.
    pub numbers: &'static [i64],
    /// The rotation keys that it needs with these arguments.
    pub keys: RotationKeys,
    /// The work for a number of slots and a number of clear arguments.
    pub cost: fn(usize, usize) -> Cost,
    /// The name of the operation in the driver protocol, if it is one.
    pub driver: Option<&'static str>,
    /// The result in a few words; `{numbers}` stands for the clear arguments.
    pub meaning: &'static str,
    /// The clear form modulo the plaintext modulus, of two rows of slots.
    pub residues: Clear<Modulo>,
    /// The clear form on real numbers, of one row.
    pub reals: Clear<Real>,
}

impl Verb {
    /// Returns the meaning with these words in the place of the clear arguments.
    pub fn meaning_with(&self, numbers: &str) -> String {
        self.meaning.replace("{numbers}", numbers)
    }
}

/// The schemes that have a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schemes {
    /// BFV, BGV, CKKS and wide integers.
    Ring,
    /// BFV, BGV and CKKS.
    Slots,
    /// BFV and BGV.
    Exact,
    /// CKKS.
    Reals,
}

/// The kinds of operands, which are the arms of the macros that call verbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A ciphertext.
    One,
    /// Two ciphertexts.
    Pair,
    /// A ciphertext of three components, such as a product before its relinearisation.
    Product,
    /// A ciphertext of CKKS at the scale of a product.
    Unscaled,
    /// A ciphertext and an encoded message, which is added or subtracted.
    Message,
    /// A ciphertext and a message that is prepared for products.
    Factor,
    /// A ciphertext and one clear number.
    Number,
    /// A ciphertext and clear numbers of the kind that the slots hold.
    Numbers,
    /// A ciphertext and steps to the left.
    Steps,
    /// A ciphertext and the coefficients of a polynomial, whose type depends on the scheme: every
    /// program calls it in its own way.
    Coefficients,
    /// A ciphertext and a level; the testbed takes the next one. Every program calls it in its own
    /// way.
    Level,
}

/// The rotation keys that an operation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotationKeys {
    /// None.
    None,
    /// These steps to the left.
    Steps(&'static [i64]),
    /// The swap of the rows, which conjugates the slots of CKKS.
    Swap,
    /// Every power of two below the row, and the swap of the rows.
    Powers,
    /// The rotations for sums over that many values in a row at equal distances.
    Strides(usize),
}

impl RotationKeys {
    /// Returns the keys of an operation whose family has that count.
    pub fn of_count(self, count: usize) -> Self {
        if let Self::Strides(_) = self { Self::Strides(count) } else { self }
    }

    /// Returns the steps for `slots` slots in `rows` rows, and true if the swap of the rows is
    /// needed.
    pub fn steps(self, slots: usize, rows: usize) -> (Vec<i64>, bool) {
        let row = (slots / rows.max(1)) as i64;
        let doubled = |first: i64| {
            let all = std::iter::successors(Some(first), |step| Some(step * 2));
            all.take_while(|step| (1..row).contains(step)).collect()
        };
        match self {
            Self::None => (Vec::new(), false),
            Self::Steps(steps) => (steps.to_vec(), false),
            Self::Swap => (Vec::new(), true),
            Self::Strides(terms) => (doubled(row / terms as i64), false),
            Self::Powers => (doubled(1), rows > 1),
        }
    }
}

/// A unit of work on one ciphertext, whose time a machine is measured for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A sum.
    Add,
    /// A product with a number.
    MulScalar,
    /// A product with a clear vector.
    MulPlain,
    /// A product without relinearisation.
    Tensor,
    /// A product with relinearisation.
    Mul,
    /// A rotation.
    Rotate,
    /// A switch to a lower level.
    ModSwitch,
}

/// The work of one call, and what it means for the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Units and their numbers.
    pub work: Vec<(Work, usize)>,
    /// The number of values, at most, that a slot of the result adds up.
    pub terms: usize,
}

impl Cost {
    /// Returns the cost of a verb that adds up no values.
    pub fn of(work: &[(Work, usize)]) -> Cost {
        Cost { work: work.to_vec(), terms: 1 }
    }

    /// Returns the cost of a verb that adds up `terms` values.
    pub fn of_terms(terms: usize, work: &[(Work, usize)]) -> Cost {
        Cost { terms, ..Cost::of(work) }
    }

    /// Returns the number of units of a kind.
    pub fn count(&self, unit: Work) -> usize {
        self.work.iter().filter(|(own, _)| *own == unit).map(|(_, count)| count).sum()
    }
}

impl Work {
    /// Returns the name under which unit costs are kept.
    pub fn name(self) -> &'static str {
        match self {
            Work::Add => "add",
            Work::MulScalar => "mul_scalar",
            Work::MulPlain => "mul_plain",
            Work::Tensor => "tensor",
            Work::Mul => "mul",
            Work::Rotate => "rotate",
            Work::ModSwitch => "mod_switch",
        }
    }
}
