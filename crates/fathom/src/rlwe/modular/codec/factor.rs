//! The factor of a message: 8 bytes.

use crate::rlwe::Params;
use crate::rlwe::modular::Modular;
use crate::wire::WireError;
use crate::wire::reader::{Reader, at_most};

pub(crate) fn write_factor(factor: u64) -> Vec<u8> {
    factor.to_le_bytes().to_vec()
}

/// Reads a factor, which must be a unit modulo `t`.
pub(crate) fn read_factor<S: Modular>(params: &Params<S>, bytes: &[u8]) -> Result<u64, WireError> {
    let mut reader = Reader::new(bytes);
    if reader.len() != 8 {
        return Err(WireError::Malformed { field: "metadata" });
    }
    let factor = at_most("factor", reader.u64()?, params.plain_modulus() - 1)?;
    if factor == 0 { Err(WireError::Malformed { field: "factor" }) } else { Ok(factor) }
}
