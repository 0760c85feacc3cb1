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
        let shown = "bytes or another buffer of bytes";
        return Err(Refusal::of_type(shown, "bytes", data).into_exception(data.py()));
    };
    buffer.to_vec(data.py())
}
