//! Secret and public keys of BFV, BGV and CKKS.
//!
//! No key holds a generator of random numbers: every call makes one from the operating system, so
//! that the two sides of a fork never draw the same masks.

use crate::bytes::read;
use crate::ciphertexts::Ciphertexts;
use crate::errors::Refusal;
use crate::evaluator::PyEvaluator;
use crate::key_plan::PyKeyPlan;
use crate::numbers::{Number, to_buffer};
use crate::params::PyParams;
use crate::scheme::{AnyPublic, AnySecret, Kind, Layout, each, each_all, lift};
use crate::threads;
use crate::work::{abandonable, briefly, by_count, go_on};
use fathom::rlwe::RowSwap::{With, Without};
use fathom::rlwe::{Ciphertext, Evaluator, Params, PublicKey, Rotations, SecretKey};
use fathom::wire::{Wire, WireObject};
use fathom::{CancelToken, Error, SecretRng, ckks};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// A secret key.
#[pyclass(frozen, module = "fathom._fathom", name = "SecretKey")]
pub struct PySecretKey {
    inner: Arc<AnySecret>,
}

/// A public key, which encrypts.
#[pyclass(frozen, module = "fathom._fathom", name = "PublicKey")]
pub struct PyPublicKey {
    inner: AnyPublic,
}

/// The outcome of an encryption.
type Encryption<S> = Result<Ciphertext<S>, Error>;

/// Makes a generator from the operating system.
pub fn random() -> Result<SecretRng, Refusal> {
    SecretRng::from_os()
        .map_err(|error| Refusal::new("ResourceError", "entropy", error.to_string()))
}

/// Returns the number of rows of slots.
fn rows<S: Kind>(_: &Params<S>) -> usize {
    S::ROWS
}

/// Values to be encrypted, and their order in the slots.
struct Message<'a, V> {
    values: &'a [V],
    layout: Layout,
    magnitude: Option<f64>,
}

impl<V: Number> Message<'_, V> {
    /// Encrypts the values of each ciphertext with `encrypt`.
    fn encrypted<S: Kind<Value = V>>(
        &self,
        params: &Params<S>,
        token: &CancelToken,
        encrypt: impl Fn(&S::Plaintext, &mut SecretRng) -> Encryption<S> + Sync + Send,
    ) -> Result<Vec<Ciphertext<S>>, Refusal> {
        let slots = S::slot_count(params);
        let parts: Vec<&[V]> = match self.values {
            [] => vec![&[]],
            values => values.chunks(slots).collect(),
        };
        threads::map(&parts, |number, part| {
            go_on(token)?;
            let encoded = S::encoded(params, part, self.layout, self.magnitude);
            let message = encoded.map_err(|error| at_index(error, number * slots))?;
            Ok(encrypt(&message, &mut random()?)?)
        })
    }
}

/// Refuses integers outside of the stated range.
fn check_bounds<N: Number>(values: &[N], bounds: Option<(i64, i64)>) -> Result<(), Refusal> {
    let Some((low, high)) = bounds else { return Ok(()) };
    match values.iter().position(|value| !value.is_within(low, high)) {
        Some(index) => {
            let (low, high) = (low.into(), high.into());
            Err(Error::ValueOutOfRange { index, low, high }.into())
        }
        None => Ok(()),
    }
}

/// Adds the number of values before those of a ciphertext to the position in a refusal.
fn at_index(mut error: Error, first: usize) -> Error {
    if let Error::ValueOutOfRange { index, .. }
    | Error::MagnitudeExceeded { index, .. }
    | Error::CkksDomain(ckks::DomainError::NotFinite { index, .. }) = &mut error
    {
        *index += first;
    }
    error
}

/// Encrypts values with either key.
macro_rules! encrypted {
    ($py:expr, $key:expr, $values:expr, $layout:expr, $bounds:expr, $magnitude:expr) => {{
        let parts = lift!($key, key => {
            let values: Vec<_> = Number::list($values)?;
            check_bounds(&values, $bounds)?;
            let message = Message { values: &values, layout: $layout, magnitude: $magnitude };
            by_count($py, values.len() / Kind::slot_count(key.params()), |token| {
                message.encrypted(key.params(), token, |message, rng| key.encrypt(message, rng))
            })?
        });
        Ok(Ciphertexts { parts })
    }};
}

/// Decrypts vectors, with the bound on the error of every value.
fn decrypted<S: Kind>(
    secret: &SecretKey<S>,
    parts: &[Ciphertext<S>],
    count: usize,
    token: &CancelToken,
) -> Result<(Vec<S::Value>, f64), Refusal> {
    let read = threads::map(parts, |_, part| {
        go_on(token)?;
        let message = secret.decrypt(part)?;
        Ok((S::decode(&message)?, S::error_bound(&message)))
    })?;
    let error = read.iter().map(|(_, error)| *error).fold(0.0, f64::max);
    Ok((read.into_iter().flat_map(|(values, _)| values).take(count).collect(), error))
}

#[pymethods]
impl PySecretKey {
    #[staticmethod]
    fn generate(py: Python<'_>, params: &PyParams) -> PyResult<PySecretKey> {
        let params = params.inner.clone();
        let inner = abandonable(py, move || {
            let mut rng = random()?;
            Ok(lift!(&params, params => SecretKey::generate(params, &mut rng)))
        })?;
        Ok(PySecretKey { inner: Arc::new(inner) })
    }

    #[staticmethod]
    fn from_secret_bytes(
        py: Python<'_>,
        params: &PyParams,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<PySecretKey> {
        let bytes = read(data)?;
        let inner = briefly(py, || {
            Ok(lift!(&params.inner, params => SecretKey::from_secret_bytes(params, &bytes)?))
        })?;
        Ok(PySecretKey { inner: Arc::new(inner) })
    }

    fn to_secret_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        each!(&*self.inner, secret => PyBytes::new(py, &secret.to_secret_bytes()))
    }

    #[getter]
    fn id(&self) -> String {
        each!(&*self.inner, secret => secret.id().to_string())
    }

    fn encrypt(
        &self,
        py: Python<'_>,
        values: &Bound<'_, PyAny>,
        period: usize,
        bounds: Option<(i64, i64)>,
        magnitude: Option<f64>,
    ) -> PyResult<Ciphertexts> {
        encrypted!(py, &*self.inner, values, Layout::of(period), bounds, magnitude)
    }

    /// Returns the bytes of the values, eight for each, and the bound on their errors.
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        parts: &Ciphertexts,
        count: usize,
    ) -> PyResult<(Bound<'py, PyBytes>, f64)> {
        each_all!((&*self.inner, &parts.parts), (secret, parts) => {
            let opened = by_count(py, parts.len(), |token| decrypted(secret, parts, count, token));
            let (values, error) = opened?;
            Ok((to_buffer(py, &values)?, error))
        })
    }

    fn public_key(&self, py: Python<'_>) -> PyResult<PyPublicKey> {
        let secret = Arc::clone(&self.inner);
        let inner = abandonable(py, move || {
            let mut rng = random()?;
            Ok(lift!(&*secret, secret => secret.public_key(&mut rng)))
        })?;
        Ok(PyPublicKey { inner })
    }

    /// Makes the keys of an evaluator: for products and for these rotations, and with them for the
    /// sum of both rows of slots where there are two.
    fn evaluator(&self, py: Python<'_>, steps: Vec<i64>) -> PyResult<PyEvaluator> {
        let secret = Arc::clone(&self.inner);
        let inner = abandonable(py, move || {
            let mut rng = random()?;
            let swapped = |rows| if rows == 2 && !steps.is_empty() { With } else { Without };
            Ok(lift!(&*secret, secret => {
                let row_swap = swapped(rows(secret.params()));
                let wanted = Rotations { steps: steps.clone(), row_swap };
                Evaluator::new(secret.evaluation_keys(&wanted, &mut rng)?)
            }))
        })?;
        Ok(PyEvaluator::new(inner))
    }

    /// Makes the keys of an evaluator that a plan names, each for its level and below.
    fn planned_evaluator(&self, py: Python<'_>, plan: &PyKeyPlan) -> PyResult<PyEvaluator> {
        let (secret, plan) = (Arc::clone(&self.inner), plan.inner.clone());
        let inner = abandonable(py, move || {
            let mut rng = random()?;
            Ok(lift!(&*secret, secret => Evaluator::new(secret.keys_for(&plan, &mut rng)?)))
        })?;
        Ok(PyEvaluator::new(inner))
    }
}

#[pymethods]
impl PyPublicKey {
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        params: &PyParams,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<PyPublicKey> {
        let bytes = read(data)?;
        let inner = briefly(py, || {
            Ok(lift!(&params.inner, params => PublicKey::from_bytes(params, &bytes)?))
        })?;
        Ok(PyPublicKey { inner })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &each!(&self.inner, public => public.to_bytes()))
    }

    #[getter]
    fn key_id(&self) -> String {
        each!(&self.inner, public => public.key_id().to_string())
    }

    fn encrypt(
        &self,
        py: Python<'_>,
        values: &Bound<'_, PyAny>,
        period: usize,
        bounds: Option<(i64, i64)>,
        magnitude: Option<f64>,
    ) -> PyResult<Ciphertexts> {
        encrypted!(py, &self.inner, values, Layout::of(period), bounds, magnitude)
    }
}
