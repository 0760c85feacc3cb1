//! Operations on encrypted machine integers and truth values, by name.

use crate::errors::Refusal;
use fathom::tfhe::Evaluator;
use fathom::tfhe::integer::{Clear, FheBool, RadixInt};

/// What a value of TFHE holds.
pub enum Content {
    /// An integer.
    Integer(RadixInt),
    /// A truth value.
    Truth(FheBool),
}

/// The operand of an operation: encrypted or clear.
pub enum Operand<'a> {
    /// An encrypted integer.
    Encrypted(&'a RadixInt),
    /// A clear integer.
    Clear(Clear),
}

/// Calls a method of an evaluator with an operand of either kind.
macro_rules! with_operand {
    ($evaluator:expr, $method:ident, $a:expr, $b:expr) => {
        match $b {
            Operand::Encrypted(b) => $evaluator.$method($a, *b),
            Operand::Clear(b) => $evaluator.$method($a, *b),
        }
    };
}

/// Refuses an operation that there is not.
pub fn unknown(operation: &str) -> Refusal {
    let message = format!("there is no operation {operation} on encrypted values of this type");
    Refusal::new("KindError", "no_operation", message).with("operation", operation.to_owned())
}

/// Computes an operation on integers.
///
/// # Errors
/// Those of the operation; `KindError` for an unknown one.
pub fn on_integers(
    evaluator: &Evaluator,
    operation: &str,
    a: &RadixInt,
    b: &Operand<'_>,
) -> Result<Content, Refusal> {
    let integer = match operation {
        "add" => with_operand!(evaluator, add, a, b),
        "sub" => with_operand!(evaluator, sub, a, b),
        "mul" => with_operand!(evaluator, mul, a, b),
        "div" => with_operand!(evaluator, div, a, b),
        "rem" => with_operand!(evaluator, rem, a, b),
        "and" => with_operand!(evaluator, and, a, b),
        "or" => with_operand!(evaluator, or, a, b),
        "xor" => with_operand!(evaluator, xor, a, b),
        "max" => with_operand!(evaluator, max, a, b),
        "min" => with_operand!(evaluator, min, a, b),
        _ => return compared(evaluator, operation, a, b),
    };
    Ok(Content::Integer(integer?))
}

fn compared(
    evaluator: &Evaluator,
    operation: &str,
    a: &RadixInt,
    b: &Operand<'_>,
) -> Result<Content, Refusal> {
    let truth = match operation {
        "eq" => with_operand!(evaluator, eq, a, b),
        "ne" => with_operand!(evaluator, ne, a, b),
        "lt" => with_operand!(evaluator, lt, a, b),
        "le" => with_operand!(evaluator, le, a, b),
        "gt" => with_operand!(evaluator, gt, a, b),
        "ge" => with_operand!(evaluator, ge, a, b),
        _ => return Err(unknown(operation)),
    };
    Ok(Content::Truth(truth?))
}

/// Computes an operation on truth values.
///
/// # Errors
/// Those of the operation; `KindError` for an unknown one.
pub fn on_truths(
    evaluator: &Evaluator,
    operation: &str,
    a: &FheBool,
    b: &FheBool,
) -> Result<Content, Refusal> {
    let truth = match operation {
        "and" => evaluator.and(a, b),
        "or" => evaluator.or(a, b),
        "xor" | "ne" => evaluator.xor(a, b),
        "eq" => evaluator.eq(a, b),
        _ => return Err(unknown(operation)),
    };
    Ok(Content::Truth(truth?))
}
