//! The objects of HFHE, in this library's format and in that of the reference implementation.

mod ciphertext;
mod keys;
mod reference_ciphertext;
mod reference_keys;
mod reference_params;

use crate::Fp;
use fathom::wire::WireError;
use fathom_base::wire::reader::Reader;

/// Reads the next field element, which must be canonical.
fn element(reader: &mut Reader<'_>, field: &'static str) -> Result<Fp, WireError> {
    Fp::from_canonical(u128::from_le_bytes(reader.array()?)).ok_or(WireError::Malformed { field })
}

fn exactly(field: &'static str, value: u64, expected: u64) -> Result<(), WireError> {
    if value == expected { Ok(()) } else { Err(WireError::Malformed { field }) }
}
