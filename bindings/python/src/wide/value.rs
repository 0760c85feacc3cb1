//! Encrypted wide integers.

use super::params::PyWideParams;
use super::{Of, each, unknown};
use crate::bytes::read;
use crate::errors::Refusal;
use crate::work::briefly;
use fathom::Error;
use fathom::rlwe::Encryption;
use fathom::wide::{Ciphertext, Vector, VectorParams};
use fathom::wire::{Wire, WireError, WireFresh, WireObject};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An encrypted wide integer, or a vector of them.
#[pyclass(frozen, module = "fathom._fathom", name = "WideValue")]
pub struct PyWideValue {
    pub(super) inner: Of<Ciphertext, Vector<i128>>,
}

/// Reads an encryption under the secret key, whose mask is a seed, or one under the public key.
fn fresh_vector(params: &VectorParams, bytes: &[u8]) -> Result<Vector<i128>, Error> {
    let fresh = |encryption| Vector::from_bytes_fresh(params, bytes, encryption);
    match fresh(Encryption::SecretKey) {
        Err(Error::Wire(WireError::NotFresh)) => fresh(Encryption::PublicKey),
        read => read,
    }
}

#[pymethods]
impl PyWideValue {
    /// Reads a value; with `fresh`, only an encryption, whoever sent it.
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        params: &PyWideParams,
        data: &Bound<'_, PyAny>,
        trust: &str,
    ) -> PyResult<PyWideValue> {
        let bytes = read(data)?;
        let inner = briefly(py, || {
            Ok(match (&params.inner, trust) {
                (Of::Integers(params), "fresh") => {
                    Of::Integers(Ciphertext::from_bytes_fresh(params, &bytes)?)
                }
                (Of::Integers(params), _) => Of::Integers(Ciphertext::from_bytes(params, &bytes)?),
                (Of::Vectors(params), "fresh") => Of::Vectors(fresh_vector(params, &bytes)?),
                (Of::Vectors(params), _) => Of::Vectors(Vector::from_bytes(params, &bytes)?),
            })
        })?;
        Ok(PyWideValue { inner })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = briefly(py, || Ok(each!(&self.inner, value => value.to_bytes())))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn nbytes(&self) -> usize {
        each!(&self.inner, value => value.byte_len())
    }

    /// Returns the parameters.
    #[getter]
    fn params(&self) -> PyWideParams {
        PyWideParams { inner: super::lift!(&self.inner, value => value.params().clone()) }
    }

    /// Returns the number of elements of a vector.
    #[getter]
    fn length(&self) -> Option<usize> {
        match &self.inner {
            Of::Integers(_) => None,
            Of::Vectors(vector) => Some(vector.len()),
        }
    }

    /// Returns the logarithm of the greatest absolute value.
    #[getter]
    fn value_bits(&self) -> f64 {
        each!(&self.inner, value => value.value_bits())
    }

    #[getter]
    fn noise_left_bits(&self) -> f64 {
        each!(&self.inner, value => value.noise_budget_bits())
    }

    #[getter]
    fn key_id(&self) -> String {
        each!(&self.inner, value => value.key_id().to_string())
    }

    #[getter]
    fn is_wrapping(&self) -> bool {
        matches!(&self.inner, Of::Integers(value) if value.is_wrapping())
    }

    /// Returns the same integer as a residue modulo `2^N + 1`, with which results wrap around.
    fn wrapping(&self) -> Result<PyWideValue, Refusal> {
        match &self.inner {
            Of::Integers(value) => Ok(PyWideValue { inner: Of::Integers(value.wrapping()) }),
            Of::Vectors(_) => Err(unknown("wrapping")),
        }
    }
}
