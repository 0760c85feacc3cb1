//! Rows of the testbed's own results, judged by the same rules as published ones.

use std::collections::BTreeMap;

use fathom_cases::record::{Case, Status};
use fathom_cases::stats::without_severe_outliers;
use fathom_drivers::ops::SchemeKind;
use fathom_drivers::protocol::ParamsInfo;

use super::table::Row;
use super::unit::Unit;

/// Returns the verified cases as rows, with their parameters; the line of a row is that of its case
/// in the file.
pub fn rows(cases: &[Case]) -> Vec<Row> {
    let verified = |(_, case): &(usize, &Case)| case.verify.status == Status::Ok;
    cases
        .iter()
        .enumerate()
        .filter(verified)
        .filter_map(|(index, case)| row(index + 2, case))
        .collect()
}

fn row(line: usize, case: &Case) -> Option<Row> {
    let (mean, deviation, unit, n) = match (&case.time_ns, case.op.as_str()) {
        (Some(time), _) => {
            let (mean, deviation) = without_severe_outliers(&time.samples);
            (mean, deviation, Unit::Nanoseconds, time.n as u64)
        }
        (None, "ct_size_bytes") => (case.bytes.ct_in? as f64, 0.0, Unit::Bytes, 1),
        (None, _) => return None,
    };
    let (name, lane) = case.id.split_once('?').unwrap_or((&case.id, ""));
    let mut parts = name.split('/');
    let (library, set) = (parts.next()?, parts.nth(1)?);
    let mut params = params(case);
    params.insert("library".into(), library.into());
    params.insert("lane".into(), lane.into());
    let lane = if lane.is_empty() { String::new() } else { format!("?{lane}") };
    Some(Row {
        line,
        scheme: case.scheme.clone(),
        mode: format!("{library}:{set}{lane}"),
        op: case.op.clone(),
        mean,
        deviation: Some(deviation),
        unit,
        n: Some(n),
        params,
        source: None,
    })
}

/// Returns the parameters that rules read; not the depth, because every result was decrypted. A set
/// of a torus scheme, or of one that is not based on lattices, has no ciphertext modulus in their
/// sense.
fn params(case: &Case) -> BTreeMap<String, String> {
    let mut stated = BTreeMap::new();
    let is_ring =
        |params: &&ParamsInfo| !matches!(params.kind(), SchemeKind::Torus | SchemeKind::Scalars);
    let Some(params) = case.params.as_ref().filter(is_ring) else {
        return stated;
    };
    let mut state = |name: &str, value: String| stated.insert(name.to_owned(), value);
    state("n", params.n.to_string());
    state("log_q", params.log_q.to_string());
    state("log_qp", params.log_qp.to_string());
    state("t", params.plain_modulus.to_string());
    state("slots", params.slots.to_string());
    // Each set chooses its digits and special primes.
    state("key_switching", params.name.clone());
    stated
}
