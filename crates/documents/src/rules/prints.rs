//! Rules about figures that a document prints more than once, or compares.

use super::finding::{Doubt, Finding};
use crate::table::Row;
use crate::unit::Unit;

/// Largest relative difference of a ratio and the figures that it compares, unless half a unit of
/// its last digit is more.
const ROUNDING: f64 = 0.05;
/// Relative error of a figure that was printed with six digits.
const SIX_DIGITS: f64 = 5e-6;

/// Checks ratios and repetitions.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    rows.iter().flat_map(|row| ratio(rows, row).into_iter().chain(repeats(row))).collect()
}

/// Finds ratios that are not those of the rows `of` and `to`, each named `scheme/mode/op`.
fn ratio(rows: &[Row], row: &Row) -> Option<Finding> {
    let params = [row.params.get("of")?, row.params.get("to")?];
    let [of, to] = params.map(|name| rows.iter().find(|other| other.name() == *name));
    let (Some(of), Some(to)) = (of, to) else {
        let why = format!("the table has no rows {} and {}", params[0], params[1]);
        return Some(Finding::new(Doubt::RatioMismatch, &[row], why));
    };
    let found = of.base() / to.base();
    let half = half_a_digit(&row.mean.to_string());
    ((row.mean - found).abs() > half.max(ROUNDING * found)).then(|| {
        let why =
            format!("printed {}x, where {} and {} give {found:.3}", row.mean, of.mean, to.mean);
        Finding::new(Doubt::RatioMismatch, &[row, of], why)
    })
}

/// Finds repetitions, `also=line:figure unit|...`, that do not round to one value with the row.
fn repeats(row: &Row) -> Vec<Finding> {
    let also = row.params.get("also").map_or("", String::as_str);
    let parts = also.split('|').filter(|part| !part.is_empty());
    let differs = |part: &&str| !repetition(part).is_some_and(|print| print.rounds(row));
    let finding = |part: &str| {
        let why = format!("{}, and printed again as {part}", row.figure());
        Finding::new(Doubt::RepeatMismatch, &[row], why)
    };
    parts.filter(differs).map(finding).collect()
}

/// A figure as it is printed in another line.
struct Repetition {
    figure: f64,
    /// Half a unit of the last printed digit.
    half: f64,
    unit: Unit,
}

fn repetition(text: &str) -> Option<Repetition> {
    let (line, print) = text.split_once(':')?;
    line.parse::<u64>().ok()?;
    let (digits, unit) = print.trim().split_once(' ')?;
    let half = half_a_digit(digits);
    Some(Repetition { figure: digits.parse().ok()?, half, unit: Unit::parse(unit).ok()? })
}

/// Returns half a unit of the last printed digit.
pub(super) fn half_a_digit(digits: &str) -> f64 {
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    0.5 * 0.1_f64.powi(decimals as i32)
}

impl Repetition {
    /// Returns true if the figure of a row, which may be rounded itself, rounds to this one.
    fn rounds(&self, row: &Row) -> bool {
        let same = |of: fn(Unit) -> Option<f64>| of(row.unit).is_some() == of(self.unit).is_some();
        let apart = (row.base() - self.unit.base(self.figure)).abs();
        let own = SIX_DIGITS * row.base();
        same(Unit::seconds) && same(Unit::bytes) && apart <= self.unit.base(self.half) + own
    }
}
