//! Bytes from Python.

use crate::errors::Refusal;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

/// Copies the bytes of any contiguous buffer, so that nobody can change them between the check of
/// their checksum and their use.
///
/// # Errors
/// `KindError` for anything but a buffer of bytes.
pub fn read(data: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let Ok(buffer) = PyBuffer::<u8>::get(data) else {
        let got = data.get_type().name()?.to_string();
        let message = format!("expected bytes or another buffer of bytes, got {got}");
        let refusal = Refusal::new("KindError", "type_mismatch", message);
        return Err(refusal.with("expected", "bytes").with("got", got).into_exception(data.py()));
    };
    buffer.to_vec(data.py())
}
