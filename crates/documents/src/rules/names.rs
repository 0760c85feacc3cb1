//! Rules about names: one thing under two of them.

use std::collections::BTreeMap;

use super::finding::{Doubt, Finding};
use crate::table::Row;

/// Smallest number of equal figures that make two modes the same.
const SAME_FIGURES: usize = 3;

/// Checks all pairs of schemes and of modes.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    let mut findings = schemes(rows);
    findings.extend(modes(rows));
    findings
}

/// Finds two schemes with one set and one method of bootstrapping.
fn schemes(rows: &[Row]) -> Vec<Finding> {
    let mut known: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        if let (Some(set), Some(method)) = (row.params.get("set"), row.params.get("method")) {
            let rows = known.entry((set, method)).or_default();
            if rows.iter().all(|other| other.scheme != row.scheme) {
                rows.push(row);
            }
        }
    }
    let several = known.into_iter().filter(|(_, rows)| rows.len() > 1);
    several
        .map(|((set, method), rows)| {
            let why = format!("both are the set {set} with the bootstrapping method {method}");
            Finding::new(Doubt::SameAlgorithm, &rows, why)
        })
        .collect()
}

/// Finds two modes of a scheme whose times are all equal. Sizes follow from the parameters, which
/// two modes may share.
fn modes(rows: &[Row]) -> Vec<Finding> {
    let mut by_mode: Vec<((&str, &str), Vec<&Row>)> = Vec::new();
    for row in rows.iter().filter(|row| row.unit.bytes().is_none()) {
        let key = (row.scheme.as_str(), row.mode.as_str());
        match by_mode.iter_mut().find(|(known, _)| *known == key) {
            Some((_, rows)) => rows.push(row),
            None => by_mode.push((key, vec![row])),
        }
    }
    let mut findings = Vec::new();
    for (index, (key, rows)) in by_mode.iter().enumerate() {
        for (other, others) in &by_mode[index + 1..] {
            let shared: Vec<(&Row, &Row)> = rows
                .iter()
                .flat_map(|row| others.iter().map(move |other| (*row, *other)))
                .filter(|(row, other)| row.op == other.op)
                .collect();
            let equal = shared.iter().all(|(row, other)| {
                row.mean.to_bits() == other.mean.to_bits() && row.unit == other.unit
            });
            if key.0 == other.0 && shared.len() >= SAME_FIGURES && equal {
                let why = format!("all {} figures of the two modes are equal", shared.len());
                let (row, other) = shared[0];
                findings.push(Finding::new(Doubt::SameAlgorithm, &[row, other], why));
            }
        }
    }
    findings
}
