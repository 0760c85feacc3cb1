//! Operations on encrypted wide integers.

use super::integers::{read_element, read_public};
use super::params::PyWideParams;
use super::value::PyWideValue;
use super::{Of, each, lift, unknown};
use crate::bytes::read;
use crate::work::briefly;
use fathom::wide::{EvaluationKeys, Evaluator, VectorEvaluator, VectorKeys};
use fathom::wire::{Wire, WireObject};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Evaluation keys of wide integers.
#[pyclass(frozen, module = "fathom._fathom", name = "WideEvaluator", weakref)]
pub struct PyWideEvaluator {
    inner: Of<Evaluator, VectorEvaluator>,
    keys: Of<EvaluationKeys, VectorKeys>,
}

impl PyWideEvaluator {
    /// Returns the operations under keys.
    pub fn new(keys: Of<EvaluationKeys, VectorKeys>) -> PyWideEvaluator {
        let inner = match &keys {
            Of::Integers(keys) => Of::Integers(Evaluator::new(keys.clone())),
            Of::Vectors(keys) => Of::Vectors(VectorEvaluator::new(keys)),
        };
        PyWideEvaluator { inner, keys }
    }
}

#[pymethods]
impl PyWideEvaluator {
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        params: &PyWideParams,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<PyWideEvaluator> {
        let bytes = read(data)?;
        let keys =
            briefly(py, || Ok(lift!(&params.inner, params => Wire::from_bytes(params, &bytes)?)))?;
        Ok(PyWideEvaluator::new(keys))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = briefly(py, || Ok(each!(&self.keys, keys => keys.to_bytes())))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn params(&self) -> PyWideParams {
        PyWideParams { inner: lift!(&self.keys, keys => keys.params().clone()) }
    }

    #[getter]
    fn nbytes(&self) -> usize {
        each!(&self.keys, keys => keys.byte_len())
    }

    #[getter]
    fn key_id(&self) -> Option<String> {
        each!(&self.keys, keys => keys.key_id().map(|key| key.to_string()))
    }

    /// Computes an operation of two encrypted operands.
    fn binary(
        &self,
        py: Python<'_>,
        operation: &str,
        a: &PyWideValue,
        b: &PyWideValue,
    ) -> PyResult<PyWideValue> {
        macro_rules! computed {
            ($evaluator:ident, $a:ident, $b:ident) => {
                match operation {
                    "add" => $evaluator.add($a, $b)?,
                    "sub" => $evaluator.sub($a, $b)?,
                    "mul" => $evaluator.mul($a, $b)?,
                    _ => return Err(unknown(operation)),
                }
            };
        }
        let inner = briefly(py, || {
            Ok(match (&self.inner, &a.inner, &b.inner) {
                (Of::Integers(evaluator), Of::Integers(a), Of::Integers(b)) => {
                    Of::Integers(computed!(evaluator, a, b))
                }
                (Of::Vectors(evaluator), Of::Vectors(a), Of::Vectors(b)) => {
                    Of::Vectors(computed!(evaluator, a, b))
                }
                _ => return Err(unknown(operation)),
            })
        })?;
        Ok(PyWideValue { inner })
    }

    /// Computes an operation of one operand: its negative or its square, or the sum of a vector.
    fn unary(&self, py: Python<'_>, operation: &str, a: &PyWideValue) -> PyResult<PyWideValue> {
        let inner = briefly(py, || {
            Ok(match (&self.inner, &a.inner, operation) {
                (Of::Integers(evaluator), Of::Integers(a), "neg") => {
                    Of::Integers(evaluator.neg(a)?)
                }
                (Of::Integers(evaluator), Of::Integers(a), "square") => {
                    Of::Integers(evaluator.square(a)?)
                }
                (Of::Vectors(evaluator), Of::Vectors(a), "neg") => Of::Vectors(evaluator.neg(a)?),
                (Of::Vectors(evaluator), Of::Vectors(a), "square") => {
                    Of::Vectors(evaluator.square(a)?)
                }
                (Of::Vectors(evaluator), Of::Vectors(a), "sum") => {
                    Of::Vectors(evaluator.sum_slots(a)?)
                }
                _ => return Err(unknown(operation)),
            })
        })?;
        Ok(PyWideValue { inner })
    }

    /// Computes an operation with a clear integer, or with as many as a vector has elements.
    fn clear(
        &self,
        py: Python<'_>,
        operation: &str,
        a: &PyWideValue,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<PyWideValue> {
        macro_rules! computed {
            ($evaluator:ident, $a:ident, $b:expr, $add:ident, $sub:ident, $mul:ident) => {
                match operation {
                    "add" => $evaluator.$add($a, $b)?,
                    "sub" => $evaluator.$sub($a, $b)?,
                    "mul" => $evaluator.$mul($a, $b)?,
                    _ => return Err(unknown(operation)),
                }
            };
        }
        let inner = match (&self.inner, &a.inner) {
            (Of::Integers(evaluator), Of::Integers(a)) => {
                let (integer, bits) = read_public(b)?;
                briefly(py, || {
                    let message = a.params().encode_within(integer, bits)?;
                    Ok(Of::Integers(match operation {
                        "add" => evaluator.add_plain(a, &message)?,
                        "sub" => evaluator.sub_plain(a, &message)?,
                        "mul" => evaluator.mul_plain(a, &message.to_multiplicand())?,
                        _ => return Err(unknown(operation)),
                    }))
                })?
            }
            (Of::Vectors(evaluator), Of::Vectors(a)) if b.hasattr("__len__")? => {
                let elements = b.try_iter()?.map(|item| read_element(&item?));
                let b = elements.collect::<PyResult<Vec<i128>>>()?;
                briefly(py, || {
                    Ok(Of::Vectors(computed!(evaluator, a, &b, add_plain, sub_plain, mul_plain)))
                })?
            }
            (Of::Vectors(evaluator), Of::Vectors(a)) => {
                let b = read_element(b)?;
                briefly(py, || {
                    Ok(Of::Vectors(computed!(evaluator, a, b, add_scalar, sub_scalar, mul_scalar)))
                })?
            }
            _ => return Err(unknown(operation).into()),
        };
        Ok(PyWideValue { inner })
    }
}
