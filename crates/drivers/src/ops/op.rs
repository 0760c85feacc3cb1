//! An operation of a case, as its row of the table makes it.

use std::fmt;
use std::hash::{Hash, Hasher};

use fathom_verbs::RotationKeys;

use super::arithmetic::{Given, VectorOracle};
use super::torus::{BlockOp, Gate, IntegerOp};
use crate::protocol::{Args, Encoding};

/// An operation of a case, identified by its name in records.
#[derive(Clone)]
pub struct Op {
    /// Name in suites and records.
    pub(super) name: String,
    /// Description in one line.
    pub(super) meaning: String,
    /// Place among all operations in tables and reports.
    pub(super) rank: usize,
    /// Name of the block of cases that are measured in interleaved rounds.
    pub(super) block: String,
    /// Method of measuring the case.
    pub(super) measure: Measure,
    /// The kind of the operation's values.
    pub(super) subject: Subject,
    /// The operation of the protocol that is timed, if `run` times one.
    pub(super) request: Option<(String, Args)>,
    /// Operations of the protocol that the case needs besides.
    pub(super) needs: &'static [&'static str],
    /// Operands of one call.
    pub(super) operands: Vec<Operand>,
    /// Distribution of the values of the operands.
    pub(super) inputs: Inputs,
    /// Layout of the values.
    pub(super) encoding: Encoding,
    /// The rotation keys that the case needs.
    pub(super) keys: RotationKeys,
    /// Expected result.
    pub(super) oracle: Oracle,
    /// Number of different inputs in a round, for one thread.
    pub(super) input_sets: usize,
    /// Number of calls in a sample, if the operation fixes it.
    pub(super) calls_a_sample: Option<usize>,
    /// Number of results of one call; the time of a case is that of one result.
    pub(super) results_a_call: usize,
    /// Time of a case relative to the others of its suite.
    pub(super) weight: f64,
}

/// A method of measuring a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Calls of the operation are timed by `run`.
    Calls,
    /// The generation of secret, public and relinearisation key is timed by `keygen`.
    Keygen,
    /// The generation of all rotation keys is timed by `keygen`.
    RotationKeygen,
    /// Serialised sizes; nothing is timed.
    Sizes,
    /// Products until the library refuses; nothing is timed.
    PastBudget,
}

/// Kind of operands of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Vectors, and whatever else every scheme has.
    Vectors,
    /// Single bits.
    Bits,
    /// Small integers with message and carry.
    Blocks,
    /// Machine integers.
    Integers,
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
    /// A relinearised product of CKKS that was not rescaled.
    Unscaled,
    /// The result of a chain of that many products.
    Chain(usize),
    /// A fresh ciphertext at the level of the result of that chain.
    AtLevelOf(usize),
}

/// A distribution of the clear values of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Random vectors.
    Random,
    /// Two vectors of that many values packed in coefficients, for one product.
    Packed(usize),
    /// Bits that run through a truth table.
    TruthTable(Gate),
    /// Integers that suit the operation.
    Integers(IntegerOp),
}

/// A method of computing the expected result.
#[derive(Clone, Copy, Debug)]
pub enum Oracle {
    /// Arithmetic of the scheme, with the clear arguments.
    Vectors(VectorOracle, Given<'static>),
    /// The truth table of a gate.
    Gate(Gate),
    /// A function of blocks.
    Block(BlockOp),
    /// A function of machine integers.
    Integer(IntegerOp),
}

impl Op {
    /// Returns the name used in records.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a description in one line.
    pub fn meaning(&self) -> &str {
        &self.meaning
    }

    /// Returns the place among all operations in tables: rows of vectors, then gates, blocks and
    /// kinds of integers.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Returns how the case is measured.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns the kind of values that the operation computes on.
    pub fn subject(&self) -> Subject {
        self.subject
    }

    /// Returns how the expected result is computed.
    pub fn oracle(&self) -> Oracle {
        self.oracle
    }

    /// Returns how the values of the operands are drawn.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// Returns the operation on integers, if it is one.
    pub fn integer(&self) -> Option<IntegerOp> {
        if let Inputs::Integers(op) = self.inputs { Some(op) } else { None }
    }

    /// Returns the name of the block of cases that are measured in interleaved rounds, so that a
    /// change of the machine's speed affects all of them alike.
    pub fn block(&self) -> &str {
        &self.block
    }

    /// Returns the operation to request with `run`; `None` if nothing is timed by `run`.
    pub fn request(&self) -> Option<&(String, Args)> {
        self.request.as_ref()
    }

    /// Returns true if several threads can run the operation in parallel.
    pub fn has_lanes(&self) -> bool {
        self.request.is_some()
    }

    /// Iterates over the operations of the protocol that a library needs for this case.
    pub fn needs(&self) -> impl Iterator<Item = &str> {
        let timed = self.request.iter().map(|(name, _)| name.as_str());
        timed.chain(self.needs.iter().copied())
    }

    /// Returns the kinds of the operands of a timed operation.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// Returns the number of products, one after another, in the operands of the case and the case.
    pub fn depth(&self) -> usize {
        let products = |operand: &Operand| match operand {
            Operand::Chain(products) => *products,
            Operand::AtLevelOf(products) => products + 1,
            Operand::Fresh | Operand::Encoded | Operand::Product | Operand::Unscaled => 1,
        };
        self.operands.iter().map(products).max().unwrap_or(1)
    }

    /// Returns the layout of the values in a ciphertext.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the number of calls on different inputs in a round with `threads` threads: enough
    /// that no call repeats the previous inputs of its thread and that a gate covers its truth
    /// table, few enough that the inputs stay in cache. Several threads share the sets of one where
    /// there are enough, so that as much data is in use.
    pub fn input_sets(&self, threads: usize) -> usize {
        self.input_sets.max(2 * threads).next_multiple_of(threads)
    }

    /// Returns the number of calls in a sample, if the operation fixes it.
    pub fn calls_a_sample(&self) -> Option<usize> {
        self.calls_a_sample
    }

    /// Returns the number of results of one call; the time of a case is that of one result.
    pub fn results_a_call(&self) -> usize {
        self.results_a_call
    }

    /// Returns the time of a case relative to the others of its suite.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Returns the rotation keys that the case needs for `slots` slots in `rows` rows: the steps,
    /// and true if the row swap is needed.
    pub fn rotation_keys(&self, slots: usize, rows: usize) -> (Vec<i64>, bool) {
        self.keys.steps(slots, rows)
    }
}

impl PartialEq for Op {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Op {}

impl Hash for Op {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Op({})", self.name)
    }
}
