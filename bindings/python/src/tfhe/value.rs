//! Encrypted values.

use super::machine::is_for_integers;
use super::operand::unknown;
use super::params_of;
use crate::bytes::read;
use crate::errors::Refusal;
use crate::work::briefly;
use fathom::tfhe::Params;
use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{FheBool, FheValue, RadixInt};
use fathom::wire::{Wire, WireFresh, WireObject, WireValue};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What a value holds.
pub enum Content {
    /// An integer.
    Integer(RadixInt),
    /// A truth value under the parameters of integers.
    Truth(FheBool),
    /// A truth value under other parameters.
    Bit(Bit),
}

impl Content {
    /// Returns the name of the type: `u8`, `i16` and so on, or `bool`.
    pub fn dtype(&self) -> String {
        match self {
            Content::Integer(integer) => {
                let sign = if integer.is_signed() { 'i' } else { 'u' };
                format!("{sign}{}", integer.bits())
            }
            Content::Truth(_) | Content::Bit(_) => "bool".to_owned(),
        }
    }

    fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, Refusal> {
        Ok(match self {
            Content::Integer(integer) => integer.to_bytes(params)?,
            Content::Truth(truth) => truth.to_bytes(params)?,
            Content::Bit(bit) => bit.to_bytes(params)?,
        })
    }

    fn from_bytes(kind: &str, params: &Params, data: Frame<'_>) -> Result<Content, Refusal> {
        Ok(match kind {
            "bool" if is_for_integers(params) => Content::Truth(data.value(params)?),
            "bool" => Content::Bit(data.value(params)?),
            "integer" => Content::Integer(data.value(params)?),
            _ => return Err(unknown(kind)),
        })
    }
}

/// The bytes of a value, and whether they are those of a fresh encryption.
struct Frame<'a> {
    bytes: &'a [u8],
    fresh: bool,
}

impl Frame<'_> {
    fn value<T>(&self, params: &Params) -> Result<T, Refusal>
    where
        T: Wire<Context = Params> + WireFresh,
    {
        let read = if self.fresh { T::from_bytes_fresh } else { T::from_bytes };
        Ok(read(params, self.bytes)?)
    }
}

/// Returns a bit as a truth value of integers.
///
/// # Errors
/// `NoiseError` if it has more noise than the parameters of integers allow.
pub fn truth_of(content: &Content) -> Result<FheBool, Refusal> {
    match content {
        Content::Bit(bit) => Ok(FheBool::from_block(bit.block().clone())?),
        Content::Truth(truth) => Ok(truth.clone()),
        Content::Integer(_) => Err(unknown("truth")),
    }
}

/// An encrypted integer or truth value.
#[pyclass(frozen, module = "fathom._fathom", name = "TfheValue")]
pub struct PyTfheValue {
    content: Content,
    params: Params,
}

impl PyTfheValue {
    /// Wraps what was encrypted or computed.
    pub fn new(content: Content, params: &Params) -> PyTfheValue {
        PyTfheValue { content, params: params.clone() }
    }

    /// Returns what the value holds.
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

    /// Returns the name of the type: `u8`, `i16` and so on, or `bool`.
    #[getter]
    fn dtype(&self) -> String {
        self.content.dtype()
    }
}
