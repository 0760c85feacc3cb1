//! Rules about the number of samples and their deviation.

use super::finding::{Doubt, Finding};
use crate::table::Row;

/// Largest relative distance from the deviation that one busy call among idle ones has.
const PATTERN: f64 = 1e-3;
/// Deviation relative to the mean above which a figure is unstable, if its mean is uncertain too.
const LARGEST_DEVIATION: f64 = 0.3;
/// Standard error of the mean, relative to it, up to which many samples make up for their
/// deviation.
const LARGEST_ERROR: f64 = 0.03;

/// Checks every row, and the table as a whole for what it does not state.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    let timed = || rows.iter().filter(|row| row.unit.seconds().is_some());
    let mut findings: Vec<Finding> = timed().filter_map(of_row).collect();
    let silent: Vec<&Row> = timed().filter(|row| row.n.is_none()).collect();
    if !silent.is_empty() {
        let why = format!(
            "no number of samples is stated for {} of {} times",
            silent.len(),
            timed().count()
        );
        findings.push(Finding::new(Doubt::NotStated, &silent, why));
    }
    let unexplained =
        |row: &&Row| !row.params.contains_key("derived_from") && !has_samples_of(rows, row);
    let derived = rows.iter().filter(|row| row.op.contains("derived")).filter(unexplained);
    findings.extend(derived.map(|row| {
        let why = format!(
            "{} is computed from other figures; it cannot be ranked with measured ones",
            row.figure()
        );
        Finding::new(Doubt::Derived, &[row], why)
    }));
    findings
}

/// Returns true if a derived row carries the samples of the gate that it was computed from: their
/// number, and their deviation times the gates. Another rule checks its mean.
fn has_samples_of(rows: &[Row], row: &Row) -> bool {
    row.beside(rows, "nand").is_some_and(|gate| {
        let apart = (gate.relative_deviation() - row.relative_deviation()).abs();
        row.n == gate.n && apart < 1e-6
    })
}

fn of_row(row: &Row) -> Option<Finding> {
    let (n, unit) = (row.n?, row.unit.name());
    if n == 1 {
        let why = format!("{} from a single sample", row.figure());
        return Some(Finding::new(Doubt::SingleShot, &[row], why));
    }
    let ratio = row.deviation? / row.mean;
    if is_one_of(ratio, n) {
        let all = row.mean * n as f64;
        let why = format!(
            "sd/mean = {ratio:.3} with n = {n}: the pattern of a single call that did all the \
             work, which would have taken about {all:.4} {unit}"
        );
        return Some(Finding::new(Doubt::CachedWork, &[row], why));
    }
    let error = ratio / (n as f64).sqrt();
    is_unstable(row).then(|| {
        let why = format!(
            "sd is {:.0} % of the mean with n = {n}: the mean is uncertain by {:.0} %",
            100.0 * ratio,
            100.0 * error
        );
        Finding::new(Doubt::Unstable, &[row], why)
    })
}

/// Returns true for a mean that its samples leave uncertain. It is doubted as such, and not
/// compared with others.
pub(super) fn is_unstable(row: &Row) -> bool {
    let (Some(n), Some(deviation)) = (row.n, row.deviation) else { return false };
    let ratio = deviation / row.mean;
    n > 1 && ratio > LARGEST_DEVIATION && ratio / (n as f64).sqrt() > LARGEST_ERROR
}

/// Returns true for the ratio of deviation and mean of one sample x and n - 1 zeros: the mean is
/// x/n, the deviation of the population x sqrt(n - 1)/n, that of the sample x/sqrt(n).
fn is_one_of(ratio: f64, n: u64) -> bool {
    let n = n as f64;
    [(n - 1.0).sqrt(), n.sqrt()].iter().any(|pattern| (ratio / pattern - 1.0).abs() < PATTERN)
}
