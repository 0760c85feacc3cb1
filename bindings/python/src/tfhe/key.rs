//! The secret key of TFHE.

use super::content::{Content, is_for_integers};
use super::operand::{clear_integer, clear_truth};
use super::params_of;
use super::value::PyTfheValue;
use crate::bytes::read;
use crate::errors::Refusal;
use crate::keys::random;
use crate::work::{abandonable, briefly};
use fathom::SecretRng;
use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{Clear, FheBool, FheBytes, ValueType};
use fathom::tfhe::{ClientKey, Params};
use fathom::wire::WireObject;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// The secret key of TFHE.
#[pyclass(frozen, module = "fathom._fathom", name = "TfheKey")]
pub struct PyTfheKey {
    inner: Arc<ClientKey>,
}

#[pymethods]
impl PyTfheKey {
    /// Generates a key for parameters: `integers`, `gates`, or the name of a set.
    #[staticmethod]
    fn generate(py: Python<'_>, params: &str) -> PyResult<PyTfheKey> {
        let name = match params {
            "integers" => Params::INTEGERS,
            "gates" => Params::GATES,
            name => name,
        };
        let name = name.to_owned();
        let inner = abandonable(py, move || {
            let params = Params::preset(&name)?;
            Ok(ClientKey::generate(&params, &mut random()?))
        })?;
        Ok(PyTfheKey { inner: Arc::new(inner) })
    }

    #[staticmethod]
    fn from_secret_bytes(
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<PyTfheKey> {
        let (params, bytes) = (read(params)?, read(data)?);
        let inner = abandonable(py, move || {
            Ok(ClientKey::from_secret_bytes(&params_of(&params)?, &bytes)?)
        })?;
        Ok(PyTfheKey { inner: Arc::new(inner) })
    }

    fn to_secret_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.to_secret_bytes())
    }

    fn params_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.params().to_bytes())
    }

    #[getter]
    fn id(&self) -> String {
        self.inner.id().to_string()
    }

    #[getter]
    fn params_name(&self) -> String {
        self.inner.params().name().to_owned()
    }

    /// Encrypts an integer of so many bits in two's complement.
    fn encrypt_signed(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        bits: usize,
    ) -> PyResult<PyTfheValue> {
        let ty = ValueType::signed(bits).map_err(Refusal::from)?;
        self.encrypt_integer(py, clear_integer(value)?, ty)
    }

    /// Encrypts an integer of so many bits that is not negative.
    fn encrypt_unsigned(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        bits: usize,
    ) -> PyResult<PyTfheValue> {
        let ty = ValueType::unsigned(bits).map_err(Refusal::from)?;
        self.encrypt_integer(py, clear_integer(value)?, ty)
    }

    fn encrypt_truth(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<PyTfheValue> {
        let (truth, key) = (clear_truth(value)?, &self.inner);
        self.encrypt(py, |rng| {
            Ok(if is_for_integers(key.params()) {
                Content::Truth(key.encrypt::<FheBool>(truth, rng)?)
            } else {
                Content::Bit(key.encrypt::<Bit>(truth, rng)?)
            })
        })
    }

    /// Encrypts bytes, of which no more than a public capacity is known if one is stated.
    #[pyo3(signature = (data, capacity))]
    fn encrypt_bytes(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        capacity: Option<usize>,
    ) -> PyResult<PyTfheValue> {
        let (bytes, key) = (read(data)?, &self.inner);
        self.encrypt(py, |rng| {
            let encrypted = match capacity {
                None => key.encrypt::<FheBytes>(bytes, rng)?,
                Some(capacity) => key.encrypt_bytes_padded(&bytes, capacity, rng)?,
            };
            Ok(Content::Bytes(encrypted))
        })
    }

    /// Returns the clear value: an integer in decimal digits, a truth value or bytes.
    fn decrypt<'py>(&self, py: Python<'py>, value: &PyTfheValue) -> PyResult<Bound<'py, PyAny>> {
        let key = &self.inner;
        match value.content() {
            Content::Integer(integer) => {
                let digits = briefly(py, || Ok(key.decrypt(integer)?.to_string()))?;
                digits.into_bound_py_any(py)
            }
            Content::Truth(truth) => briefly(py, || Ok(key.decrypt(truth)?))?.into_bound_py_any(py),
            Content::Bit(bit) => briefly(py, || Ok(key.decrypt(bit)?))?.into_bound_py_any(py),
            Content::Bytes(bytes) => {
                let clear = briefly(py, || Ok(key.decrypt(bytes)?))?;
                Ok(PyBytes::new(py, &clear).into_any())
            }
        }
    }

    /// Returns the evaluation keys in the form to store and send.
    fn evaluation_keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let secret = Arc::clone(&self.inner);
        let bytes =
            abandonable(py, move || Ok(secret.seeded_evaluation_keys(&mut random()?)?.to_bytes()))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl PyTfheKey {
    fn encrypt(
        &self,
        py: Python<'_>,
        encrypted: impl FnOnce(&mut SecretRng) -> Result<Content, Refusal> + Send,
    ) -> PyResult<PyTfheValue> {
        let content = briefly(py, || encrypted(&mut random()?))?;
        Ok(PyTfheValue::new(content, self.inner.params()))
    }

    fn encrypt_integer(
        &self,
        py: Python<'_>,
        value: Clear,
        ty: ValueType,
    ) -> PyResult<PyTfheValue> {
        self.encrypt(py, |rng| Ok(Content::Integer(self.inner.encrypt_radix(ty, value, rng)?)))
    }
}
