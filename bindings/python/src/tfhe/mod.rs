//! Values under TFHE: truth values, bits, machine integers, byte strings, and lists.

mod content;
mod evaluator;
mod key;
mod lists;
mod machine;
mod operand;
mod operations;
mod strings;
mod value;

pub use evaluator::PyTfheEvaluator;
pub use key::PyTfheKey;
pub use value::PyTfheValue;

use crate::errors::Refusal;
use fathom::tfhe::Params;

/// Reads parameters.
fn params_of(bytes: &[u8]) -> Result<Params, Refusal> {
    Ok(Params::from_bytes(bytes)?)
}
