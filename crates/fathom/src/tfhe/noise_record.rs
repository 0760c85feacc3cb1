//! What the records of measured noise share: intervals of 99.9 % around what was counted, and the
//! files.

use fathom_security::log2_gaussian_tail;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Parts that samples are divided into, so that their spread can be seen.
pub(super) const BATCHES: usize = 20;

/// The quantile of 0.9995 of the normal distribution, and of Student's with 19 degrees of freedom.
const NORMAL: f64 = 3.2905;
const STUDENT: f64 = 3.883;

/// An estimate between its bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) estimate: f64,
    pub(super) high: f64,
}

impl Display for Interval {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4e},{:.4e},{:.4e}", self.estimate, self.low, self.high)
    }
}

/// Returns the mean of squared errors, which come in [`BATCHES`] parts one after the other: the
/// wider of the chi-square interval, which takes samples of one batch as independent and normal,
/// and that of Student over the means of batches, which does not, and sees what differs between
/// keys.
pub(super) fn variance_interval(squares: &[f64]) -> Interval {
    let count = squares.len() as f64;
    let estimate = squares.iter().sum::<f64>() / count;
    let mean = |batch: &[f64]| batch.iter().sum::<f64>() / batch.len() as f64;
    let deviations = squares.chunks_exact(squares.len() / BATCHES).map(|b| mean(b) - estimate);
    let batches = BATCHES as f64;
    let spread = deviations.map(|d| d * d).sum::<f64>() / (batches - 1.0);
    let student = STUDENT * (spread / batches).sqrt();
    Interval {
        low: (count * estimate / chi_square(count, NORMAL)).min(estimate - student),
        estimate,
        high: (count * estimate / chi_square(count, -NORMAL)).max(estimate + student),
    }
}

/// Returns the quantile of the chi-square distribution at `z` normal deviations (Wilson and
/// Hilferty, 1931): within 1e-4 of it for more than 400 degrees of freedom.
fn chi_square(freedom: f64, z: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    freedom * (1.0 - variance + z * variance.sqrt()).powi(3)
}

/// Readings of a tail that the model expects.
const FAILURES: f64 = 200.0;

/// How often errors pass a bound that a model says [`FAILURES`] of them pass.
pub(super) struct Failures {
    seen: usize,
    /// `log2` of the probability that the normal distribution that passes the bound as often as was
    /// seen passes the limit, and its upper end.
    log2: f64,
    log2_high: f64,
}

impl Failures {
    /// From squared errors, the variance that a model gives them, and the limit of an error.
    pub(super) fn count(squares: &[f64], variance: f64, limit: f64) -> Failures {
        let count = squares.len() as f64;
        let bound = tail_threshold(FAILURES / count) * variance.sqrt();
        let seen = squares.iter().filter(|&&square| square > bound * bound).count();
        let at_limit =
            |failures: f64| log2_gaussian_tail(tail_threshold(failures / count) * limit / bound);
        let [log2, log2_high] = [seen as f64, failures_within(seen)].map(at_limit);
        Failures { seen, log2, log2_high }
    }
}

impl Display for Failures {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{},{FAILURES},{:.1},{:.1}", self.seen, self.log2, self.log2_high)
    }
}

/// Puts a row where its set, the first field, has one, or adds it; the order is that of `sets`.
pub(super) fn write_row(path: &str, columns: &str, sets: &[&str], row: &str) {
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let name = |row: &str| row.split(',').next().unwrap().to_owned();
    let mut rows: BTreeMap<String, &str> =
        old.lines().skip(1).map(|row| (name(row), row)).collect();
    rows.insert(name(row), row);
    let ordered = sets.iter().filter_map(|&set| rows.get(set).copied());
    let lines: Vec<_> = std::iter::once(columns).chain(ordered).collect();
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

/// Returns the deviations that a normal variable exceeds in absolute value with this probability.
fn tail_threshold(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if log2_gaussian_tail(middle) > probability.log2() { low = middle } else { high = middle }
    }
    low
}

/// Returns the greatest mean of a Poisson variable that is this small with a probability of at
/// least 0.0005: the upper end of Clopper and Pearson's interval of rare events.
fn failures_within(failures: usize) -> f64 {
    let below = |mean: f64| {
        let mut term = (-mean).exp();
        let mut sum = term;
        for k in 1..=failures {
            term *= mean / k as f64;
            sum += term;
        }
        sum
    };
    let (mut low, mut high) =
        (failures as f64, failures as f64 + 20.0 * (failures as f64 + 9.0).sqrt());
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if below(middle) > 0.0005 { low = middle } else { high = middle }
    }
    high
}

#[test]
fn quantiles_are_those_of_tables() {
    assert!((tail_threshold(0.001) - NORMAL).abs() < 1e-4);
    // Abramowitz and Stegun, table 26.8, 100 degrees of freedom, 0.0005: 153.167. The
    // approximation is 0.0005 of it above.
    assert!((chi_square(100.0, NORMAL) - 153.167).abs() < 0.08);
    // Exact limits for 10 events at 0.0005: 24.8 (the Poisson sum below it is 0.0005).
    let bound = failures_within(10);
    let sum: f64 = (0..=10)
        .scan(1.0, |term, k| {
            let now = *term;
            *term *= bound / f64::from(k + 1);
            Some(now)
        })
        .sum();
    assert!((sum * (-bound).exp() - 0.0005).abs() < 1e-9 && bound > 20.0, "{bound}");
}
