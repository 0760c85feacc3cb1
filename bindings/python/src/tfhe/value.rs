//! Encrypted values.

use super::content::{Content, Frame, unknown};
use super::params_of;
use crate::bytes::read;
use crate::errors::Refusal;
use crate::work::briefly;
use fathom::tfhe::Params;
use fathom::tfhe::integer::{FheBytes, Padding};
use fathom::wire::WireObject;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An encrypted integer, truth value or byte string.
#[pyclass(frozen, module = "fathom._fathom", name = "TfheValue")]
pub struct PyTfheValue {
    content: Content,
    params: Params,
}

impl PyTfheValue {
    /// Wraps an encrypted or computed value.
    pub fn new(content: Content, params: &Params) -> PyTfheValue {
        PyTfheValue { content, params: params.clone() }
    }

    /// Returns the encrypted content of the value.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }
}

#[pymethods]
impl PyTfheValue {
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        kind: &str,
        trust: &str,
    ) -> PyResult<PyTfheValue> {
        let (params, bytes) = (read(params)?, read(data)?);
        briefly(py, || {
            let params = params_of(&params)?;
            let frame = Frame { bytes: &bytes, fresh: trust == "fresh" };
            Ok(PyTfheValue { content: Content::from_bytes(kind, &params, frame)?, params })
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = briefly(py, || self.content.to_bytes(&self.params))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn params_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.params.to_bytes())
    }

    /// Returns the name of the type: `u8`, `i16` and so on, `bool` or `bytes`.
    #[getter]
    fn dtype(&self) -> String {
        self.content.dtype()
    }

    /// Returns the number of bytes of a string, padding included.
    #[getter]
    fn capacity(&self) -> Result<usize, Refusal> {
        Ok(self.string()?.capacity())
    }

    /// Returns whether zero bytes at the end of a string are padding.
    #[getter]
    fn is_padded(&self) -> Result<bool, Refusal> {
        Ok(self.string()?.padding() == Padding::Zeros)
    }

    /// Returns the bytes in a range of places as a string.
    fn slice(&self, start: usize, end: usize) -> Result<PyTfheValue, Refusal> {
        let part = self.string()?.slice(start..end)?;
        Ok(PyTfheValue::new(Content::Bytes(part), &self.params))
    }

    /// Returns the byte at a place as an integer.
    fn byte(&self, place: usize) -> Result<PyTfheValue, Refusal> {
        let bytes = self.string()?.slice(place..place + 1)?.to_integers();
        let byte = bytes.into_iter().map(|byte| Content::Integer(byte.into())).next();
        Ok(PyTfheValue::new(byte.ok_or_else(|| unknown("byte"))?, &self.params))
    }
}

impl PyTfheValue {
    fn string(&self) -> Result<&FheBytes, Refusal> {
        match &self.content {
            Content::Bytes(string) => Ok(string),
            _ => Err(unknown("of strings")),
        }
    }
}
