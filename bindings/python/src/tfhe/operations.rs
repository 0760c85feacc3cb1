//! Operations by name, each for the types that it takes.

use super::content::{Content, truth_of, unknown};
use super::operand::{Operand, refused};
use crate::errors::Refusal;
use fathom::tfhe::boolean::{Bit, Gate, Gates};
use fathom::tfhe::integer::{self, FheBool, Integers, RadixInt};

/// Computes an operation on integers and truth values.
///
/// # Errors
/// Those of the operation; `KindError` if there is none for these operands.
pub fn on_integers(
    integers: &Integers,
    operation: &str,
    operands: &[Operand<'_>],
) -> Result<Content, Refusal> {
    use Content::{Integer, Truth};
    use Operand::Encrypted;
    Ok(match operands {
        [Encrypted(Integer(a))] => match operation {
            "neg" => Integer(integers.neg(a)?),
            "not" => Integer(integers.not(a)?),
            _ => return Err(unknown(operation)),
        },
        [Encrypted(Truth(a))] if operation == "not" => Truth(integers.not(a)?),
        [Encrypted(Integer(a)), Encrypted(Integer(b))] => arithmetic(integers, operation, a, b)?,
        [Encrypted(Integer(a)), Operand::Integer(b)] => arithmetic(integers, operation, a, *b)?,
        [Encrypted(Truth(a)), Encrypted(Truth(b))] => Truth(logic(integers, operation, a, b)?),
        [Encrypted(Truth(a)), Operand::Truth(b)] => {
            Truth(logic(integers, operation, a, &FheBool::trivial(*b))?)
        }
        [Encrypted(Truth(condition)), Encrypted(Integer(a)), Encrypted(Integer(b))]
            if operation == "where" =>
        {
            Integer(integers.select(condition, a, b)?)
        }
        [Encrypted(Truth(a)), Encrypted(Truth(b)), Encrypted(Truth(c))] if operation == "where" => {
            Truth(integers.select(a, b, c)?)
        }
        [Encrypted(Truth(_)), _, _] => {
            let gates = Gates::new(integers.evaluator().clone())?;
            let bits = on_bits(&gates, operation, &[operands])?;
            Truth(truth_of(bits.first().ok_or_else(|| unknown(operation))?)?)
        }
        _ => return Err(refused(operation, operands)),
    })
}

/// Computes an operation on an integer and another or a clear one.
fn arithmetic<'a>(
    integers: &Integers,
    operation: &str,
    a: &RadixInt,
    b: impl integer::Operand<RadixInt> + 'a,
) -> Result<Content, Refusal> {
    let computed = match operation {
        "add" => integers.add(a, b),
        "sub" => integers.sub(a, b),
        "mul" => integers.mul(a, b),
        "div" => integers.div(a, b),
        "rem" => integers.rem(a, b),
        "and" => integers.and(a, b),
        "or" => integers.or(a, b),
        "xor" => integers.xor(a, b),
        "max" => integers.max(a, b),
        "min" => integers.min(a, b),
        _ => return Ok(Content::Truth(comparison(integers, operation, a, b)?)),
    };
    Ok(Content::Integer(computed?))
}

fn comparison(
    integers: &Integers,
    operation: &str,
    a: &RadixInt,
    b: impl integer::Operand<RadixInt>,
) -> Result<FheBool, Refusal> {
    let truth = match operation {
        "eq" => integers.eq(a, b),
        "ne" => integers.ne(a, b),
        "lt" => integers.lt(a, b),
        "le" => integers.le(a, b),
        "gt" => integers.gt(a, b),
        "ge" => integers.ge(a, b),
        _ => return Err(unknown(operation)),
    };
    Ok(truth?)
}

fn logic(
    integers: &Integers,
    operation: &str,
    a: &FheBool,
    b: &FheBool,
) -> Result<FheBool, Refusal> {
    let truth = match operation {
        "and" => integers.and(a, b),
        "or" => integers.or(a, b),
        "xor" | "ne" => integers.xor(a, b),
        "eq" => integers.eq(a, b),
        _ => return Err(unknown(operation)),
    };
    Ok(truth?)
}

/// Computes an operation on each row of bits, all of them in one layer of bootstraps.
///
/// # Errors
/// Those of the operation; `KindError` if there is none for these operands.
pub fn on_bits<'a>(
    gates: &Gates,
    operation: &str,
    rows: &[impl AsRef<[Operand<'a>]>],
) -> Result<Vec<Content>, Refusal> {
    let bit = |operand: &Operand<'_>| match operand {
        Operand::Encrypted(Content::Bit(bit)) => Some(Ok(bit.clone())),
        Operand::Encrypted(Content::Truth(truth)) => {
            Some(Bit::from_block(gates.evaluator().params(), truth.block().clone()))
        }
        Operand::Truth(truth) => Some(Ok(Bit::trivial(gates.evaluator().params(), *truth))),
        _ => None,
    };
    let bits = |row: &[Operand<'a>]| {
        let bits: Option<Result<Vec<Bit>, _>> = row.iter().map(bit).collect();
        bits.ok_or_else(|| refused(operation, row))?.map_err(Refusal::from)
    };
    let rows: Vec<Vec<Bit>> =
        rows.iter().map(|row| bits(row.as_ref())).collect::<Result<_, _>>()?;
    if operation == "not" {
        let inverted = rows.iter().flatten().map(|bit| gates.not(bit).map(Content::Bit));
        return Ok(inverted.collect::<Result<_, _>>()?);
    }
    let plan: Vec<Gate<'_>> =
        rows.iter().map(|row| gate(operation, row)).collect::<Result<_, _>>()?;
    Ok(gates.evaluate(&plan)?.into_iter().map(Content::Bit).collect())
}

/// Returns the gate of a name.
fn gate<'a>(operation: &str, bits: &'a [Bit]) -> Result<Gate<'a>, Refusal> {
    Ok(match (operation, bits) {
        ("and", [a, b]) => Gate::And(a, b),
        ("or", [a, b]) => Gate::Or(a, b),
        ("xor" | "ne", [a, b]) => Gate::Xor(a, b),
        ("eq", [a, b]) => Gate::Xnor(a, b),
        ("where", [a, b, c]) => Gate::Mux(a, b, c),
        ("majority", [a, b, c]) => Gate::Majority(a, b, c),
        _ => return Err(unknown(operation)),
    })
}
