//! Operations on the ciphertexts of vectors.

use crate::bytes::read;
use crate::ciphertexts::Ciphertexts;
use crate::errors::Refusal;
use crate::key_plan::PyKeyPlan;
use crate::linear_map::LinearMap;
use crate::numbers::Number;
use crate::pairing::{Pairing, long, pairwise, run, with_clear};
use crate::params::{PyParams, encryption};
use crate::scheme::{AnyEvaluator, Kind, Layout, Of, each, lift, lift_all, of_reals};
use crate::simulation::{planned_bytes, stand_ins};
use crate::tally::Tally;
use crate::threads;
use crate::verbs;
use crate::work::{BRIEF_DEGREE, abandonable, briefly, interruptibly};
use fathom::Error;
use fathom::ckks::Interval;
use fathom::rlwe::{Ciphertext, EvaluationKeys, Evaluator, Level, Packed};
use fathom::wire::{Wire, WireObject};
use fathom_planner::RingOperation;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Evaluation keys, and the operations they allow. It never holds a secret key.
#[pyclass(frozen, module = "fathom._fathom", name = "Evaluator", weakref)]
pub struct PyEvaluator {
    pub(crate) inner: AnyEvaluator,
    /// The operations of a simulated evaluator, for predictions.
    tally: Option<Tally>,
}

/// Applies an operation to every ciphertext.
fn mapped<S: Kind>(
    py: Python<'_>,
    evaluator: &Evaluator<S>,
    a: &[Ciphertext<S>],
    operation: impl Fn(&Evaluator<S>, &Ciphertext<S>) -> Result<Ciphertext<S>, Error> + Sync + Send,
) -> PyResult<Vec<Ciphertext<S>>> {
    run(py, evaluator, a.len(), |evaluator| threads::map(a, |_, a| Ok(operation(evaluator, a)?)))
}

/// Returns the only ciphertext of a vector.
fn only<S: Kind>(parts: &[Ciphertext<S>]) -> Result<&Ciphertext<S>, Refusal> {
    match parts {
        [part] => Ok(part),
        _ => {
            let message = format!("expected one ciphertext, got {}", parts.len());
            Err(Refusal::new("ShapeError", "shape", message).with("got", parts.len()))
        }
    }
}

impl PyEvaluator {
    /// Returns an evaluator whose operations are not counted.
    pub(crate) fn new(inner: AnyEvaluator) -> PyEvaluator {
        PyEvaluator { inner, tally: None }
    }

    /// Returns the operations so far, which are counted if the evaluator is simulated.
    pub(crate) fn tally(&self) -> Option<&Tally> {
        self.tally.as_ref()
    }

    fn note(&self, count: impl FnOnce(&Tally)) {
        self.tally.as_ref().map(count).unwrap_or_default();
    }

    /// Counts an operation on every ciphertext of a vector.
    fn note_each(&self, operation: RingOperation, a: &Ciphertexts) {
        self.note(|tally| tally.at_once(operation, a.level(), a.__len__()));
    }

    fn pair(
        &self,
        py: Python<'_>,
        pairing: Pairing,
        a: &Ciphertexts,
        b: &Ciphertexts,
    ) -> PyResult<Ciphertexts> {
        self.note(|tally| {
            let [(low, _), (high, switched)] = {
                let mut both = [a, b].map(|one| (one.level(), one.__len__()));
                both.sort_by_key(|(level, _)| *level);
                both
            };
            if low != high {
                tally.at_once(RingOperation::ModSwitch, high, switched);
            }
            tally.at_once(pairing.operation(), low, a.__len__().max(b.__len__()));
        });
        let parts = lift_all!((&self.inner, &a.parts, &b.parts), (evaluator, a, b) => {
            pairwise(py, evaluator, pairing, a, b)?
        });
        Ok(Ciphertexts { parts })
    }

    fn clear(
        &self,
        py: Python<'_>,
        pairing: Pairing,
        a: &Ciphertexts,
        (values, period): (&Bound<'_, PyAny>, usize),
    ) -> PyResult<Ciphertexts> {
        let layout = Layout::of(period);
        let parts = lift_all!((&self.inner, &a.parts), (evaluator, a) => {
            let values: Vec<_> = Number::list(values)?;
            with_clear(py, evaluator, pairing, a, (&values, layout))?
        });
        Ok(Ciphertexts { parts })
    }
}

#[pymethods]
impl PyEvaluator {
    #[staticmethod]
    fn without_keys(params: &PyParams) -> PyEvaluator {
        PyEvaluator::new(lift!(&params.inner, params => Evaluator::without_keys(params)))
    }

    /// Makes an evaluator that computes without data and notes the keys it uses.
    #[staticmethod]
    fn simulated(py: Python<'_>, params: &PyParams) -> PyResult<PyEvaluator> {
        let params = params.inner.clone();
        let inner =
            abandonable(py, move || Ok(lift!(&params, params => Evaluator::simulated(params)?)))?;
        Ok(PyEvaluator { inner, tally: Some(Tally::default()) })
    }

    /// Returns simulated fresh encryptions of a vector of `count` values.
    fn simulated_encryption(
        &self,
        py: Python<'_>,
        count: usize,
        period: usize,
        magnitude: Option<f64>,
        encryption: &str,
    ) -> PyResult<Ciphertexts> {
        let (layout, key) = (Layout::of(period), self::encryption(encryption)?);
        let parts = briefly(py, || {
            Ok(lift!(&self.inner, evaluator => {
                stand_ins(evaluator, count, |count| {
                    Kind::stand_in(evaluator, key, layout, count, magnitude)
                })?
            }))
        })?;
        Ok(Ciphertexts { parts })
    }

    /// Returns the keys that a simulated evaluator has used so far.
    fn used_keys(&self) -> PyKeyPlan {
        PyKeyPlan { inner: each!(&self.inner, evaluator => evaluator.used_keys()) }
    }

    /// Returns the operations of a simulated evaluator so far, each with its level and its number.
    #[getter]
    fn operations(&self) -> Vec<(String, usize, u64)> {
        let counts = self.tally.as_ref().map(|tally| tally.work(1).0).unwrap_or_default();
        let named = counts.into_iter();
        named.map(|((kind, level), count)| (format!("{kind:?}"), level, count)).collect()
    }

    /// Returns the bytes of the keys that a plan names, as a simulated evaluator has them.
    fn key_bytes(&self, plan: &PyKeyPlan) -> Result<usize, Refusal> {
        each!(&self.inner, evaluator => planned_bytes(evaluator, &plan.inner))
    }

    /// Returns the parameters, which are those of a simulation for a simulated evaluator.
    #[getter]
    fn params(&self) -> PyParams {
        PyParams { inner: lift!(&self.inner, evaluator => evaluator.params().clone()) }
    }

    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        params: &PyParams,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<PyEvaluator> {
        let (bytes, params) = (read(data)?, params.inner.clone());
        let inner = abandonable(py, move || {
            Ok(lift!(&params, params => {
                Evaluator::new(EvaluationKeys::from_bytes(params, &bytes)?)
            }))
        })?;
        Ok(PyEvaluator::new(inner))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = interruptibly(py, |_| {
            Ok(each!(&self.inner, evaluator => evaluator.keys().to_bytes()))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn nbytes(&self) -> usize {
        each!(&self.inner, evaluator => evaluator.keys().byte_len())
    }

    #[getter]
    fn key_id(&self) -> Option<String> {
        each!(&self.inner, evaluator => evaluator.keys().key_id().map(|id| id.to_string()))
    }

    fn add(&self, py: Python<'_>, a: &Ciphertexts, b: &Ciphertexts) -> PyResult<Ciphertexts> {
        self.pair(py, Pairing::Sum, a, b)
    }

    fn sub(&self, py: Python<'_>, a: &Ciphertexts, b: &Ciphertexts) -> PyResult<Ciphertexts> {
        self.pair(py, Pairing::Difference, a, b)
    }

    fn mul(&self, py: Python<'_>, a: &Ciphertexts, b: &Ciphertexts) -> PyResult<Ciphertexts> {
        self.pair(py, Pairing::Product, a, b)
    }

    fn add_values(
        &self,
        py: Python<'_>,
        a: &Ciphertexts,
        values: &Bound<'_, PyAny>,
        period: usize,
    ) -> PyResult<Ciphertexts> {
        self.clear(py, Pairing::Sum, a, (values, period))
    }

    fn sub_values(
        &self,
        py: Python<'_>,
        a: &Ciphertexts,
        values: &Bound<'_, PyAny>,
        period: usize,
    ) -> PyResult<Ciphertexts> {
        self.clear(py, Pairing::Difference, a, (values, period))
    }

    fn mul_values(
        &self,
        py: Python<'_>,
        a: &Ciphertexts,
        values: &Bound<'_, PyAny>,
        period: usize,
    ) -> PyResult<Ciphertexts> {
        self.note_each(RingOperation::MulPlain, a);
        self.clear(py, Pairing::Product, a, (values, period))
    }

    /// Calls a verb of the table on every ciphertext.
    fn call(
        &self,
        py: Python<'_>,
        verb: &str,
        a: &Ciphertexts,
        numbers: &Bound<'_, PyAny>,
    ) -> PyResult<Ciphertexts> {
        let count = numbers.len()?;
        self.note(|tally| {
            let slots = each!(&self.inner, evaluator => evaluator.params().slot_count());
            verbs::note(tally, verb, a, slots, count);
        });
        let parts = lift_all!((&self.inner, &a.parts), (evaluator, a) => {
            let numbers: Vec<_> = Number::list(numbers)?;
            let work = |evaluator: &Evaluator<_>| {
                threads::map(a, |_, a| verbs::call(verb, evaluator, a, &numbers))
            };
            if verbs::is_long(verb, numbers.len()) {
                long(py, evaluator, work)?
            } else {
                run(py, evaluator, a.len(), work)?
            }
        });
        Ok(Ciphertexts { parts })
    }

    /// Evaluates a polynomial of every value, coefficients lowest first.
    fn polynomial(
        &self,
        py: Python<'_>,
        a: &Ciphertexts,
        coefficients: &Bound<'_, PyAny>,
    ) -> PyResult<Ciphertexts> {
        let degree = coefficients.len()?.saturating_sub(1);
        self.note(|tally| tally.polynomial(a.level(), a.__len__(), degree));
        let parts = lift_all!((&self.inner, &a.parts), (evaluator, a) => {
            let listed: Vec<_> = Number::list(coefficients)?;
            long(py, evaluator, |evaluator| {
                threads::map(a, |_, a| Ok(Kind::polynomial(evaluator, a, &listed)?))
            })?
        });
        Ok(Ciphertexts { parts })
    }

    /// Keeps the first `count` values of every period and fills the other slots with a number; zero
    /// stands for no period.
    fn fill_rest(
        &self,
        py: Python<'_>,
        a: &Ciphertexts,
        count: usize,
        period: usize,
        filler: f64,
    ) -> PyResult<Ciphertexts> {
        self.note_each(RingOperation::MulPlain, a);
        let (evaluator, a) = of_reals("fill_rest", &self.inner, &a.parts)?;
        let slots = evaluator.params().slot_count();
        let parts = run(py, evaluator, a.len(), |evaluator| {
            threads::map(a, |number, a| {
                let first = number * slots;
                let (count, period) = if period == 0 {
                    (count.saturating_sub(first).min(slots), slots)
                } else {
                    (count, period)
                };
                Ok(evaluator.fill_rest(a, count, period, filler)?)
            })
        })?;
        Ok(Ciphertexts { parts: Of::Ckks(parts) })
    }

    /// Computes the inverse square root of every value of an interval.
    fn inverse_sqrt(
        &self,
        py: Python<'_>,
        a: &Ciphertexts,
        low: f64,
        high: f64,
        iterations: usize,
    ) -> PyResult<Ciphertexts> {
        self.note(|tally| tally.inverse_sqrt(a.level(), a.__len__(), iterations));
        let (evaluator, a) = of_reals("inverse_sqrt", &self.inner, &a.parts)?;
        let interval = Interval::new(low, high);
        let parts = long(py, evaluator, |evaluator| {
            threads::map(a, |_, a| Ok(evaluator.inverse_sqrt(a, interval, iterations)?))
        })?;
        Ok(Ciphertexts { parts: Of::Ckks(parts) })
    }

    fn switch_to(&self, py: Python<'_>, a: &Ciphertexts, level: usize) -> PyResult<Ciphertexts> {
        let parts = lift_all!((&self.inner, &a.parts), (evaluator, a) => {
            let level = Level::new(level);
            mapped(py, evaluator, a, move |evaluator, a| evaluator.mod_switch_to(a, level))?
        });
        Ok(Ciphertexts { parts })
    }

    /// Adds up the ciphertexts, slot by slot.
    fn fold(&self, py: Python<'_>, a: &Ciphertexts) -> PyResult<Ciphertexts> {
        self.note(|tally| {
            tally.in_a_row(RingOperation::Add, a.level(), a.__len__().saturating_sub(1));
        });
        let parts = lift_all!((&self.inner, &a.parts), (evaluator, a) => {
            vec![run(py, evaluator, a.len(), |evaluator| Ok(evaluator.sum(a)?))?]
        });
        Ok(Ciphertexts { parts })
    }

    /// Multiplies two vectors and adds up the products of the ciphertexts, slot by slot.
    fn dot(&self, py: Python<'_>, a: &Ciphertexts, b: &Ciphertexts) -> PyResult<Ciphertexts> {
        self.note(|tally| {
            let level = a.level().min(b.level());
            tally.in_a_row(RingOperation::Mul, level, 1);
            tally.in_a_row(RingOperation::Tensor, level, a.__len__().saturating_sub(1));
        });
        let parts = lift_all!((&self.inner, &a.parts, &b.parts), (evaluator, a, b) => {
            vec![run(py, evaluator, a.len(), |evaluator| Ok(evaluator.dot(a, b)?))?]
        });
        Ok(Ciphertexts { parts })
    }

    /// Adds up all slots of one ciphertext, or the slots of every period; zero stands for none.
    fn sum_slots(&self, py: Python<'_>, a: &Ciphertexts, period: usize) -> PyResult<Ciphertexts> {
        self.note(|tally| {
            let slots = each!(&self.inner, evaluator => evaluator.params().slot_count());
            tally.sum_slots(a.level(), if period == 0 { slots } else { period });
        });
        let parts = lift_all!((&self.inner, &a.parts), (evaluator, a) => {
            let a = only(a)?;
            let work = |evaluator: &Evaluator<_>| Ok(match Layout::of(period) {
                Layout::Once => evaluator.sum_slots(a)?,
                Layout::Repeated(period) => evaluator.sum_rotations(a, period)?,
            });
            vec![if evaluator.params().degree() > BRIEF_DEGREE {
                long(py, evaluator, work)?
            } else {
                briefly(py, || work(evaluator))?
            }]
        });
        Ok(Ciphertexts { parts })
    }

    /// Rotates the slots of one ciphertext to the left.
    fn rotate(&self, py: Python<'_>, a: &Ciphertexts, steps: i64) -> PyResult<Ciphertexts> {
        self.note(|tally| tally.rotation(a.level(), steps));
        let parts = lift_all!((&self.inner, &a.parts), (evaluator, a) => {
            let a = only(a)?;
            vec![briefly(py, || Ok(evaluator.rotate_composed(a, steps)?))?]
        });
        Ok(Ciphertexts { parts })
    }

    /// Prepares a matrix that multiplies vectors at a level.
    fn linear_map(
        &self,
        py: Python<'_>,
        rows: Vec<Bound<'_, PyAny>>,
        level: usize,
    ) -> PyResult<LinearMap> {
        let inner = lift!(&self.inner, evaluator => {
            let rows = rows.iter().map(Number::list).collect::<PyResult<Vec<_>>>()?;
            let params = evaluator.params().clone();
            abandonable(py, move || Ok(Kind::map(&params, &rows, Level::new(level))?))?
        });
        Ok(LinearMap { inner })
    }

    /// Multiplies by a prepared matrix.
    fn transform(&self, py: Python<'_>, map: &LinearMap, a: &Ciphertexts) -> PyResult<Ciphertexts> {
        self.note(|tally| tally.at_once(map.operation(), a.level(), 1));
        let parts = lift_all!((&self.inner, &map.inner, &a.parts), (evaluator, map, a) => {
            let operand = Packed::assume(map.size(), only(a)?.clone());
            vec![long(py, evaluator, |evaluator| {
                Ok(evaluator.transform(map, &operand)?.into_value())
            })?]
        });
        Ok(Ciphertexts { parts })
    }
}
