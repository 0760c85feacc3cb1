//! Expected results of the operations, computed on clear values.

use ethnum::U256;
use fathom_drivers::ops::arithmetic::{Given, Machine, Modulo, Real, VectorOracle};
use fathom_drivers::ops::torus::{BlockOp, Gate, IntegerOp, IntegerType};
use fathom_drivers::ops::{Op, Oracle};
use fathom_drivers::protocol::Numbers;

/// Largest error of an approximate scheme that counts as correct, relative to the
/// [magnitude](Expected::magnitude) of the result. At a scale of 40 bits this leaves 30 bits for
/// noise.
pub const TOLERANCE: f64 = 1e-3;

/// Values of one operand, in the order of the encoding.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Integers in `0..t`.
    Residues(Vec<u64>),
    /// Values of an approximate scheme.
    Reals(Vec<f64>),
    /// The bits of machine integers of one type.
    WideIntegers(IntegerType, Vec<U256>),
}

impl Values {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Residues(values) => values.len(),
            Self::Reals(values) => values.len(),
            Self::WideIntegers(_, values) => values.len(),
        }
    }

    /// Returns true if there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the values in the form of the protocol.
    pub fn to_numbers(&self) -> Numbers {
        match self {
            Self::Residues(values) => {
                values.iter().map(|&value| value as i64).collect::<Vec<_>>().into()
            }
            Self::Reals(values) => values.clone().into(),
            Self::WideIntegers(_, values) => values.clone().into(),
        }
    }

    fn residues(&self) -> &[u64] {
        if let Self::Residues(values) = self { values } else { &[] }
    }

    fn reals(&self) -> &[f64] {
        if let Self::Reals(values) = self { values } else { &[] }
    }

    fn words(&self) -> &[U256] {
        if let Self::WideIntegers(_, values) = self { values } else { &[] }
    }
}

/// The clear result of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The values.
    pub values: Values,
    /// The greatest of 1, the largest value, and the Euclidean norm of the terms of a sum. Errors
    /// of approximate results are relative to it, because random terms may cancel and their errors
    /// do not.
    pub magnitude: f64,
}

impl From<Values> for Expected {
    /// Returns the expected result whose magnitude is that of its largest value.
    fn from(values: Values) -> Expected {
        let magnitude = values.reals().iter().fold(1.0_f64, |most, value| most.max(value.abs()));
        Expected { values, magnitude }
    }
}

/// Computes the clear result of `op` on `inputs`, modulo `t` for residues: as many values as an
/// operand has, or one for each block of a batch.
///
/// `inputs` are the values of the operands, all of one kind; for a chain of k products, those of
/// all its k + 1 factors; for a relinearisation, those of the two factors of the product.
pub fn expected(op: &Op, inputs: &[Values], t: u64) -> Expected {
    let result = Expected::from(clear(op, inputs, t));
    if !matches!(inputs[0], Values::Reals(_)) {
        return result;
    }
    // The same sum of the squares of its terms.
    let square = |x: &Values| Values::Reals(x.reals().iter().map(|x| x * x).collect());
    let squares = clear(op, &inputs.iter().map(square).collect::<Vec<_>>(), t);
    let norms = squares.reals().iter().map(|square| square.sqrt());
    Expected { magnitude: norms.fold(result.magnitude, f64::max), ..result }
}

/// Computes the values of [`expected`].
fn clear(op: &Op, inputs: &[Values], t: u64) -> Values {
    match op.oracle() {
        Oracle::Vectors(oracle, given) => of_vectors(oracle, given, inputs, t),
        Oracle::Gate(gate) => Values::Residues(of_gate(gate, inputs)),
        Oracle::Block(op) => Values::Residues(of_block(op, inputs, t)),
        Oracle::Integer(op) => Values::WideIntegers(op.ty, vec![of_integers(op, inputs)]),
    }
}

/// Computes an operation on vectors in the arithmetic of their values.
fn of_vectors(oracle: VectorOracle, given: Given<'_>, inputs: &[Values], t: u64) -> Values {
    match &inputs[0] {
        Values::Residues(_) => {
            let inputs: Vec<&[u64]> = inputs.iter().map(Values::residues).collect();
            Values::Residues((oracle.residues)(&Modulo(t), &inputs, given))
        }
        Values::Reals(_) => {
            let inputs: Vec<&[f64]> = inputs.iter().map(Values::reals).collect();
            Values::Reals((oracle.reals)(&Real, &inputs, given))
        }
        Values::WideIntegers(ty, _) => {
            let inputs: Vec<&[U256]> = inputs.iter().map(Values::words).collect();
            Values::WideIntegers(*ty, (oracle.words)(&Machine(*ty), &inputs, given))
        }
    }
}

/// Computes a gate on bits.
fn of_gate(gate: Gate, inputs: &[Values]) -> Vec<u64> {
    let bits: Vec<bool> = inputs.iter().map(|values| values.residues()[0] == 1).collect();
    vec![u64::from(gate.of(&bits))]
}

/// Computes an operation on blocks, modulo the message modulus `t`.
fn of_block(op: BlockOp, inputs: &[Values], t: u64) -> Vec<u64> {
    let values: Vec<u64> = inputs.iter().map(|values| values.residues()[0]).collect();
    op.of(&values, t)
}

/// Computes an operation on integers.
fn of_integers(op: IntegerOp, inputs: &[Values]) -> U256 {
    let operands: Vec<U256> = inputs.iter().map(|values| values.words()[0]).collect();
    op.of(&operands)
}

/// Returns two vectors of `n` coefficients whose negacyclic product has the dot product of `x` and
/// `y` as its constant coefficient: `x_0 + x_1 X + ...` and `y_0 - y_1 X^(n-1) - ...`
///
/// Source: Yasuda, Shimoyama, Kogure, Yokoyama, Koshiba, "Practical packing method in somewhat
/// homomorphic encryption", DPM 2013.
pub fn pack_for_dot(x: &[u64], y: &[u64], n: usize, t: u64) -> [Vec<u64>; 2] {
    let (mut left, mut right) = (vec![0; n], vec![0; n]);
    left[..x.len()].copy_from_slice(x);
    for (i, &value) in y.iter().enumerate() {
        if i == 0 {
            right[0] = value;
        } else {
            right[n - i] = (t - value) % t;
        }
    }
    [left, right]
}

/// Result of comparing found with expected values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Number of values that differ; all of them if the lengths differ.
    pub mismatches: usize,
    /// Bits of precision of an approximate result: -log2 of its largest error, relative to the
    /// [magnitude](Expected::magnitude) of the result.
    pub precision_bits: Option<f64>,
}

/// Compares `found` with `expected`; residues are reduced modulo `t` first.
pub fn compare(found: &Numbers, expected: &Expected, t: u64) -> Comparison {
    let magnitude = expected.magnitude;
    match (found, &expected.values) {
        (Numbers::Integers(found), Values::Residues(expected)) => {
            Comparison { mismatches: mismatches(found, expected, t), precision_bits: None }
        }
        (Numbers::Reals(_) | Numbers::WideIntegers(_), Values::Residues(expected)) => {
            Comparison { mismatches: expected.len().max(found.len()), precision_bits: None }
        }
        (found, Values::Reals(expected)) => near(&found.to_reals(), expected, magnitude),
        (Numbers::WideIntegers(found), Values::WideIntegers(_, expected)) => {
            let equal = found.len() == expected.len();
            let differing = found.iter().zip(expected).filter(|(f, e)| f != e).count();
            let all = found.len().max(expected.len());
            Comparison { mismatches: if equal { differing } else { all }, precision_bits: None }
        }
        // Counts and truth values are numbers, as are the parts of version 1.0.
        (found, Values::WideIntegers(_, expected)) => {
            let right = expected.len() == 1 && found.as_word() == Some(expected[0]);
            let mismatches = if right { 0 } else { expected.len().max(found.len()) };
            Comparison { mismatches, precision_bits: None }
        }
    }
}

/// Counts the values of `found`, reduced modulo `t`, that differ from `expected`; all of them if
/// the lengths differ.
fn mismatches(found: &[i64], expected: &[u64], t: u64) -> usize {
    if found.len() != expected.len() {
        return expected.len().max(found.len());
    }
    let reduce = |v: i64| (i128::from(v).rem_euclid(i128::from(t))) as u64;
    found.iter().zip(expected).filter(|(f, e)| reduce(**f) != **e).count()
}

/// Counts the values of `found` whose error exceeds [`TOLERANCE`] relative to `magnitude`, and
/// computes the precision.
fn near(found: &[f64], expected: &[f64], magnitude: f64) -> Comparison {
    if found.len() != expected.len() {
        let mismatches = expected.len().max(found.len());
        return Comparison { mismatches, precision_bits: None };
    }
    let errors = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs());
    let errors: Vec<f64> = errors.map(|error| error / magnitude).collect();
    // A NaN compares as wrong.
    let right = errors.iter().filter(|error| **error <= TOLERANCE).count();
    let wrong = errors.len() - right;
    let worst = errors.iter().copied().fold(0.0_f64, f64::max);
    let precision = -worst.max(f64::EPSILON).log2();
    Comparison { mismatches: wrong, precision_bits: (wrong == 0).then_some(precision) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const T: u64 = 65537;

    fn values(n: usize) -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(0..T, n)
    }

    fn of(name: &str, inputs: &[Values], t: u64) -> Values {
        expected(&Op::parse(name).unwrap(), inputs, t).values
    }

    fn modulo(name: &str, inputs: &[Vec<u64>]) -> Vec<u64> {
        let inputs: Vec<Values> = inputs.iter().cloned().map(Values::Residues).collect();
        of(name, &inputs, T).residues().to_vec()
    }

    #[test]
    fn small_cases_by_hand() {
        let (x, y) = (vec![1, 2, 3, 4], vec![5, 6, 7, T - 8]);
        let of = |name| modulo(name, &[x.clone(), y.clone()]);
        assert_eq!(of("add"), [6, 8, 10, T - 4]);
        assert_eq!(of("sub"), [T - 4, T - 4, T - 4, 12]);
        assert_eq!(of("mul"), [5, 12, 21, T - 32]);
        assert_eq!(of("rotate"), [2, 1, 4, 3]);
        assert_eq!(of("rotate_sum"), [10; 4]);
        assert_eq!(of("dot_slots"), [6; 4]);
        assert_eq!(of("polynomial"), [17, 49, 121, 251]);
        assert_eq!(of("dot1"), of("mul"));
        assert_eq!(modulo("depth2", &[x.clone(), x.clone(), x]), [1, 8, 27, 64]);
    }

    #[test]
    fn a_wrong_value_or_length_is_counted() {
        assert_eq!(mismatches(&[-1, 2, 70000], &[T - 1, 2, 70000 - T], T), 0);
        assert_eq!(mismatches(&[-1, 3, 5], &[T - 1, 2, 4], T), 2);
        assert_eq!(mismatches(&[1, 2], &[1, 2, 3], T), 3);
    }

    #[test]
    fn reals_are_in_one_row_and_compared_with_a_tolerance() {
        let x = Values::Reals(vec![0.5, -0.25, 1.0, 0.0]);
        let of = |name| of(name, &[x.clone(), x.clone()], 0);
        assert_eq!(of("mul"), Values::Reals(vec![0.25, 0.0625, 1.0, 0.0]));
        assert_eq!(of("rotate"), Values::Reals(vec![-0.25, 1.0, 0.0, 0.5]));
        assert_eq!(of("rotate_sum"), Values::Reals(vec![1.25; 4]));
        let found = |first: f64| Numbers::Reals(vec![first, -0.25, 1.0, 0.0]);
        let x = Expected::from(x);
        let close = compare(&found(0.5 + 0.5_f64.powi(20)), &x, 0);
        assert_eq!((close.mismatches, close.precision_bits.map(f64::round)), (0, Some(20.0)));
        assert_eq!(compare(&found(0.51), &x, 0).mismatches, 1);
        assert_eq!(compare(&found(f64::NAN), &x, 0).mismatches, 1);
        assert_eq!(compare(&Numbers::Integers(vec![1]), &x, 0).mismatches, 4);
    }

    #[test]
    fn errors_of_a_sum_are_relative_to_the_norm_of_its_terms() {
        let alternating: Vec<f64> =
            (0..4096).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let x = Values::Reals(alternating);
        let magnitude = |name: &str, inputs: &[Values]| {
            expected(&Op::parse(name).unwrap(), inputs, 0).magnitude
        };
        let two = [x.clone(), x.clone()];
        let found = [
            magnitude("rotate_sum", std::slice::from_ref(&x)),
            magnitude("dot_slots", &two), // The largest value, a sum of squares.
            magnitude("mul", &two),
        ];
        assert_eq!(found.map(|magnitude| magnitude.round() as u32), [64, 4096, 1]);
        let sum = expected(&Op::parse("rotate_sum").unwrap(), &[x], 0);
        let found = |error: f64| Numbers::Reals(vec![error; 4096]);
        assert_eq!(compare(&found(0.06), &sum, 0).mismatches, 0);
        assert_eq!(compare(&found(0.07), &sum, 0).mismatches, 4096);
    }

    proptest! {
        #[test]
        fn packing_puts_the_dot_product_in_the_constant_coefficient(
            x in values(8),
            y in values(8),
        ) {
            let packed = pack_for_dot(&x, &y, 32, T);
            let product = modulo("dot32_packed", &packed);
            let dot = x.iter().zip(&y).map(|(a, b)| a * b % T).sum::<u64>() % T;
            prop_assert_eq!(product[0], dot);
        }

        #[test]
        fn a_dot_is_the_sum_of_its_products(inputs in prop::collection::vec(values(4), 8)) {
            let dot = modulo("dot4", &inputs);
            let mut sum = vec![0; 4];
            for i in 0..4 {
                let pair = [inputs[i].clone(), inputs[i + 4].clone()];
                sum = modulo("add", &[sum, modulo("mul", &pair)]);
            }
            prop_assert_eq!(dot, sum);
        }
    }
}
