//! Operations of cases: their definition, requirements and expected results.

use std::borrow::Cow;

use crate::drivers::protocol::{Args, Encoding, KeyKind};
use crate::torus::{BlockOp, Gate, IntegerKind, IntegerOp, IntegerType};

/// The polynomial of the case `polynomial`, constant coefficient first: 3x^3 + 2x^2 + 5x + 7.
pub const POLYNOMIAL: [i64; 4] = [7, 5, 2, 3];

/// An operation of a case, identified by its name in records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    name: String,
    work: Work,
}

/// The work of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// Generation of secret, public and relinearisation key.
    Keygen,
    /// Generation of all rotation keys for [`Work::RotateSum`].
    RotateKeygen,
    /// Serialised size of a fresh ciphertext; nothing is timed.
    CiphertextSize,
    /// Serialised size of the keys; nothing is timed.
    KeySize,
    /// Repeated multiplication until the library refuses; nothing is timed.
    PastBudget,
    /// Encryption of an encoded vector.
    Encrypt(KeyKind),
    /// Decryption to an encoded vector.
    Decrypt,
    /// Sum of two ciphertexts.
    Add,
    /// Difference of two ciphertexts.
    Sub,
    /// Relinearised product.
    Mul,
    /// The given number of relinearised products, shared by all threads.
    MulBatch(usize),
    /// Ciphertext times plaintext.
    MulPlain,
    /// Ciphertext plus plaintext.
    AddPlain,
    /// Relinearised square.
    Square,
    /// Relinearisation of a product.
    Relin,
    /// Rotation by one step.
    Rotate,
    /// Sum of all slots in every slot.
    RotateSum,
    /// The k-th product of a chain, relinearised and modulus-switched.
    Depth(usize),
    /// Decryption of the result of a chain of k products.
    DecryptDepth(usize),
    /// Sum of k products of separate ciphertexts.
    Dot(usize),
    /// Dot product of k values packed in the coefficients of two ciphertexts.
    PackedDot(usize),
    /// [`POLYNOMIAL`] of an encrypted vector.
    Polynomial,
    /// Product, then the sum of all slots in every slot.
    DotSlots,
    /// Modulus switching to the next level.
    ModSwitch,
    /// A gate on bits.
    Gate(Gate),
    /// An operation on one block.
    Block(BlockOp),
    /// An operation on machine integers.
    Integer(IntegerOp),
}

/// Kind of an operand of a timed operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A fresh ciphertext.
    Fresh,
    /// An encoded vector.
    Encoded,
    /// A product of two fresh ciphertexts before relinearisation.
    Product,
    /// The result of a chain of that many products.
    Chain(usize),
    /// A fresh ciphertext at the level of the result of that chain.
    AtLevelOf(usize),
}

/// Operations with fixed names, in the order in which tables show them.
const NAMED: [(&str, Work, &str); 22] = [
    ("keygen", Work::Keygen, "secret, public and relinearisation key"),
    ("rotate_keygen", Work::RotateKeygen, "all rotation keys that rotate_sum needs"),
    ("encrypt_pk", Work::Encrypt(KeyKind::Pk), "public-key encryption of an encoded vector"),
    ("encrypt_sk", Work::Encrypt(KeyKind::Sk), "secret-key encryption of an encoded vector"),
    ("decrypt", Work::Decrypt, "decryption to an encoded vector"),
    ("add", Work::Add, "sum of two ciphertexts"),
    ("sub", Work::Sub, "difference of two ciphertexts"),
    ("add_plain", Work::AddPlain, "ciphertext plus plaintext"),
    ("mul", Work::Mul, "product of two ciphertexts, relinearised"),
    ("mul_plain", Work::MulPlain, "ciphertext times plaintext"),
    ("square", Work::Square, "square, relinearised"),
    ("relin", Work::Relin, "relinearisation of a product"),
    ("rotate", Work::Rotate, "rotation of the slots by one step"),
    ("rotate_sum", Work::RotateSum, "sum of all slots, in every slot"),
    ("mod_switch", Work::ModSwitch, "switch to the next level"),
    ("simd_mul", Work::Mul, "product of two ciphertexts, time per slot"),
    ("dot_slots", Work::DotSlots, "dot product over all slots of two ciphertexts"),
    ("dot32_packed", Work::PackedDot(32), "dot product of 32 values packed in coefficients"),
    ("polynomial", Work::Polynomial, "3x^3 + 2x^2 + 5x + 7 of an encrypted vector"),
    ("ct_size_bytes", Work::CiphertextSize, "serialised size of a fresh ciphertext"),
    ("pk_size_bytes", Work::KeySize, "serialised size of the keys"),
    ("chain_past_budget", Work::PastBudget, "repeated multiplication until the library refuses"),
];

impl Op {
    /// Reads a name such as `mul`, `depth3` or `dot16`.
    pub fn parse(name: &str) -> Option<Self> {
        let named = NAMED.iter().find(|(n, ..)| *n == name).map(|(_, work, _)| *work);
        let counted = |prefix: &str| name.strip_prefix(prefix)?.parse::<usize>().ok();
        let work = named
            .or_else(|| counted("depth").filter(|k| (1..=64).contains(k)).map(Work::Depth))
            .or_else(|| {
                counted("decrypt_depth").filter(|k| (1..=64).contains(k)).map(Work::DecryptDepth)
            })
            .or_else(|| {
                counted("mul_batch").filter(|k| (1..=65_536).contains(k)).map(Work::MulBatch)
            })
            .or_else(|| counted("dot").filter(|k| (1..=256).contains(k)).map(Work::Dot))
            .or_else(|| Gate::parse(name).map(Work::Gate))
            .or_else(|| BlockOp::parse(name).map(Work::Block))
            .or_else(|| IntegerOp::parse(name).map(Work::Integer))?;
        Some(Self { name: name.to_owned(), work })
    }

    /// Returns the usual operations with their descriptions, in table order; those of integers for
    /// 64 bits.
    pub fn catalogue() -> Vec<(Self, String)> {
        let named = NAMED.iter().map(|(name, ..)| (*name).to_owned());
        let chains = (1..=5).map(|k| format!("depth{k}"));
        let counted = chains.chain((1..=5).map(|k| format!("decrypt_depth{k}")));
        let dots = [4, 8, 16, 32].map(|k| format!("dot{k}"));
        let batches = [512, 2048, 8192].map(|k| format!("mul_batch{k}"));
        let gates = Gate::ALL.iter().map(|gate| gate.name().to_owned());
        let blocks = BlockOp::ALL.iter().map(|op| op.name().to_owned());
        named
            .chain(counted)
            .chain(dots)
            .chain(batches)
            .chain(gates)
            .chain(blocks)
            .chain(wide_integers().map(|op| op.to_string()))
            .filter_map(|name| Self::parse(&name))
            .map(|op| {
                let meaning = op.meaning();
                (op, meaning)
            })
            .collect()
    }

    /// Returns the name used in records.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the work of the operation.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Returns the operation on integers, if it is one.
    pub fn integer(&self) -> Option<IntegerOp> {
        if let Work::Integer(op) = self.work { Some(op) } else { None }
    }

    /// Returns a description in one line.
    pub fn meaning(&self) -> String {
        let named = NAMED.iter().find(|(name, ..)| *name == self.name);
        match (named, self.work) {
            (Some((_, _, meaning)), _) => (*meaning).to_owned(),
            (None, Work::Depth(k)) => {
                format!("product {k} of a chain, relinearised, at the current level of the chain")
            }
            (None, Work::DecryptDepth(k)) => format!("decryption after a chain of {k} products"),
            (None, Work::MulBatch(k)) => {
                format!("a product; time of one of {k} consecutive ones shared by all threads")
            }
            (None, Work::Dot(k)) => {
                format!("sum of {k} products of {} separate ciphertexts", 2 * k)
            }
            (None, Work::Gate(gate)) => gate.meaning(),
            (None, Work::Block(op)) => op.meaning().to_owned(),
            (None, Work::Integer(op)) => op.meaning(),
            (None, work) => format!("{work:?}"),
        }
    }

    /// Returns the name of the block of cases that are measured in interleaved rounds, so that a
    /// change of the machine's speed affects all of them alike.
    pub fn block(&self) -> &str {
        if matches!(self.work, Work::Depth(_)) {
            "depth"
        } else if matches!(self.work, Work::DecryptDepth(_)) {
            "decrypt_depth"
        } else if matches!(self.work, Work::Dot(_)) {
            "dot"
        } else if matches!(self.work, Work::MulBatch(_)) {
            "mul_batch"
        } else if self.work == Work::Mul {
            "mul"
        } else if let Work::Integer(op) = self.work {
            op.kind.stem()
        } else {
            &self.name
        }
    }

    /// Returns the operation to request with `run`; `None` if nothing is timed by `run`.
    pub fn request(&self) -> Option<(Cow<'static, str>, Args)> {
        let none = Args::default();
        let (name, args) = match self.work {
            Work::Keygen
            | Work::RotateKeygen
            | Work::CiphertextSize
            | Work::KeySize
            | Work::PastBudget => return None,
            Work::Encrypt(KeyKind::Pk) => ("encrypt_pk", none),
            Work::Encrypt(KeyKind::Sk) => ("encrypt_sk", none),
            Work::Decrypt | Work::DecryptDepth(_) => ("decrypt", none),
            Work::Add => ("add", none),
            Work::Sub => ("sub", none),
            Work::Mul | Work::MulBatch(_) | Work::PackedDot(_) => ("mul", none),
            Work::MulPlain => ("mul_plain", none),
            Work::AddPlain => ("add_plain", none),
            Work::Square => ("square", none),
            Work::Relin => ("relin", none),
            Work::Rotate => ("rotate", Args { steps: Some(1), ..none }),
            Work::RotateSum => ("rotate_sum", none),
            Work::Depth(_) => ("mul_switch", none),
            Work::Dot(_) => ("dot", none),
            Work::Polynomial => {
                ("polynomial", Args { coefficients: Some(POLYNOMIAL.to_vec()), ..none })
            }
            Work::DotSlots => ("dot_slots", none),
            Work::ModSwitch => ("mod_switch", none),
            Work::Gate(gate) => (gate.name(), none),
            Work::Block(op) => (op.name(), none),
            Work::Integer(op) => return Some((op.to_string().into(), none)),
        };
        Some((name.into(), args))
    }

    /// Returns true if several threads can run the operation in parallel.
    pub fn has_lanes(&self) -> bool {
        self.request().is_some()
    }

    /// Returns the operations of the protocol that a library needs for this case.
    pub fn needs(&self) -> Vec<Cow<'static, str>> {
        let untimed = [
            (Work::PastBudget, "mul_switch"),
            (Work::RotateKeygen, "rotate_sum"),
            (Work::Relin, "mul_no_relin"),
        ];
        let chain = matches!(self.work, Work::DecryptDepth(_)).then_some((self.work, "mul_switch"));
        let untimed = untimed.into_iter().chain(chain).filter(|(work, _)| *work == self.work);
        self.request()
            .map(|(name, _)| name)
            .into_iter()
            .chain(untimed.map(|(_, name)| name.into()))
            .collect()
    }

    /// Returns the kinds of the operands of a timed operation.
    pub fn operands(&self) -> Vec<Operand> {
        match self.work {
            Work::Keygen
            | Work::RotateKeygen
            | Work::CiphertextSize
            | Work::KeySize
            | Work::PastBudget => Vec::new(),
            Work::Encrypt(_) => vec![Operand::Encoded],
            Work::Decrypt
            | Work::Square
            | Work::Rotate
            | Work::RotateSum
            | Work::Polynomial
            | Work::ModSwitch => vec![Operand::Fresh],
            Work::Add
            | Work::Sub
            | Work::Mul
            | Work::MulBatch(_)
            | Work::PackedDot(_)
            | Work::DotSlots => vec![Operand::Fresh; 2],
            Work::MulPlain | Work::AddPlain => vec![Operand::Fresh, Operand::Encoded],
            Work::Relin => vec![Operand::Product],
            Work::Depth(k) => vec![Operand::Chain(k - 1), Operand::AtLevelOf(k - 1)],
            Work::DecryptDepth(k) => vec![Operand::Chain(k)],
            Work::Dot(k) => vec![Operand::Fresh; 2 * k],
            Work::Gate(gate) => vec![Operand::Fresh; gate.arity()],
            Work::Block(op) => vec![Operand::Fresh; op.arity()],
            Work::Integer(op) if op.scalar => vec![Operand::Fresh, Operand::Encoded],
            Work::Integer(op) => vec![Operand::Fresh; op.kind.arity()],
        }
    }

    /// Returns the layout of the values in a ciphertext.
    pub fn encoding(&self) -> Encoding {
        if let Work::Integer(op) = self.work {
            return Encoding::Integer(op.ty);
        }
        let packed = matches!(self.work, Work::PackedDot(_));
        if packed { Encoding::Coefficients } else { Encoding::Slots }
    }

    /// Returns the number of calls on different inputs in a round with `threads` threads: enough
    /// that no call repeats the previous inputs and that a gate covers its truth table, few enough
    /// that the inputs stay in cache.
    pub fn input_sets(&self, threads: usize) -> usize {
        let sets = if let Work::Gate(gate) = self.work {
            1 << gate.arity()
        } else if matches!(self.work, Work::Integer(_)) {
            2
        } else if let Work::Block(op) = self.work {
            if op.results() > 1 { 2 } else { 8 }
        } else {
            (16 / self.operands().len().max(1)).clamp(2, 4)
        };
        sets * threads
    }

    /// Returns the number of calls in a sample, if the operation fixes it.
    pub fn calls_a_sample(&self) -> Option<usize> {
        if let Work::MulBatch(calls) = self.work { Some(calls) } else { None }
    }

    /// Returns the number of results of one call; the time of a case is that of one result.
    pub fn results_a_call(&self) -> usize {
        if let Work::Block(op) = self.work { op.results() } else { 1 }
    }

    /// Returns the time of a case relative to the others of its suite.
    pub fn weight(&self) -> f64 {
        if let Work::Integer(op) = self.work {
            (op.rough_bootstraps() / 16.0).max(1.0)
        } else if self.results_a_call() > 1 {
            2.0
        } else if matches!(self.work, Work::CiphertextSize | Work::KeySize | Work::PastBudget) {
            0.2
        } else {
            1.0
        }
    }

    /// Returns the rotation keys that the case needs for `slots` slots in `rows` rows: the steps,
    /// and true if the row swap is needed.
    pub fn rotation_keys(&self, slots: usize, rows: usize) -> (Vec<i64>, bool) {
        let row = (slots / rows.max(1)) as i64;
        if self.work == Work::Rotate {
            (vec![1], false)
        } else if matches!(self.work, Work::RotateSum | Work::DotSlots | Work::RotateKeygen) {
            let powers = std::iter::successors(Some(1), |steps| Some(steps * 2));
            (powers.take_while(|steps| *steps < row).collect(), rows > 1)
        } else {
            (Vec::new(), false)
        }
    }
}

/// Iterates over the operations on unsigned integers of 64 bits, one per kind.
fn wide_integers() -> impl Iterator<Item = IntegerOp> {
    let of = |ty| IntegerKind::all().map(move |kind| IntegerOp { kind, ty, scalar: false });
    IntegerType::unsigned(64).into_iter().flat_map(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::library::Operation;
    use crate::torus;

    #[test]
    fn every_timed_operation_is_one_of_the_protocol() {
        for (op, meaning) in Op::catalogue() {
            assert!(!meaning.is_empty());
            for name in op.needs() {
                let known = Operation::NAMES.contains(&&*name);
                assert!(known || torus::names().iter().any(|known| *known == name), "{name}");
            }
            if let Some((name, args)) = op.request() {
                let operation = Operation::parse(&name, &args).unwrap();
                assert_eq!(operation.check_operands(op.operands().len()), Ok(()), "{name}");
            }
        }
    }

    #[test]
    fn counted_names_have_bounds() {
        assert_eq!(Op::parse("depth3").unwrap().work(), Work::Depth(3));
        assert_eq!(Op::parse("dot16").unwrap().work(), Work::Dot(16));
        assert_eq!(Op::parse("mul_batch512").unwrap().calls_a_sample(), Some(512));
        for name in ["depth0", "dot0", "dot9999999", "mul_batch0", "depthx", "", "nandy"] {
            assert_eq!(Op::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_full_sum_needs_every_power_of_two_below_the_row() {
        let (steps, swap) = Op::parse("rotate_sum").unwrap().rotation_keys(16, 2);
        assert_eq!((steps, swap), (vec![1, 2, 4], true));
        let (steps, swap) = Op::parse("rotate_sum").unwrap().rotation_keys(16, 1);
        assert_eq!((steps, swap), (vec![1, 2, 4, 8], false));
    }
}
