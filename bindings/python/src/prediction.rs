//! Predictions of time, from unit costs of this machine that are measured where they are missing.

use crate::errors::Refusal;
use crate::evaluator::PyEvaluator;
use crate::params::PyParams;
use crate::scheme::Of;
use crate::tfhe::PyTfheEvaluator;
use crate::work::abandonable;
use fathom::Error;
use fathom_planner::{
    BootstrapWork, Fingerprint, RingParams, RingWork, UnitCosts, measure_ring, measure_tfhe,
    predict_ring as ring, predict_tfhe,
};
use pyo3::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The unit costs that are known now, and a prediction, as JSON.
type Predicted = (String, String);

/// Returns the unit costs of this machine that a text holds.
fn known((cpu, engine): (String, String), text: Option<&str>) -> UnitCosts {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (isa, caches, isa_used) = (Vec::new(), BTreeMap::new(), String::new());
    let here = Fingerprint { cpu, cores, isa, caches, ram_bytes: None, isa_used, engine };
    let read = text.and_then(|text| UnitCosts::from_json(text, &here));
    read.unwrap_or_else(|| UnitCosts::new(here))
}

/// Returns a refusal of the prediction.
fn unpredicted(scheme: &str) -> Refusal {
    let message = format!("{scheme} has no unit costs, so that its time is not predicted");
    Refusal::new("KindError", "no_unit_costs", message)
}

/// Predicts the operations of a simulated evaluator on vectors; `sizes` are the ciphertexts of the
/// inputs and of the results, the keys, the bytes of all keys, and those of the inputs and results.
#[pyfunction]
pub fn predict_ring(
    py: Python<'_>,
    machine: (String, String),
    text: Option<String>,
    params: &PyParams,
    evaluator: &PyEvaluator,
    threads: usize,
    sizes: [u64; 6],
) -> PyResult<Predicted> {
    let params = params.inner.clone();
    let uncounted = || Refusal::from(Error::Simulated { operation: "an evaluator with keys" });
    let (counts, spans) = evaluator.tally().ok_or_else(uncounted)?.work(threads);
    abandonable(py, move || {
        let (params, name, security_bits) = match &params {
            Of::Bfv(found) => {
                (RingParams::Bfv(found.clone()), found.name(), found.assessment().classical_bits)
            }
            Of::Ckks(found) => {
                (RingParams::Ckks(found.clone()), found.name(), found.assessment().classical_bits)
            }
            Of::Bgv(_) => return Err(unpredicted("bgv")),
        };
        let [encrypted, results, keys, key_bytes, upload_bytes, download_bytes] = sizes;
        let (joins, transforms) = (0, 0);
        let work = RingWork {
            params,
            counts,
            spans,
            joins,
            transforms,
            encrypted,
            results,
            keys,
            key_bytes,
            bootstrapping_key_bytes: 0,
            upload_bytes,
            download_bytes,
        };
        let mut costs = known(machine, text.as_deref());
        let of = measure_ring::name(&work.params);
        let wanted: BTreeSet<_> = work.counts.keys().copied().collect();
        let missing = costs.ring(&of, threads).is_none_or(|costs| {
            wanted.iter().any(|&(operation, level)| costs.time_ns(operation, level).is_none())
        });
        if missing {
            costs.insert_ring(measure_ring::measure(&work.params, threads, &wanted, &mut |_| ())?);
        }
        let measured = costs.ring(&of, threads).ok_or_else(|| unpredicted(&of))?;
        let predicted = ring(&work, measured, name.to_owned(), security_bits);
        described(&costs, &predicted.ok_or_else(|| unpredicted(&of))?)
    })
}

/// Predicts layers of bootstraps; `blocks` are those of the inputs and of the results, and the
/// number of values of the results.
#[pyfunction]
pub fn predict_typed(
    py: Python<'_>,
    machine: (String, String),
    text: Option<String>,
    evaluator: &PyTfheEvaluator,
    threads: usize,
    blocks: [u64; 3],
) -> PyResult<Predicted> {
    let (params, layers) = (evaluator.params().clone(), evaluator.layers());
    abandonable(py, move || {
        let [encrypted_blocks, result_blocks, result_values] = blocks;
        let security_bits = params.security_bits().into_iter().fold(f64::INFINITY, f64::min);
        let failure = params.spec().failure_log2;
        let name = params.name().to_owned();
        let mut costs = known(machine, text.as_deref());
        if costs.tfhe(&name, threads).is_none() {
            costs.insert_tfhe(measure_tfhe::measure(&params, threads, 0, &mut |_| ())?);
        }
        let work = BootstrapWork { params, layers, encrypted_blocks, result_blocks, result_values };
        let measured = costs.tfhe(&name, threads).ok_or_else(|| unpredicted(&name))?;
        described(&costs, &predict_tfhe(&work, 1, measured, security_bits, Some(failure)))
    })
}

fn described(
    costs: &UnitCosts,
    prediction: &fathom_planner::Prediction,
) -> Result<Predicted, Refusal> {
    let text = serde_json::to_string(prediction)
        .map_err(|error| Refusal::new("InternalError", "json", error.to_string()))?;
    Ok((costs.to_json(), text))
}
