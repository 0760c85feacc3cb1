//! The compiled half of the Python package `fathom`: thin classes around the objects of the
//! library. The public face, with operators, ranges and frames, is Python: `python/fathom`.
//!
//! Classes are frozen and hold no generator of random numbers and no secret but that of a key. Work
//! runs without the interpreter's lock, panics become `InternalError`, and Ctrl-C ends what takes
//! long.
#![deny(unsafe_code)]

mod arrow;
mod bytes;
mod ciphertexts;
mod circuit;
mod columns;
mod errors;
mod evaluator;
mod key_plan;
mod keys;
mod linear_map;
mod numbers;
mod pairing;
mod params;
mod prediction;
mod scheme;
mod simulation;
mod tally;
mod tfhe;
mod threads;
mod verbs;
mod wide;
mod words;
mod work;

use pyo3::prelude::*;

/// Sets the number of threads that vectors of several ciphertexts take.
#[pyfunction]
fn set_threads(threads: usize) -> PyResult<()> {
    Ok(threads::set_count(threads)?)
}

/// Returns the number of threads that vectors of several ciphertexts take.
#[pyfunction]
fn thread_count() -> usize {
    threads::count()
}

/// Returns the least and the greatest of some integers, which are zero if there are none.
#[pyfunction]
fn extent(values: &Bound<'_, PyAny>) -> PyResult<(i64, i64)> {
    let values: Vec<i64> = numbers::Number::list(values)?;
    let low = values.iter().min().copied().unwrap_or_default();
    Ok((low, values.iter().max().copied().unwrap_or_default()))
}

/// Returns a message of the library in the words of the package, for the test of all of them.
#[pyfunction]
fn in_python(text: &str) -> String {
    words::in_python(text)
}

/// Panics within a guarded call, so that tests see what becomes of it.
#[pyfunction]
#[expect(clippy::panic, reason = "it is the purpose")]
fn provoke_panic(py: Python<'_>) -> PyResult<()> {
    work::briefly(py, || panic!("provoked"))
}

#[pymodule]
mod _fathom {
    #[pymodule_export]
    use super::ciphertexts::Ciphertexts;
    #[pymodule_export]
    use super::circuit::plan_reals;
    #[pymodule_export]
    use super::columns::{
        PyAnswer, PyColumnServer, PyEncryptedTable, PyRows, PyTableKey, check_schema, join_results,
        plan_columns, table_metadata,
    };
    #[pymodule_export]
    use super::evaluator::PyEvaluator;
    #[pymodule_export]
    use super::key_plan::PyKeyPlan;
    #[pymodule_export]
    use super::keys::{PyPublicKey, PySecretKey};
    #[pymodule_export]
    use super::linear_map::LinearMap;
    #[pymodule_export]
    use super::params::PyParams;
    #[pymodule_export]
    use super::prediction::{predict_ring, predict_typed};
    #[pymodule_export]
    use super::tfhe::{PyTfheEvaluator, PyTfheKey, PyTfheValue};
    #[pymodule_export]
    use super::verbs::verb_work;
    #[pymodule_export]
    use super::wide::{PyWideEvaluator, PyWideKey, PyWideParams, PyWidePublicKey, PyWideValue};
    #[pymodule_export]
    use super::{extent, in_python, provoke_panic, set_threads, thread_count};
}
