//! Secret and public keys of wide integers.

use super::evaluator::PyWideEvaluator;
use super::integers::{read_element, read_integer, to_python};
use super::params::PyWideParams;
use super::value::PyWideValue;
use super::{Of, each, lift};
use crate::bytes::read;
use crate::keys::random;
use crate::work::{abandonable, briefly};
use fathom::rlwe::{self, Rotations};
use fathom::wide::{PublicKey, SecretKey, VectorPublicKey, VectorSecretKey};
use fathom::wire::{Wire, WireObject};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::sync::Arc;

/// A secret key of wide integers.
#[pyclass(frozen, module = "fathom._fathom", name = "WideKey")]
pub struct PyWideKey {
    inner: Arc<Of<SecretKey, VectorSecretKey>>,
}

/// A public key of wide integers, which encrypts.
#[pyclass(frozen, module = "fathom._fathom", name = "WidePublicKey")]
pub struct PyWidePublicKey {
    inner: Of<PublicKey, VectorPublicKey>,
}

/// Encrypts with either key of either form.
macro_rules! encrypted {
    ($py:expr, $key:expr, $value:expr, $bits:expr) => {{
        let (py, value, bits): (Python<'_>, &Bound<'_, PyAny>, u32) = ($py, $value, $bits);
        let inner = match $key {
            Of::Integers(key) => {
                let integer = read_integer(value, bits)?;
                briefly(py, || {
                    let message = key.params().encode_within(integer, bits)?;
                    Ok(Of::Integers(key.encrypt(&message, &mut random()?)?))
                })?
            }
            Of::Vectors(key) => {
                let elements = value.try_iter()?.map(|item| read_element(&item?));
                let elements = elements.collect::<PyResult<Vec<_>>>()?;
                briefly(py, || Ok(Of::Vectors(key.encrypt(&elements, &mut random()?)?)))?
            }
        };
        Ok(PyWideValue { inner })
    }};
}

#[pymethods]
impl PyWideKey {
    #[staticmethod]
    fn generate(py: Python<'_>, params: &PyWideParams) -> PyResult<PyWideKey> {
        let params = params.inner.clone();
        let inner = abandonable(py, move || {
            let mut rng = random()?;
            Ok(lift!(&params, params => rlwe::SecretKey::generate(params, &mut rng)))
        })?;
        Ok(PyWideKey { inner: Arc::new(inner) })
    }

    #[staticmethod]
    fn from_secret_bytes(
        py: Python<'_>,
        params: &PyWideParams,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<PyWideKey> {
        let bytes = read(data)?;
        let inner = briefly(py, || {
            Ok(lift!(&params.inner, params => rlwe::SecretKey::from_secret_bytes(params, &bytes)?))
        })?;
        Ok(PyWideKey { inner: Arc::new(inner) })
    }

    fn to_secret_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        each!(&*self.inner, secret => PyBytes::new(py, &secret.to_secret_bytes()))
    }

    #[getter]
    fn params(&self) -> PyWideParams {
        PyWideParams { inner: lift!(&*self.inner, secret => secret.params().clone()) }
    }

    #[getter]
    fn id(&self) -> String {
        each!(&*self.inner, secret => secret.id().to_string())
    }

    /// Encrypts an integer below `2^bits`, or a sequence of integers as a vector.
    fn encrypt(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        bits: u32,
    ) -> PyResult<PyWideValue> {
        encrypted!(py, &*self.inner, value, bits)
    }

    fn public_key(&self, py: Python<'_>) -> PyResult<PyWidePublicKey> {
        let secret = Arc::clone(&self.inner);
        let inner = abandonable(py, move || {
            let mut rng = random()?;
            Ok(lift!(&*secret, secret => secret.public_key(&mut rng)))
        })?;
        Ok(PyWidePublicKey { inner })
    }

    /// Returns the integer, or the list of the integers of a vector.
    fn decrypt<'py>(&self, py: Python<'py>, value: &PyWideValue) -> PyResult<Bound<'py, PyAny>> {
        match (&*self.inner, &value.inner) {
            (Of::Integers(secret), Of::Integers(value)) => {
                let message = briefly(py, || Ok(secret.decrypt(value)?))?;
                to_python(py, message.value())
            }
            (Of::Vectors(secret), Of::Vectors(value)) => {
                let integers = briefly(py, || Ok(secret.decrypt(value)?))?;
                let integers = integers.iter().map(|integer| to_python(py, integer));
                Ok(PyList::new(py, integers.collect::<PyResult<Vec<_>>>()?)?.into_any())
            }
            _ => Err(super::unknown("decrypt").into()),
        }
    }

    /// Makes evaluation keys, with those of the sum of so many elements of a vector.
    fn evaluator(&self, py: Python<'_>, summed: usize) -> PyResult<PyWideEvaluator> {
        let secret = Arc::clone(&self.inner);
        let inner = abandonable(py, move || {
            let mut rng = random()?;
            Ok(match &*secret {
                Of::Integers(secret) => Of::Integers(secret.evaluation_keys(&mut rng)?),
                Of::Vectors(secret) => {
                    let degree = secret.params().degree();
                    let rotations = match summed {
                        0 | 1 => Rotations::none(),
                        count if 2 * count <= degree => Rotations::for_sum(count),
                        _ => Rotations::for_slot_sum(degree),
                    };
                    Of::Vectors(secret.evaluation_keys(&rotations, &mut rng)?)
                }
            })
        })?;
        Ok(PyWideEvaluator::new(inner))
    }
}

#[pymethods]
impl PyWidePublicKey {
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        params: &PyWideParams,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<PyWidePublicKey> {
        let bytes = read(data)?;
        let inner =
            briefly(py, || Ok(lift!(&params.inner, params => Wire::from_bytes(params, &bytes)?)))?;
        Ok(PyWidePublicKey { inner })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        each!(&self.inner, public => PyBytes::new(py, &public.to_bytes()))
    }

    #[getter]
    fn params(&self) -> PyWideParams {
        PyWideParams { inner: lift!(&self.inner, public => public.params().clone()) }
    }

    #[getter]
    fn key_id(&self) -> String {
        each!(&self.inner, public => public.key_id().to_string())
    }

    /// Encrypts as the secret key does, with more noise.
    fn encrypt(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        bits: u32,
    ) -> PyResult<PyWideValue> {
        encrypted!(py, &self.inner, value, bits)
    }
}
