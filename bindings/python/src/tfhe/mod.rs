//! Values under TFHE: truth values, bits, machine integers and byte strings.

mod content;
mod evaluator;
mod key;
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
