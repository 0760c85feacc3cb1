//! Operations on encrypted machine integers and truth values, by name.

use crate::errors::Refusal;
use fathom::tfhe::integer::{Clear, FheBool, Integers, RadixInt};

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

/// Calls a method with an operand of either kind.
macro_rules! with_operand {
    ($integers:expr, $method:ident, $a:expr, $b:expr) => {
        match $b {
            Operand::Encrypted(b) => $integers.$method($a, *b),
            Operand::Clear(b) => $integers.$method($a, *b),
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
    integers: &Integers,
    operation: &str,
    a: &RadixInt,
    b: &Operand<'_>,
) -> Result<Content, Refusal> {
    let integer = match operation {
        "add" => with_operand!(integers, add, a, b),
        "sub" => with_operand!(integers, sub, a, b),
        "mul" => with_operand!(integers, mul, a, b),
        "div" => with_operand!(integers, div, a, b),
        "rem" => with_operand!(integers, rem, a, b),
        "and" => with_operand!(integers, and, a, b),
        "or" => with_operand!(integers, or, a, b),
        "xor" => with_operand!(integers, xor, a, b),
        "max" => with_operand!(integers, max, a, b),
        "min" => with_operand!(integers, min, a, b),
        _ => return compared(integers, operation, a, b),
    };
    Ok(Content::Integer(integer?))
}

fn compared(
    integers: &Integers,
    operation: &str,
    a: &RadixInt,
    b: &Operand<'_>,
) -> Result<Content, Refusal> {
    let truth = match operation {
        "eq" => with_operand!(integers, eq, a, b),
        "ne" => with_operand!(integers, ne, a, b),
        "lt" => with_operand!(integers, lt, a, b),
        "le" => with_operand!(integers, le, a, b),
        "gt" => with_operand!(integers, gt, a, b),
        "ge" => with_operand!(integers, ge, a, b),
        _ => return Err(unknown(operation)),
    };
    Ok(Content::Truth(truth?))
}

/// Computes an operation on truth values.
///
/// # Errors
/// Those of the operation; `KindError` for an unknown one.
pub fn on_truths(
    integers: &Integers,
    operation: &str,
    a: &FheBool,
    b: &FheBool,
) -> Result<Content, Refusal> {
    let truth = match operation {
        "and" => integers.and(a, b),
        "or" => integers.or(a, b),
        "xor" | "ne" => integers.xor(a, b),
        "eq" => integers.eq(a, b),
        _ => return Err(unknown(operation)),
    };
    Ok(Content::Truth(truth?))
}
