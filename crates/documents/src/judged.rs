//! Documents whole: every row beside what was measured for it.

use super::beside::{Beside, by_rule};
use super::evidence::Evidence;
use super::table::Row;
use super::{computed, coverage};

/// Returns every row of a shipped document beside the best of its cases in `cases`.
pub fn document<'a>(document: &str, rows: &'a [Row], evidence: &Evidence<'a>) -> Vec<Beside<'a>> {
    let mut judged: Vec<Beside<'a>> =
        rows.iter().map(|row| by_rule(row, coverage::rule(document, row), evidence)).collect();
    let is_computed = |row: &Row| coverage::rule(document, row).is_some_and(|rule| rule.computed);
    computed::fill_in(&mut judged, is_computed);
    judged
}
