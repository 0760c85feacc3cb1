//! Parameters for a circuit that Python states as a function.

use crate::ciphertexts::Ciphertexts;
use crate::errors::Refusal;
use crate::evaluator::PyEvaluator;
use crate::params::{PyParams, level};
use crate::scheme::{Of, other_scheme};
use fathom::rlwe::Level;
use fathom::{Error, ckks};
use pyo3::prelude::*;
use std::cell::RefCell;

/// Returns the smallest parameters of real numbers under which a circuit keeps a precision.
///
/// The circuit is called with simulated evaluators and returns the ciphertexts of its results.
#[pyfunction]
#[pyo3(signature = (circuit, *, precision, magnitude, security))]
pub fn plan_reals(
    circuit: &Bound<'_, PyAny>,
    precision: f64,
    magnitude: f64,
    security: u32,
) -> PyResult<PyParams> {
    let security = level(security)?;
    let raised: RefCell<Option<PyErr>> = RefCell::new(None);
    let run = |evaluator: &ckks::Evaluator| {
        let simulated = PyEvaluator::new(Of::Ckks(evaluator.clone()));
        called(circuit, simulated).map_err(|exception| {
            let reason = reason(circuit.py(), &exception);
            raised.replace(Some(exception));
            reason
        })
    };
    let planned = ckks::Params::for_circuit(run, precision, security);
    let planned = planned.map(|plan| plan.params().spec().clone());
    let params = planned.and_then(|spec| ckks::Params::new(ckks::Spec { magnitude, ..spec }));
    match (params, raised.into_inner()) {
        (Ok(params), _) => Ok(PyParams { inner: Of::Ckks(params) }),
        (Err(Error::Cancelled), Some(exception)) => Err(exception),
        (Err(error), cause) => {
            let exception = PyErr::from(Refusal::from(error));
            exception.set_cause(circuit.py(), cause);
            Err(exception)
        }
    }
}

/// Calls a circuit and returns the ciphertexts of all its results.
fn called(
    circuit: &Bound<'_, PyAny>,
    simulated: PyEvaluator,
) -> PyResult<Vec<fathom::ckks::Ciphertext>> {
    let results: Vec<Bound<'_, Ciphertexts>> = circuit.call1((simulated,))?.extract()?;
    let mut all = Vec::new();
    for result in &results {
        match &result.get().parts {
            Of::Ckks(parts) => all.extend(parts.iter().cloned()),
            other => return Err(other_scheme(&["ckks", other.name()]).into()),
        }
    }
    Ok(all)
}

/// Returns what an exception means for the search: that the parameters are too small, for which a
/// level that they do not have stands, or that the search is to end.
fn reason(py: Python<'_>, exception: &PyErr) -> Error {
    let value = exception.value(py);
    let code: Option<String> = value.getattr("code").and_then(|code| code.extract()).ok();
    let of_size = code.is_some_and(|code| OF_SIZE.contains(&code.as_str()));
    if of_size {
        Error::NoSuchLevel { from: Level::new(0), to: Level::new(1) }
    } else {
        Error::Cancelled
    }
}

/// Codes of refusals that larger parameters may avoid.
const OF_SIZE: [&str; 10] = [
    "noise_exhausted",
    "precision_exhausted",
    "no_such_level",
    "mismatch",
    "out_of_reach",
    "below_one",
    "too_large",
    "too_many_values",
    "shape",
    "count",
];
