//! Operations on byte strings by name.

use super::content::{Content, unknown};
use super::operand::{Operand, refused};
use crate::errors::Refusal;
use fathom::tfhe::integer::{ByteStrings, FheBytes, Integers, Text};

/// Computes an operation on a byte string, or on two of which the second may be clear.
///
/// # Errors
/// Those of the operation; `KindError` if there is none for these operands.
pub fn on_strings(
    integers: &Integers,
    operation: &str,
    operands: &[Operand<'_>],
) -> Result<Vec<Content>, Refusal> {
    let strings = ByteStrings::new(integers.evaluator().clone())?;
    match operands {
        [Operand::Encrypted(Content::Bytes(a))] => one(&strings, operation, a),
        [Operand::Encrypted(Content::Bytes(a)), Operand::Encrypted(Content::Bytes(b))] => {
            two(&strings, operation, a, Text::Encrypted(b))
        }
        [Operand::Encrypted(Content::Bytes(a)), Operand::Bytes(b)] => {
            two(&strings, operation, a, Text::Clear(b))
        }
        _ => Err(refused(operation, operands)),
    }
}

fn one(strings: &ByteStrings, operation: &str, a: &FheBytes) -> Result<Vec<Content>, Refusal> {
    let computed = match operation {
        "lower" => Content::Bytes(strings.to_ascii_lowercase(a)?),
        "upper" => Content::Bytes(strings.to_ascii_uppercase(a)?),
        "length" => Content::Integer(strings.len(a)?.into()),
        _ => return Err(unknown(operation)),
    };
    Ok(vec![computed])
}

fn two(
    strings: &ByteStrings,
    operation: &str,
    a: &FheBytes,
    b: Text<'_>,
) -> Result<Vec<Content>, Refusal> {
    let truth = match operation {
        "add" => return Ok(vec![Content::Bytes(strings.concat(a, b)?)]),
        "find" => {
            let (place, found) = strings.find(a, b)?;
            return Ok(vec![Content::Integer(place.into()), Content::Truth(found)]);
        }
        "eq" => strings.eq(a, b),
        "ne" => strings.ne(a, b),
        "lt" => strings.lt(a, b),
        "le" => strings.le(a, b),
        "gt" => strings.gt(a, b),
        "ge" => strings.ge(a, b),
        "contains" => strings.contains(a, b),
        "startswith" => strings.starts_with(a, b),
        "endswith" => strings.ends_with(a, b),
        _ => return Err(unknown(operation)),
    };
    Ok(vec![Content::Truth(truth?)])
}
