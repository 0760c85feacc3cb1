//! The tail of the normal distribution, for probabilities of which only the logarithm can be
//! represented.

use std::f64::consts::{LN_2, PI};

/// Returns log2 of the probability that a standard normal variable exceeds `k` in absolute value.
///
/// `k` is in standard deviations. For `k <= 0` the probability is one and the result 0.0; for NaN
/// the result is NaN. The relative error of the probability is below 1e-9, for every `k` up to 1e6.
///
/// Source: the series and the continued fraction of the complementary error function
/// (Abramowitz and Stegun 7.1.5 and 7.1.14).
pub fn log2_gaussian_tail(k: f64) -> f64 {
    if k.is_nan() {
        return f64::NAN;
    }
    if k <= 0.0 {
        return 0.0;
    }
    if k < SERIES_LIMIT { (1.0 - erf_series(k)).log2() } else { log2_tail_fraction(k) }
}

/// Below this value `1 - erf` has enough digits; above it, the continued fraction converges fast.
const SERIES_LIMIT: f64 = 2.0;

/// Returns `erf(k / sqrt 2)` for `0 < k < 2`: `2/sqrt(pi) x exp(-x^2) sum_n (2 x^2)^n / (2n+1)!!`.
fn erf_series(k: f64) -> f64 {
    let x = k / std::f64::consts::SQRT_2;
    let (mut term, mut sum, mut n) = (1.0, 1.0, 0.0);
    while term > f64::EPSILON * sum {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    2.0 / PI.sqrt() * x * (-x * x).exp() * sum
}

/// Returns log2 of `sqrt(2/pi) exp(-k^2/2) / (k + 1/(k + 2/(k + 3/(k + ...))))` for `k >= 2`.
fn log2_tail_fraction(k: f64) -> f64 {
    let fraction = (1..=DEPTH).rev().fold(k, |tail, n| k + f64::from(n) / tail);
    0.5 * (2.0 / PI).log2() - k * k / (2.0 * LN_2) - fraction.log2()
}

/// Number of terms of the continued fraction; 200 have an error below 1e-9 at `k = 2`.
const DEPTH: u32 = 200;

#[cfg(test)]
mod tests {
    use super::*;

    /// `(k, P(|Z| > k))`, from the tables of the complementary error function.
    const KNOWN: [(f64, f64); 8] = [
        (0.5, 6.170_750_774_519_738e-1),
        (1.0, 3.173_105_078_629_141e-1),
        (1.999, 4.560_835_386_531_777e-2),
        (2.0, 4.550_026_389_635_842e-2),
        (3.0, 2.699_796_063_260_189e-3),
        (6.0, 1.973_175_290_075_395e-9),
        (10.0, 1.523_970_604_832_11e-23),
        (30.0, 9.813_427_854_297e-198),
    ];

    #[test]
    fn the_tail_agrees_with_the_complementary_error_function() {
        for (k, probability) in KNOWN {
            let error = log2_gaussian_tail(k) - probability.log2();
            assert!(error.abs() < 1e-6, "k = {k}: off by {error} bits");
        }
    }

    #[test]
    fn the_tail_falls_and_has_no_step_where_the_formulas_meet() {
        let mut last = 0.0;
        for step in 1..4000 {
            let bits = log2_gaussian_tail(f64::from(step) * 0.01);
            assert!(bits < last, "step {step}");
            last = bits;
        }
        let step = log2_gaussian_tail(SERIES_LIMIT - 1e-9) - log2_gaussian_tail(SERIES_LIMIT);
        assert!((0.0..1e-7).contains(&step), "{step}");
    }

    #[test]
    fn extreme_factors_stay_numbers() {
        assert!(log2_gaussian_tail(-1.0).abs() < f64::EPSILON);
        assert!(log2_gaussian_tail(0.0).abs() < f64::EPSILON);
        assert!(log2_gaussian_tail(1e6).is_finite());
        assert!(log2_gaussian_tail(f64::NAN).is_nan());
    }
}
