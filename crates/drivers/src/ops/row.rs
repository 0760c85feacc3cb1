//! The form of a row of the table of operations.

use fathom_verbs::RotationKeys;

use super::arithmetic::{Given, VectorOracle};
use super::op::{Inputs, Measure, Op, Operand, Oracle, Subject};
use crate::protocol::{Args, Encoding};

/// An operation on vectors, or a family of them that differ in a count.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in suites and records; a family's names continue with a count, such as `dot16`.
    pub name: &'static str,
    /// The counts of a family.
    pub count: Option<Count>,
    /// Description in one line; `{k}` stands for the count, `{2k}` for its double, `{numbers}` for
    /// steps or coefficients.
    pub meaning: &'static str,
    /// Method of measuring the case.
    pub measure: Measure,
    /// The operation of the protocol that is timed.
    pub request: Request,
    /// Arguments of the operation.
    pub arguments: Arguments,
    /// Steps or coefficients among the arguments.
    pub numbers: &'static [i64],
    /// Operations of the protocol that the case needs besides.
    pub needs: &'static [&'static str],
    /// Operands of one call, for a count.
    pub operands: fn(usize) -> Vec<Operand>,
    /// Distribution of the values of the operands.
    pub inputs: Inputs,
    /// Layout of the values.
    pub encoding: Encoding,
    /// The rotation keys that the case needs.
    pub keys: RotationKeys,
    /// Expected result.
    pub oracle: VectorOracle,
    /// True if the count is the number of calls in a sample.
    pub counts_calls: bool,
}

/// The counts of a family of operations.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// Largest count; the smallest is 1.
    pub most: usize,
    /// The counts that lists of operations show.
    pub listed: &'static [usize],
}

/// The operation of the protocol that a case times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// The request `run` does not time the operation.
    Nothing,
    /// The operation with the row's own name.
    Own,
    /// The operation with another name.
    Named(&'static str),
}

/// Arguments of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// None.
    None,
    /// Steps to the left.
    Steps,
    /// The count of the family, as a number of terms.
    Terms,
    /// Coefficients of a polynomial, the constant one first, or other clear numbers.
    Coefficients,
}

impl Row {
    /// Returns the name of the operation of the protocol, if it is this row's own.
    pub fn protocol_name(&self) -> Option<&'static str> {
        (self.request == Request::Own).then_some(self.name)
    }

    /// Returns true if the operation takes `count` operands.
    pub fn takes(&self, count: usize) -> bool {
        let counts = 1..=self.count.map_or(1, |count| count.most);
        counts.into_iter().any(|k| (self.operands)(k).len() == count)
    }

    /// Returns the number of operands for people.
    pub fn arity(&self) -> String {
        let one = (self.operands)(1).len();
        if self.count.is_some() { format!("a multiple of {one}") } else { one.to_string() }
    }

    /// Returns the operation of that name if it belongs to this row, which has a rank in the table.
    pub(super) fn parse(&self, rank: usize, name: &str) -> Option<Op> {
        let Some(count) = self.count else { return (name == self.name).then(|| self.op(rank, 1)) };
        let k = name.strip_prefix(self.name)?.parse().ok()?;
        (1..=count.most).contains(&k).then(|| self.op(rank, k))
    }

    /// Iterates over the operations that lists show.
    pub(super) fn listed(&self, rank: usize) -> impl Iterator<Item = Op> {
        let counts = self.count.map_or(&[1][..], |count| count.listed);
        counts.iter().map(move |k| self.op(rank, *k))
    }

    /// Returns the operation for a count; 1 if the row is not a family.
    fn op(&self, rank: usize, k: usize) -> Op {
        let operands = (self.operands)(k);
        let request = match self.request {
            Request::Nothing => None,
            Request::Own => Some(self.name),
            Request::Named(name) => Some(name),
        };
        let untimed = request.is_none() && !self.is_keygen();
        let double = (2 * k).to_string();
        let number = k.to_string();
        let numbers: Vec<String> = self.numbers.iter().map(i64::to_string).collect();
        // `simd_mul` is the same work as `mul`, so both are measured together.
        let block = if self.request == Request::Named("mul") && self.count.is_none() {
            "mul"
        } else {
            self.name
        };
        Op {
            name: if self.count.is_some() { format!("{}{k}", self.name) } else { self.name.into() },
            meaning: (self.meaning.replace("{k}", &number).replace("{2k}", &double))
                .replace("{numbers}", &numbers.join(", ")),
            rank,
            block: block.into(),
            measure: self.measure,
            subject: Subject::Vectors,
            request: request.map(|name| (name.to_owned(), self.arguments.to_args(k, self.numbers))),
            needs: self.needs,
            input_sets: (16 / operands.len().max(1)).clamp(2, 4),
            operands,
            inputs: self.inputs,
            encoding: self.encoding,
            keys: self.keys.of_count(k),
            oracle: Oracle::Vectors(self.oracle, Given { count: k, numbers: self.numbers }),
            calls_a_sample: self.counts_calls.then_some(k),
            results_a_call: 1,
            weight: if untimed { 0.2 } else { 1.0 },
        }
    }

    fn is_keygen(&self) -> bool {
        matches!(self.measure, Measure::Keygen | Measure::RotationKeygen)
    }
}

impl Arguments {
    fn to_args(self, count: usize, numbers: &[i64]) -> Args {
        match self {
            Self::None => Args::default(),
            Self::Terms => Args { terms: Some(count), ..Args::default() },
            Self::Steps => Args { steps: numbers.first().copied(), ..Args::default() },
            Self::Coefficients => Args { coefficients: Some(numbers.to_vec()), ..Args::default() },
        }
    }

    /// Returns the name of an argument that a request lacks.
    pub fn missing(self, args: &Args) -> Option<&'static str> {
        match self {
            Self::Steps if args.steps.is_none() => Some("steps"),
            Self::Coefficients if args.coefficients.is_none() => Some("coefficients"),
            Self::Terms if args.terms.is_none() => Some("terms"),
            Self::None | Self::Steps | Self::Terms | Self::Coefficients => None,
        }
    }
}
