//! Operations on encrypted wide integers.

use super::integers::{read_element, read_public};
use super::params::PyWideParams;
use super::value::PyWideValue;
use super::{Of, each, lift, unknown};
use crate::bytes::read;
use crate::errors::Refusal;
use crate::work::{BRIEF_DEGREE, briefly, interruptibly};
use fathom::wide::{
    Ciphertext, EvaluationKeys, Evaluator, Integer, Vector, VectorEvaluator, VectorKeys,
};
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

    /// Calls `work` with the evaluator, so that Ctrl-C ends it if it takes long: what switches keys
    /// in a large ring, and sums of the elements of a vector.
    fn compute(
        &self,
        py: Python<'_>,
        operation: &str,
        work: impl FnOnce(&Of<Evaluator, VectorEvaluator>) -> Result<Computed, Refusal> + Send,
    ) -> PyResult<PyWideValue> {
        let is_large = each!(&self.keys, keys => keys.params().degree()) > BRIEF_DEGREE;
        let inner =
            if operation != "sum" && (!is_large || matches!(operation, "add" | "sub" | "neg")) {
                briefly(py, || work(&self.inner))?
            } else {
                interruptibly(py, |token| {
                    work(&lift!(&self.inner, evaluator => evaluator.with_cancel(token)))
                })?
            };
        Ok(PyWideValue { inner })
    }
}

/// The result of an operation.
type Computed = Of<Ciphertext, Vector<i128>>;

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
        self.compute(py, operation, |evaluator| {
            Ok(match (evaluator, &a.inner, &b.inner) {
                (Of::Integers(evaluator), Of::Integers(a), Of::Integers(b)) => {
                    Of::Integers(computed!(evaluator, a, b))
                }
                (Of::Vectors(evaluator), Of::Vectors(a), Of::Vectors(b)) => {
                    Of::Vectors(computed!(evaluator, a, b))
                }
                _ => return Err(unknown(operation)),
            })
        })
    }

    /// Computes an operation of one operand: its negative or its square, or the sum of a vector.
    fn unary(&self, py: Python<'_>, operation: &str, a: &PyWideValue) -> PyResult<PyWideValue> {
        self.compute(py, operation, |evaluator| {
            Ok(match (evaluator, &a.inner, operation) {
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
        })
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
        let operand = Clear::read(&a.inner, b)?;
        self.compute(py, operation, |evaluator| {
            Ok(match (evaluator, &a.inner, operand) {
                (Of::Integers(evaluator), Of::Integers(a), Clear::Integer(integer, bits)) => {
                    let message = a.params().encode_within(integer, bits)?;
                    Of::Integers(match operation {
                        "add" => evaluator.add_plain(a, &message)?,
                        "sub" => evaluator.sub_plain(a, &message)?,
                        "mul" => evaluator.mul_plain(a, &message.to_multiplicand())?,
                        _ => return Err(unknown(operation)),
                    })
                }
                (Of::Vectors(evaluator), Of::Vectors(a), Clear::Elements(b)) => {
                    Of::Vectors(computed!(evaluator, a, &b, add_plain, sub_plain, mul_plain))
                }
                (Of::Vectors(evaluator), Of::Vectors(a), Clear::Element(b)) => {
                    Of::Vectors(computed!(evaluator, a, b, add_scalar, sub_scalar, mul_scalar))
                }
                _ => return Err(unknown(operation)),
            })
        })
    }
}

/// A clear operand.
enum Clear {
    /// An integer with its bits, for a single one.
    Integer(Integer, u32),
    /// An integer for every element of a vector.
    Element(i128),
    /// One integer for each element of a vector.
    Elements(Vec<i128>),
}

impl Clear {
    /// Reads an operand of the form that the encrypted one has.
    fn read(beside: &Computed, value: &Bound<'_, PyAny>) -> PyResult<Clear> {
        Ok(match beside {
            Of::Integers(_) => {
                let (integer, bits) = read_public(value)?;
                Clear::Integer(integer, bits)
            }
            Of::Vectors(_) if value.hasattr("__len__")? => {
                let elements = value.try_iter()?.map(|item| read_element(&item?));
                Clear::Elements(elements.collect::<PyResult<_>>()?)
            }
            Of::Vectors(_) => Clear::Element(read_element(value)?),
        })
    }
}
