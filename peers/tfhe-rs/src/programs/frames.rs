//! Objects of tfhe-rs as byte strings.

use fathom_workloads::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tfhe::Versionize;
use tfhe::safe_serialization::{safe_deserialize, safe_serialize};
use tfhe::{Unversionize, named::Named};

/// Largest object that is written or read, in bytes.
pub(super) const LIMIT: u64 = 1 << 32;

/// Writes an object of tfhe-rs.
pub(super) fn write<T: Serialize + Versionize + Named>(object: &T) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let written = safe_serialize(object, &mut bytes, LIMIT);
    written.map_err(|error| Error::Message(error.to_string()))?;
    Ok(bytes)
}

/// Reads an object of tfhe-rs.
pub(super) fn read<T: DeserializeOwned + Unversionize + Named>(bytes: &[u8]) -> Result<T, Error> {
    safe_deserialize(bytes, LIMIT).map_err(Error::Message)
}
