//! Rules about figures that must follow from each other.

use super::finding::{Doubt, Finding};
use crate::table::Row;
use crate::unit::Unit;

/// Largest relative difference of two figures that should be equal; printed figures are rounded.
const TOLERANCE: f64 = 0.05;

/// Checks totals and rates.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    type Rule = fn(&[Row], &Row) -> Option<Finding>;
    let rules: [Rule; 3] = [total, program, rate];
    rows.iter().flat_map(|row| rules.iter().filter_map(|rule| rule(rows, row))).collect()
}

/// Finds stated times of a whole program, the longest of a range, that are far below the sum of
/// its parts: the rows of the mode `sum_of`.
fn program(rows: &[Row], row: &Row) -> Option<Finding> {
    let mode = row.params.get("sum_of")?;
    let is_part = |other: &&Row| {
        let whole = ["sum_of", "at_least"].iter().any(|param| other.params.contains_key(*param));
        other.scheme == row.scheme && other.mode == *mode && !whole
    };
    let sum: f64 = rows.iter().filter(is_part).filter_map(Row::seconds).sum();
    let printed = row.seconds()?;
    (sum > printed * (1.0 + 4.0 * TOLERANCE)).then(|| {
        let why = format!("its parts take {sum:.0} s, the whole at most {printed:.0} s as printed");
        Finding::new(Doubt::SumMismatch, &[row], why)
    })
}

/// Finds totals that are not the count of their products times the time of one, and derived times
/// that are not the count of the operation that they state times its time.
fn total(rows: &[Row], row: &Row) -> Option<Finding> {
    let count = row.number("count")?;
    let one = match row.params.get("derived_from") {
        Some(op) => row.beside(rows, op)?,
        None if row.op.ends_with("_total") => row.beside(rows, "mul")?,
        None => return None,
    };
    let (sum, printed) = (count * one.seconds()?, row.seconds()?);
    ((sum / printed - 1.0).abs() > TOLERANCE).then(|| {
        let each = one.figure();
        let why = format!("{count} times {each} are {sum:.2} s, printed {printed:.2} s");
        Finding::new(Doubt::SumMismatch, &[row, one], why)
    })
}

/// Finds rates of one operation that are not the inverse of its time, on one thread.
fn rate(rows: &[Row], row: &Row) -> Option<Finding> {
    let op = row.op.strip_suffix("_throughput").filter(|_| row.unit == Unit::PerSecond)?;
    let one = row.beside(rows, op)?;
    let slots = row.number("slots").or_else(|| one.number("slots")).unwrap_or(1.0);
    let [implied, whole] = [1.0, slots].map(|count| count / one.seconds().unwrap_or(f64::NAN));
    let fits = |rate: f64| (row.mean / rate - 1.0).abs() <= TOLERANCE;
    (implied.is_finite() && !fits(implied) && !fits(whole)).then(|| {
        let why = format!("{} per second, where {op} implies {implied:.0}", row.mean);
        Finding::new(Doubt::RateMismatch, &[row, one], why)
    })
}
