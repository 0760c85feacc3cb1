//! Order statistics of timing samples: robust figures, confidence intervals and warning flags.
//!
//! No sample is dropped. Outliers are counted, and the reported figures (median, MAD) are not
//! sensitive to a few of them.

use std::ops::RangeInclusive;

use fathom_drivers::random::SplitMix64;
use fathom_planner::stats::{median, median_of_sorted, quantile_of_sorted, sorted};

/// A two-sided interval, lower end first.
pub type Interval = [f64; 2];

/// The figures of one series of samples, in the unit of the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Number of samples.
    pub n: usize,
    /// Median; mean of the two middle values if `n` is even.
    pub median: f64,
    /// Confidence interval of the median at 95 % or more; `None` if `n` < 6.
    pub ci95: Option<Interval>,
    /// Median absolute deviation from the median, not scaled.
    pub mad: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation with `n - 1` in the denominator, 0 if `n` is 1.
    pub standard_deviation: f64,
    /// Smallest sample.
    pub min: f64,
    /// Largest sample.
    pub max: f64,
    /// 95th percentile, nearest rank.
    pub p95: f64,
    /// 99th percentile, nearest rank.
    pub p99: f64,
    /// Samples outside the Tukey fences.
    pub outliers: Outliers,
}

/// Samples outside the Tukey fences, counted and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outliers {
    /// Number of samples between 1.5 and 3 interquartile ranges outside the quartiles.
    pub mild: usize,
    /// More than 3 interquartile ranges outside the quartiles.
    pub severe: usize,
}

impl Summary {
    /// Summarises `samples` in the order in which they were taken; returns `None` if there are
    /// none.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let sorted = sorted(samples);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let n = sorted.len();
        let (mean, standard_deviation) = mean_and_deviation(samples);
        Some(Self {
            n,
            median: median_of_sorted(&sorted),
            ci95: median_interval_of_sorted(&sorted),
            mad: mad(&sorted),
            mean,
            standard_deviation,
            min,
            max,
            p95: quantile_of_sorted(&sorted, 0.95),
            p99: quantile_of_sorted(&sorted, 0.99),
            outliers: outliers_of_sorted(&sorted),
        })
    }

    /// Returns half the width of the median's interval divided by the median; infinite without one.
    pub fn relative_half_width(&self) -> f64 {
        match self.ci95 {
            Some([low, high]) if self.median > 0.0 => (high - low) / 2.0 / self.median,
            Some(_) | None => f64::INFINITY,
        }
    }
}

/// Returns the medians of consecutive parts of `samples`, whose lengths are `counts`; an empty part
/// has none.
pub fn medians_of_parts(samples: &[f64], counts: &[usize]) -> Vec<f64> {
    let mut rest = samples.iter().copied();
    let parts = counts.iter().map(|count| rest.by_ref().take(*count).collect::<Vec<_>>());
    parts.filter_map(|part| median(&part)).collect()
}

/// Returns true for a series of 2 to 20 samples whose maximum exceeds ten times the median, or
/// whose standard deviation exceeds the mean: either one call did the work of all, or some calls
/// did none. In a longer series, interruptions alone cause such values.
pub fn looks_cached(summary: &Summary) -> bool {
    let one_did_all = summary.max > 10.0 * summary.median;
    let spread_above_mean = summary.standard_deviation > summary.mean;
    (2..=20).contains(&summary.n) && (one_did_all || spread_above_mean)
}

/// Returns mean and standard deviation without the severe outliers: one sample during which the
/// scheduler ran something else would otherwise make up the whole deviation. Zeros without samples.
pub fn without_severe_outliers(samples: &[u64]) -> (f64, f64) {
    if samples.is_empty() {
        return (0.0, 0.0);
    }
    let mut kept = sorted(&samples.iter().map(|&sample| sample as f64).collect::<Vec<_>>());
    let inside = inside_of_sorted(&kept, 3.0);
    kept.retain(|sample| inside.contains(sample));
    mean_and_deviation(&kept)
}

/// Returns the mean and the sample deviation of at least one sample.
pub fn mean_and_deviation(samples: &[f64]) -> (f64, f64) {
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    (mean, standard_deviation(samples, mean))
}

/// Returns true if the series has a trend: the medians of its first and last third differ by more
/// than 5 % and the Mann-Kendall trend test gives |z| > 3. Needs 12 samples.
pub fn drifts(samples: &[f64]) -> bool {
    let n = samples.len();
    if n < 12 {
        return false;
    }
    let (first, last) = (median(&samples[..n / 3]), median(&samples[n - n / 3..]));
    let (Some(first), Some(last)) = (first, last) else { return false };
    let moved = (last - first).abs() > 0.05 * first.min(last);
    moved && mann_kendall_z(samples).abs() > 3.0
}

/// Returns true if the series is bimodal: Otsu's best split explains over 90 % of the variance,
/// each side holds at least a fifth of the samples, and the means are over 10 % apart. Needs 12
/// samples.
pub fn is_bimodal(samples: &[f64]) -> bool {
    let sorted = sorted(samples);
    let n = sorted.len();
    if n < 12 {
        return false;
    }
    let mean = sorted.iter().sum::<f64>() / n as f64;
    let total: f64 = sorted.iter().map(|x| (x - mean).powi(2)).sum();
    let mut below_sum = 0.0;
    (1..n).any(|k| {
        below_sum += sorted[k - 1];
        let (below, above) = (below_sum / k as f64, (mean * n as f64 - below_sum) / (n - k) as f64);
        let between = (k as f64) * (n - k) as f64 / n as f64 * (above - below).powi(2);
        5 * k.min(n - k) >= n && above > 1.1 * below && between > 0.9 * total
    })
}

/// Returns the lag-1 autocorrelation, in -1..=1; 0 for a constant series or one shorter than 3.
pub fn lag1_autocorrelation(samples: &[f64]) -> f64 {
    let n = samples.len();
    if n < 3 {
        return 0.0;
    }
    let mean = samples.iter().sum::<f64>() / n as f64;
    let total: f64 = samples.iter().map(|x| (x - mean).powi(2)).sum();
    let shared: f64 = samples.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).sum();
    if total == 0.0 { 0.0 } else { shared / total }
}

/// A ratio of medians with its bootstrap confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Median of the numerator's samples divided by that of the denominator's.
    pub ratio: f64,
    /// Percentile interval at the requested level.
    pub interval: Interval,
}

/// Computes the ratio of medians of two independent series by bootstrap resampling.
///
/// `level` is the confidence level, such as 0.99. Returns `None` if a series is empty or the median
/// of the denominator is not positive.
pub fn bootstrap_ratio(over: &[f64], under: &[f64], level: f64, seed: u64) -> Option<Ratio> {
    let mut random = SplitMix64(seed);
    let mut draw = |series: &[f64]| {
        let picks: Vec<f64> =
            (0..series.len()).map(|_| series[random.below(series.len())]).collect();
        median(&picks)
    };
    interval_of_ratio(median(over)? / median(under)?, level, || Some(draw(over)? / draw(under)?))
}

/// Minimum number of pairs for [`paired_bootstrap_ratio`]: with fewer, a case compared with itself
/// is judged different in more than one of twenty comparisons.
pub const FEWEST_PAIRS: usize = 5;

/// Computes the median of the ratios of pairs by bootstrap resampling of the pairs. The two values
/// of a pair are measured close together in time, such as the medians of two libraries in one
/// round, so that slowdowns that affect both cancel.
///
/// Percentile intervals from few pairs are too narrow, so their ends are moved outwards by
/// `sqrt(n / (n - 1)) t / z` (Hesterberg, "What teachers should know about the bootstrap", 2015,
/// section 4.2). Uses the common prefix of both series; returns `None` below [`FEWEST_PAIRS`] or if
/// a value is not positive.
pub fn paired_bootstrap_ratio(over: &[f64], under: &[f64], level: f64, seed: u64) -> Option<Ratio> {
    let ratios: Vec<f64> = over.iter().zip(under).map(|(a, b)| a / b).collect();
    let n = ratios.len();
    if n < FEWEST_PAIRS || ratios.iter().any(|ratio| !(ratio.is_finite() && *ratio > 0.0)) {
        return None;
    }
    let mut random = SplitMix64(seed);
    let resample = || {
        let picks: Vec<f64> = (0..n).map(|_| ratios[random.below(n)]).collect();
        median(&picks)
    };
    let found = interval_of_ratio(median(&ratios)?, level, resample)?;
    let wider = small_sample_factor(n, level);
    let interval = found.interval.map(|end| found.ratio * (end / found.ratio).powf(wider));
    Some(Ratio { interval, ..found })
}

/// Returns `sqrt(n / (n - 1)) t / z` for a two-sided interval at `level`; Student's quantile `t` at
/// `n - 1` degrees of freedom is computed from the normal one by the Cornish-Fisher expansion.
fn small_sample_factor(n: usize, level: f64) -> f64 {
    let z = normal_quantile(0.5 + level / 2.0);
    let freedom = (n - 1) as f64;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let t = z + first / freedom + second / (freedom * freedom);
    (n as f64 / freedom).sqrt() * t / z
}

/// Returns the quantile of the normal distribution for a probability in 0.5..1, to three digits.
///
/// Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.2.23.
fn normal_quantile(probability: f64) -> f64 {
    let t = (-2.0 * (1.0 - probability).ln()).sqrt();
    let over = 2.515_517 + 0.802_853 * t + 0.010_328 * t * t;
    let under = 1.0 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t.powi(3);
    t - over / under
}

fn interval_of_ratio(
    ratio: f64,
    level: f64,
    resample: impl FnMut() -> Option<f64>,
) -> Option<Ratio> {
    const RESAMPLES: usize = 2000;
    if !ratio.is_finite() {
        return None;
    }
    let mut ratios: Vec<f64> = std::iter::repeat_with(resample)
        .take(RESAMPLES)
        .flatten()
        .filter(|r| r.is_finite())
        .collect();
    ratios.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    let ends = [quantile_of_sorted(&ratios, tail), quantile_of_sorted(&ratios, 1.0 - tail)];
    Some(Ratio { ratio, interval: ends })
}

/// Returns the narrowest pair of order statistics, symmetric in rank, that covers the median with
/// probability at least 95 %: ranks k and n + 1 - k with 1 - 2 P(Bin(n, 1/2) < k) >= 0.95.
fn median_interval_of_sorted(sorted: &[f64]) -> Option<Interval> {
    let n = sorted.len();
    let k = widest_rank(n)?;
    Some([sorted[k - 1], sorted[n - k]])
}

fn widest_rank(n: usize) -> Option<usize> {
    let mut log_binomial = 0.0_f64;
    let mut below = 0.0_f64; // P(Bin(n, 1/2) < k)
    let mut best = None;
    for k in 1..=n.div_ceil(2) {
        below += (log_binomial - n as f64 * std::f64::consts::LN_2).exp();
        if 2.0 * below > 0.05 {
            break;
        }
        best = Some(k);
        log_binomial += ((n - k + 1) as f64).ln() - (k as f64).ln();
    }
    best
}

fn mad(sorted_samples: &[f64]) -> f64 {
    let middle = median_of_sorted(sorted_samples);
    let distances: Vec<f64> = sorted_samples.iter().map(|x| (x - middle).abs()).collect();
    median_of_sorted(&sorted(&distances))
}

fn standard_deviation(samples: &[f64], mean: f64) -> f64 {
    if samples.len() < 2 {
        return 0.0;
    }
    let total: f64 = samples.iter().map(|x| (x - mean).powi(2)).sum();
    (total / (samples.len() - 1) as f64).sqrt()
}

/// Returns the values at most `factor` interquartile ranges outside the quartiles.
fn inside_of_sorted(sorted: &[f64], factor: f64) -> RangeInclusive<f64> {
    let (q1, q3) = (quantile_of_sorted(sorted, 0.25), quantile_of_sorted(sorted, 0.75));
    let range = q3 - q1;
    (q1 - factor * range)..=(q3 + factor * range)
}

fn outliers_of_sorted(sorted: &[f64]) -> Outliers {
    let beyond = |factor: f64| {
        let inside = inside_of_sorted(sorted, factor);
        sorted.iter().filter(|x| !inside.contains(x)).count()
    };
    let severe = beyond(3.0);
    Outliers { mild: beyond(1.5) - severe, severe }
}

fn mann_kendall_z(samples: &[f64]) -> f64 {
    let n = samples.len() as f64;
    let mut trend = 0.0;
    for (i, earlier) in samples.iter().enumerate() {
        for later in &samples[i + 1..] {
            trend += f64::from(later.total_cmp(earlier) as i8);
        }
    }
    trend / (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_severe_outlier_does_not_make_the_deviation() {
        let mut samples = vec![100, 101, 99, 100, 102, 98, 100, 101];
        let calm = without_severe_outliers(&samples);
        samples.push(90_000);
        assert_eq!(without_severe_outliers(&samples), calm);
        assert!(calm.1 < 2.0 && (99.0..102.0).contains(&calm.0));
        assert_eq!(without_severe_outliers(&[]), (0.0, 0.0));
    }

    fn normal_like(random: &mut SplitMix64) -> f64 {
        (0..12).map(|_| random.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0
    }

    #[test]
    fn ranks_of_the_median_interval_are_those_of_the_binomial_tables() {
        for (n, rank) in [(5, None), (6, Some(1)), (10, Some(2)), (20, Some(6)), (100, Some(40))] {
            assert_eq!(widest_rank(n), rank, "n = {n}");
        }
    }

    #[test]
    fn the_interval_covers_the_true_median_at_its_stated_rate() {
        let mut random = SplitMix64(1);
        let trials = 2000;
        let covered = (0..trials)
            .filter(|_| {
                let samples: Vec<f64> = (0..15).map(|_| normal_like(&mut random)).collect();
                let [low, high] = Summary::of(&samples).unwrap().ci95.unwrap();
                low <= 0.0 && 0.0 <= high
            })
            .count();
        assert!(covered as f64 > 0.95 * f64::from(trials), "{covered} of {trials}");
    }

    #[test]
    fn one_call_that_did_the_work_of_five_is_seen() {
        let cached = Summary::of(&[1870.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        assert!(looks_cached(&cached));
        let honest = Summary::of(&[10.0, 11.0, 10.5, 9.8, 12.0]).unwrap();
        assert!(!looks_cached(&honest));
    }

    #[test]
    fn drift_and_two_heaps_are_told_from_noise() {
        let mut random = SplitMix64(7);
        let noise: Vec<f64> = (0..60).map(|_| 100.0 + normal_like(&mut random)).collect();
        let ramp: Vec<f64> = noise.iter().enumerate().map(|(i, x)| x + i as f64 / 2.0).collect();
        let heaps: Vec<f64> =
            noise.iter().enumerate().map(|(i, x)| x + f64::from(i % 2 == 0) * 30.0).collect();
        assert!(!drifts(&noise) && !is_bimodal(&noise));
        assert!(drifts(&ramp));
        assert!(is_bimodal(&heaps) && !drifts(&heaps));
        assert!(lag1_autocorrelation(&ramp) > 0.8 && lag1_autocorrelation(&heaps) < -0.8);
    }

    #[test]
    fn pairing_removes_what_slowed_both_down() {
        let mut random = SplitMix64(3);
        let load: Vec<f64> = (0..60).map(|i| 1.0 + f64::from(i % 7) / 5.0).collect();
        let jitter = |x: f64, random: &mut SplitMix64| x * (1.0 + normal_like(random) / 400.0);
        let slow: Vec<f64> = load.iter().map(|l| jitter(l * 2.0, &mut random)).collect();
        let fast: Vec<f64> = load.iter().map(|l| jitter(*l, &mut random)).collect();
        let width = |ratio: Ratio| ratio.interval[1] - ratio.interval[0];
        let paired = paired_bootstrap_ratio(&slow, &fast, 0.95, 5).unwrap();
        let independent = bootstrap_ratio(&slow, &fast, 0.95, 5).unwrap();
        assert!((paired.ratio - 2.0).abs() < 0.02 && width(paired) < width(independent) / 3.0);
    }

    proptest! {
        #[test]
        fn the_figures_are_ordered(samples in prop::collection::vec(0.1f64..1e9, 1..80)) {
            let s = Summary::of(&samples).unwrap();
            prop_assert!(s.min <= s.median && s.median <= s.p95.max(s.median) && s.p99 <= s.max);
            prop_assert!(s.min <= s.mean + 1e-6 && s.mean <= s.max + 1e-6);
            prop_assert!(s.mad <= s.max - s.min);
            if let Some([low, high]) = s.ci95 {
                prop_assert!(low <= s.median && s.median <= high);
            }
            prop_assert!(s.outliers.mild + s.outliers.severe <= s.n / 2);
        }

        #[test]
        fn the_summary_scales_with_the_unit(
            samples in prop::collection::vec(1.0f64..1e6, 6..40),
            power in 1i32..6,
        ) {
            let unit = 2f64.powi(power);
            let scaled: Vec<f64> = samples.iter().map(|x| x * unit).collect();
            let (a, b) = (Summary::of(&samples).unwrap(), Summary::of(&scaled).unwrap());
            prop_assert!((a.median * unit - b.median).abs() <= 1e-12 * b.median);
            prop_assert_eq!(a.outliers, b.outliers);
            prop_assert_eq!(looks_cached(&a), looks_cached(&b));
            prop_assert_eq!(drifts(&samples), drifts(&scaled));
        }

        #[test]
        fn a_ratio_interval_holds_the_ratio_of_a_series_with_itself(
            samples in prop::collection::vec(1.0f64..1e6, 6..40),
        ) {
            let same = paired_bootstrap_ratio(&samples, &samples, 0.95, 1).unwrap();
            prop_assert_eq!((same.ratio, same.interval), (1.0, [1.0, 1.0]));
        }
    }
}
