//! Rows that the families of torus operations generate.

use fathom_verbs::RotationKeys;

use super::op::{Inputs, Measure, Op, Operand, Oracle, Subject};
use super::table::ROWS;
use super::torus::{BlockOp, Gate, IntegerKind, IntegerOp};
use crate::protocol::{Args, Encoding};

/// Ranks of the first block and kind of integers, after the last row of vectors.
const BLOCKS: usize = Gate::ALL.len();
const INTEGERS: usize = BLOCKS + BlockOp::ALL.len();

/// Returns the place of an item in the list of its family.
fn place<T: Copy + PartialEq>(family: impl IntoIterator<Item = T>, item: T) -> usize {
    family.into_iter().position(|known| known == item).expect("a family lists all its items")
}

/// Returns the operation of that name, if it is one on torus ciphertexts.
pub(super) fn parse(name: &str) -> Option<Op> {
    let block = || BlockOp::parse(name).map(Op::from);
    let integer = || IntegerOp::parse(name).map(Op::from);
    Gate::parse(name).map(Op::from).or_else(block).or_else(integer)
}

/// Returns a timed operation with the parts that all families have in common.
fn call(name: String, rank: usize, subject: Subject, oracle: Oracle, operands: Vec<Operand>) -> Op {
    Op {
        rank,
        request: Some((name.clone(), Args::default())),
        block: name.clone(),
        name,
        meaning: String::new(),
        measure: Measure::Calls,
        subject,
        needs: &[],
        operands,
        inputs: Inputs::Random,
        encoding: Encoding::Slots,
        keys: RotationKeys::None,
        oracle,
        input_sets: 8,
        calls_a_sample: None,
        results_a_call: 1,
        weight: 1.0,
    }
}

impl From<Gate> for Op {
    fn from(gate: Gate) -> Self {
        let operands = vec![Operand::Fresh; gate.arity()];
        let name = gate.name().to_owned();
        let rank = ROWS.len() + place(Gate::ALL, gate);
        Self {
            meaning: gate.meaning(),
            inputs: Inputs::TruthTable(gate),
            input_sets: 1 << gate.arity(),
            ..call(name, rank, Subject::Bits, Oracle::Gate(gate), operands)
        }
    }
}

impl From<BlockOp> for Op {
    fn from(op: BlockOp) -> Self {
        let operands = vec![Operand::Fresh; op.arity()];
        let several = op.results() > 1;
        let name = op.name().to_owned();
        let rank = ROWS.len() + BLOCKS + place(BlockOp::ALL, op);
        Self {
            meaning: op.meaning().to_owned(),
            input_sets: if several { 2 } else { 8 },
            results_a_call: op.results(),
            weight: if several { 2.0 } else { 1.0 },
            ..call(name, rank, Subject::Blocks, Oracle::Block(op), operands)
        }
    }
}

impl From<IntegerOp> for Op {
    fn from(op: IntegerOp) -> Self {
        let operands = if op.scalar {
            vec![Operand::Fresh, Operand::Encoded]
        } else {
            vec![Operand::Fresh; op.kind.arity()]
        };
        let rank = ROWS.len() + INTEGERS + place(IntegerKind::all(), op.kind);
        Self {
            meaning: op.meaning(),
            block: op.kind.stem().to_owned(),
            inputs: Inputs::Integers(op),
            encoding: Encoding::Integer(op.ty),
            input_sets: 2,
            weight: (op.rough_bootstraps() / 16.0).max(1.0),
            ..call(op.to_string(), rank, Subject::Integers, Oracle::Integer(op), operands)
        }
    }
}
