//! Values under TFHE: truth values, bits and machine integers.

mod evaluator;
mod key;
mod machine;
mod operand;
mod operations;
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
