//! Statistics and files that the records of measured noise share. Intervals have a confidence of
//! 99.9 %.

use fathom_security::log2_gaussian_tail;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Number of batches that samples are divided into, so that the spread between batches is known.
pub(crate) const BATCHES: usize = 20;

/// The 0.9995 quantiles of the normal distribution and of Student's distribution with 19 degrees of
/// freedom.
const NORMAL: f64 = 3.2905;
const STUDENT: f64 = 3.883;

/// An estimate with a confidence interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) estimate: f64,
    pub(crate) high: f64,
}

impl Display for Interval {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4e},{:.4e},{:.4e}", self.estimate, self.low, self.high)
    }
}

/// Returns a confidence interval for the mean of squared errors, which come in [`BATCHES`]
/// consecutive batches.
///
/// It is the union of two intervals. The chi-square interval takes all samples as independent and
/// normal. Student's interval over the means of the batches does not, and includes the differences
/// between keys.
pub(crate) fn variance_interval(squares: &[f64]) -> Interval {
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

/// Returns the quantile of the chi-square distribution at `z` standard deviations (Wilson and
/// Hilferty, 1931), within a relative error of 1e-4 for more than 400 degrees of freedom.
fn chi_square(freedom: f64, z: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    freedom * (1.0 - variance + z * variance.sqrt()).powi(3)
}

/// The number of samples beyond the bound that the model predicts.
const FAILURES: f64 = 200.0;

/// The number of errors beyond a bound, of which the model predicts [`FAILURES`].
pub(crate) struct Failures {
    seen: usize,
    /// `log2` of the failure probability, extrapolated from the bound to the limit by a normal
    /// distribution, and its upper confidence bound.
    log2: f64,
    log2_high: f64,
}

impl Failures {
    /// Counts the squared errors beyond the bound for this variance of the model, and extrapolates
    /// to the limit of an error.
    pub(crate) fn count(squares: &[f64], variance: f64, limit: f64) -> Failures {
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

/// Replaces the row of the same set, which is the first field, or adds it. Rows have the order of
/// `sets`.
pub(crate) fn write_row(path: &str, columns: &str, sets: &[&str], row: &str) {
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let name = |row: &str| row.split(',').next().unwrap().to_owned();
    let mut rows: BTreeMap<String, &str> =
        old.lines().skip(1).map(|row| (name(row), row)).collect();
    rows.insert(name(row), row);
    let ordered = sets.iter().filter_map(|&set| rows.get(set).copied());
    let lines: Vec<_> = std::iter::once(columns).chain(ordered).collect();
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

/// Returns the number of standard deviations that a normal variable exceeds in absolute value with
/// this probability.
fn tail_threshold(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if log2_gaussian_tail(middle) > probability.log2() { low = middle } else { high = middle }
    }
    low
}

/// Returns the upper bound of the Clopper-Pearson interval for rare events: the greatest mean for
/// which a Poisson variable is at most `failures` with a probability of at least 0.0005.
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
    // Abramowitz and Stegun, table 26.8, give 153.167 for 100 degrees of freedom and 0.0005. The
    // approximation is 0.05 % above it.
    assert!((chi_square(100.0, NORMAL) - 153.167).abs() < 0.08);
    // The exact limit for 10 events at 0.0005 is 24.8, where the Poisson sum is 0.0005.
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
