//! Encrypted machine integers and truth values.

use crate::bytes::read;
use crate::errors::Refusal;
use crate::keys::random;
use crate::tfhe_operations::{Content, Operand, on_integers, on_truths, unknown};
use crate::work::{briefly, interruptibly};
use fathom::tfhe::integer::{Clear, FheBool, FheValue, Integers, RadixInt, ValueType};
use fathom::tfhe::{Block, ClientKey, Evaluator, Params, Policy, SeededEvaluationKeys};
use fathom::wire::{Wire, WireFresh, WireObject, WireValue};
use fathom::{Error, KeyId};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes};
use std::collections::BTreeMap;

/// The bits of an integer that a block holds.
const DIGIT_BITS: usize = 2;

/// The secret key of TFHE.
#[pyclass(frozen, module = "fathom._fathom", name = "TfheKey")]
pub struct PyTfheKey {
    inner: ClientKey,
}

/// Evaluation keys of TFHE with threads of their own, which do not survive a fork.
#[pyclass(frozen, module = "fathom._fathom", name = "TfheEvaluator", weakref)]
pub struct PyTfheEvaluator {
    inner: Integers,
    /// None for a simulation.
    key: Option<KeyId>,
    /// The keys as they are sent: what is expanded has no wire form.
    seeded: Vec<u8>,
    process: u32,
}

/// An encrypted integer or truth value.
#[pyclass(frozen, module = "fathom._fathom", name = "TfheValue")]
pub struct PyTfheValue {
    content: Content,
    params: Params,
}

/// Reads a clear integer.
fn clear(value: &Bound<'_, PyAny>) -> PyResult<Clear> {
    if !value.is_instance_of::<PyBool>() {
        if let Ok(number) = value.extract::<u128>() {
            return Ok(number.into());
        }
        if let Ok(number) = value.extract::<i128>() {
            return Ok(number.into());
        }
        if value.hasattr("__index__")? && !value.hasattr("__len__")? {
            let message = "the clear value does not fit 128 bits";
            let refusal = Refusal::new("RangeError", "clear_out_of_range", message);
            return Err(refusal.with("bits", 128_u32).into());
        }
    }
    let got = value.get_type().name()?.to_string();
    let message = format!("expected an integer, got {got}");
    let refusal = Refusal::new("KindError", "type_mismatch", message);
    Err(refusal.with("expected", "int").with("got", got).into())
}

fn params_of(bytes: &[u8]) -> Result<Params, Refusal> {
    Ok(Params::from_bytes(bytes)?)
}

#[pymethods]
impl PyTfheKey {
    #[staticmethod]
    fn generate(py: Python<'_>) -> PyResult<PyTfheKey> {
        let inner = interruptibly(py, |_| {
            let params = Params::preset(Params::INTEGERS)?;
            Ok(ClientKey::generate(&params, &mut random()?))
        })?;
        Ok(PyTfheKey { inner })
    }

    #[staticmethod]
    fn from_secret_bytes(
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<PyTfheKey> {
        let (params, bytes) = (read(params)?, read(data)?);
        let inner =
            interruptibly(py, |_| Ok(ClientKey::from_secret_bytes(&params_of(&params)?, &bytes)?))?;
        Ok(PyTfheKey { inner })
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
        self.encrypted(py, clear(value)?, ValueType::signed(bits).map_err(Refusal::from)?)
    }

    /// Encrypts an integer of so many bits that is not negative.
    fn encrypt_unsigned(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        bits: usize,
    ) -> PyResult<PyTfheValue> {
        self.encrypted(py, clear(value)?, ValueType::unsigned(bits).map_err(Refusal::from)?)
    }

    fn encrypt_truth(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<PyTfheValue> {
        let truth = value.cast::<PyBool>()?.is_true();
        let content = briefly(py, || {
            Ok(Content::Truth(self.inner.encrypt::<FheBool>(truth, &mut random()?)?))
        })?;
        Ok(PyTfheValue { content, params: self.inner.params().clone() })
    }

    /// Returns the clear value: an integer in decimal digits, or a truth value.
    fn decrypt<'py>(&self, py: Python<'py>, value: &PyTfheValue) -> PyResult<Bound<'py, PyAny>> {
        match &value.content {
            Content::Truth(truth) => {
                briefly(py, || Ok(self.inner.decrypt(truth)?))?.into_bound_py_any(py)
            }
            Content::Integer(integer) => {
                let digits = briefly(py, || Ok(self.inner.decrypt(integer)?.to_string()))?;
                digits.into_bound_py_any(py)
            }
        }
    }

    /// Returns the evaluation keys in the form to store and send.
    fn evaluation_keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = interruptibly(py, |_| {
            Ok(self.inner.seeded_evaluation_keys(&mut random()?)?.to_bytes())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl PyTfheKey {
    fn encrypted(&self, py: Python<'_>, value: Clear, ty: ValueType) -> PyResult<PyTfheValue> {
        let content = briefly(py, || {
            Ok(Content::Integer(self.inner.encrypt_radix(ty, value, &mut random()?)?))
        })?;
        Ok(PyTfheValue { content, params: self.inner.params().clone() })
    }
}

/// Refuses operands of different types.
fn other_type(a: &PyTfheValue, b: &PyTfheValue) -> Refusal {
    Error::TypeMismatch { expected: a.value_type(), got: Some(b.value_type()) }.into()
}

#[pymethods]
impl PyTfheEvaluator {
    #[new]
    fn new(
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        keys: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<PyTfheEvaluator> {
        let (params, seeded) = (read(params)?, read(keys)?);
        let (inner, key) = interruptibly(py, |_| {
            let keys = SeededEvaluationKeys::from_bytes(&params_of(&params)?, &seeded)?;
            Ok((Integers::with_keys(keys.expand()?, threads)?, keys.key_id()))
        })?;
        let (key, process) = (Some(key), std::process::id());
        Ok(PyTfheEvaluator { inner, key, seeded, process })
    }

    /// Makes an evaluator without keys, which counts bootstraps as one of so many threads does.
    #[staticmethod]
    fn simulated(threads: usize) -> Result<PyTfheEvaluator, Refusal> {
        let params = Params::preset(Params::INTEGERS)?;
        let evaluator = Evaluator::simulated(&params).with_policy(Policy::for_threads(threads));
        let (inner, process) = (Integers::new(evaluator)?, std::process::id());
        Ok(PyTfheEvaluator { inner, key: None, seeded: Vec::new(), process })
    }

    /// Stands for a fresh encryption of an integer in a simulation.
    fn simulated_integer(&self, bits: usize, signed: bool) -> Result<PyTfheValue, Refusal> {
        let kind = if signed { ValueType::signed } else { ValueType::unsigned };
        let (ty, params) = (kind(bits)?, self.inner.params());
        let digit = || Block::simulated(params.space(), 0, (0, params.message_modulus() - 1));
        let blocks = (0..bits / DIGIT_BITS).map(|_| digit()).collect();
        let content = Content::Integer(RadixInt::from_blocks(ty, blocks)?);
        Ok(PyTfheValue { content, params: params.clone() })
    }

    /// Stands for a fresh encryption of a truth value in a simulation.
    fn simulated_truth(&self) -> Result<PyTfheValue, Refusal> {
        let params = self.inner.params();
        let truth = FheBool::from_block(Block::simulated(params.space(), 0, (0, 1)))?;
        Ok(PyTfheValue { content: Content::Truth(truth), params: params.clone() })
    }

    /// Returns the number of layers so far by the number of their bootstraps.
    fn layer_sizes(&self) -> BTreeMap<u64, u64> {
        self.layers()
    }

    #[getter]
    fn params_name(&self) -> String {
        self.inner.params().name().to_owned()
    }

    #[getter]
    fn security_bits(&self) -> f64 {
        let [small, big] = self.inner.params().security_bits();
        small.min(big)
    }

    /// Returns the logarithm of the probability that a bootstrap is wrong.
    #[getter]
    fn failure_log2(&self) -> f64 {
        self.inner.params().spec().failure_log2
    }

    fn params_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.params().to_bytes())
    }

    fn keys_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.seeded)
    }

    #[getter]
    fn key_id(&self) -> Option<String> {
        self.key.map(|key| key.to_string())
    }

    /// Computes an operation of two operands, of which the second may be clear.
    fn binary(
        &self,
        py: Python<'_>,
        operation: &str,
        a: &PyTfheValue,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<PyTfheValue> {
        self.check_process()?;
        let other = b.cast::<PyTfheValue>().ok().map(Bound::get);
        let content = match (&a.content, other) {
            (Content::Integer(first), None) => {
                let second = Operand::Clear(clear(b)?);
                self.run(py, |integers| on_integers(integers, operation, first, &second))?
            }
            (Content::Truth(first), None) => {
                let second = FheBool::trivial(b.cast::<PyBool>()?.is_true());
                self.run(py, |integers| on_truths(integers, operation, first, &second))?
            }
            (
                Content::Integer(first),
                Some(PyTfheValue { content: Content::Integer(second), .. }),
            ) => {
                let second = Operand::Encrypted(second);
                self.run(py, |integers| on_integers(integers, operation, first, &second))?
            }
            (Content::Truth(first), Some(PyTfheValue { content: Content::Truth(second), .. })) => {
                self.run(py, |integers| on_truths(integers, operation, first, second))?
            }
            (_, Some(other)) => return Err(other_type(a, other).into()),
        };
        Ok(PyTfheValue { content, params: a.params.clone() })
    }

    /// Negates an integer, or inverts the bits of an integer or a truth value.
    fn unary(&self, py: Python<'_>, operation: &str, a: &PyTfheValue) -> PyResult<PyTfheValue> {
        self.check_process()?;
        let content = self.run(py, |integers| {
            Ok(match (operation, &a.content) {
                ("neg", Content::Integer(a)) => Content::Integer(integers.neg(a)?),
                ("not", Content::Integer(a)) => Content::Integer(integers.not(a)?),
                ("not", Content::Truth(a)) => Content::Truth(integers.not(a)?),
                _ => return Err(unknown(operation)),
            })
        })?;
        Ok(PyTfheValue { content, params: a.params.clone() })
    }

    /// Returns the second operand where the condition holds, and the third elsewhere.
    fn select(
        &self,
        py: Python<'_>,
        condition: &PyTfheValue,
        a: &PyTfheValue,
        b: &PyTfheValue,
    ) -> PyResult<PyTfheValue> {
        self.check_process()?;
        let content = self.run(py, |integers| {
            let Content::Truth(condition) = &condition.content else {
                return Err(unknown("where"));
            };
            Ok(match (&a.content, &b.content) {
                (Content::Integer(a), Content::Integer(b)) => {
                    Content::Integer(integers.select(condition, a, b)?)
                }
                (Content::Truth(a), Content::Truth(b)) => {
                    Content::Truth(integers.select(condition, a, b)?)
                }
                _ => return Err(other_type(a, b)),
            })
        })?;
        Ok(PyTfheValue { content, params: a.params.clone() })
    }

    /// Returns a clear integer of the type of another as a value that hides nothing.
    fn trivial(&self, like: &PyTfheValue, value: &Bound<'_, PyAny>) -> PyResult<PyTfheValue> {
        let content = match &like.content {
            Content::Integer(_) => {
                let trivial = RadixInt::trivial(like.value_type(), clear(value)?);
                Content::Integer(trivial.map_err(Refusal::from)?)
            }
            Content::Truth(_) => {
                Content::Truth(FheBool::trivial(value.cast::<PyBool>()?.is_true()))
            }
        };
        Ok(PyTfheValue { content, params: like.params.clone() })
    }
}

impl PyTfheEvaluator {
    /// Returns the parameters.
    pub fn params(&self) -> Params {
        self.inner.params().clone()
    }

    /// Returns the number of layers so far by the number of their bootstraps.
    pub fn layers(&self) -> BTreeMap<u64, u64> {
        self.inner.evaluator().layer_sizes()
    }

    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Integers) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        interruptibly(py, |token| work(&self.inner.with_cancel(token)))
    }

    /// Refuses to work in another process than the one whose threads there are.
    fn check_process(&self) -> Result<(), Refusal> {
        let (made_in, here) = (self.process, std::process::id());
        if made_in == here {
            return Ok(());
        }
        let message = format!(
            "this server was made in process {made_in}, and its threads did not survive the fork \
             to process {here}: make it after the fork, or start processes with \
             multiprocessing.get_context(\"spawn\")"
        );
        let refusal = Refusal::new("ForkError", "forked", message);
        Err(refusal.with("made_in", made_in).with("process", here))
    }
}

#[pymethods]
impl PyTfheValue {
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        truth: &str,
        trust: &str,
    ) -> PyResult<PyTfheValue> {
        let (params, bytes) = (read(params)?, read(data)?);
        briefly(py, || {
            let params = params_of(&params)?;
            let content = match (truth, trust) {
                ("bool", "fresh") => Content::Truth(FheBool::from_bytes_fresh(&params, &bytes)?),
                ("bool", _) => Content::Truth(FheBool::from_bytes(&params, &bytes)?),
                (_, "fresh") => Content::Integer(RadixInt::from_bytes_fresh(&params, &bytes)?),
                _ => Content::Integer(RadixInt::from_bytes(&params, &bytes)?),
            };
            Ok(PyTfheValue { content, params })
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = briefly(py, || {
            Ok(match &self.content {
                Content::Integer(integer) => integer.to_bytes(&self.params)?,
                Content::Truth(truth) => truth.to_bytes(&self.params)?,
            })
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn params_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.params.to_bytes())
    }

    /// Returns the name of the type: `u8`, `i16` and so on, or `bool`.
    #[getter]
    fn dtype(&self) -> String {
        let ty = self.value_type();
        match ty.bits() {
            1 => "bool".to_owned(),
            bits if ty.is_signed() => format!("i{bits}"),
            bits => format!("u{bits}"),
        }
    }
}

impl PyTfheValue {
    fn value_type(&self) -> ValueType {
        match &self.content {
            Content::Integer(integer) => integer.value_type(),
            Content::Truth(truth) => truth.value_type(),
        }
    }
}
