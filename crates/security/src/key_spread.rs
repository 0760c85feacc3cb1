//! Spread of a bootstrapping's noise variance over keys, and the failure probability.
//!
//! The variances of [`BootstrapNoise`] are means over keys. Under one key, an error polynomial is
//! multiplied by this key's ones, and the errors of the key switching key are fixed. Both change
//! the variance by a few per cent of their part. The probability of a failure is averaged over
//! keys, so that the keys with more noise count for what they do. The derivation is in
//! `docs/maths/tfhe-parameters.md`.

use crate::bootstrap::{BootstrapNoise, log2_failure};

impl BootstrapNoise {
    /// Returns log2 of the probability, over keys and ciphertexts, that a bootstrapping reads the
    /// wrong one of `2^bits` values, including the padding bit, if its input is a linear
    /// combination of blind rotation outputs with this sum of squared coefficients: the noise
    /// exceeds `2^-(bits + 1)`.
    pub fn log2_failure(&self, bits: u32, squared_norm: f64) -> f64 {
        let variance = self.variances().total(squared_norm);
        log2_mean_failure(bits, variance, self.key_deviation(bits, squared_norm))
    }

    /// Returns a bound on the standard deviation over keys of the variance
    /// [`NoiseVariances::total`](crate::NoiseVariances::total), for messages of `bits` bits.
    ///
    /// Let `e` be an error polynomial of an accumulator's mask and `s` the key. A linear
    /// combination of coefficients of `e s` with `m` weights `w` has the variance `|w * s|^2`, in
    /// units of that of `e`. The number of ones of `s` makes this deviate by `1 / sqrt(kN)` of its
    /// mean, the autocorrelation of `s` by up to `sqrt(m / (2 kN))`. A multi-value bootstrap
    /// weighs at most one coefficient for each of the `2^(bits - 1)` messages without padding.
    ///
    /// The key part of the key switch is a sum over as many squared errors as the key has rows.
    pub fn key_deviation(&self, bits: u32, squared_norm: f64) -> f64 {
        let dimension = f64::from(self.glwe_dimension) * f64::from(self.polynomial_degree);
        let weights = f64::from(bits.saturating_sub(1)).exp2();
        let autocorrelation = (weights / 2.0).sqrt();
        let masks = squared_norm * self.variances().mask_errors * (1.0 + autocorrelation);
        let [key, rounding] = self.key_switch();
        let ones = (masks + rounding) / dimension.sqrt();
        let rows = dimension * f64::from(self.key_switch.levels);
        ones.hypot(key * (2.0 / rows).sqrt())
    }
}

/// Returns log2 of the mean of [`log2_failure`] over variances that are normal with this mean and
/// standard deviation, rounded up.
///
/// With `z` standard deviations to the limit the tail is `exp(-z^2/2)` up to a factor that varies
/// slowly, and a variance larger by the fraction `x` makes it `exp(z^2/2 (x - x^2 + ...))`. Without
/// the terms after `x` the mean is a factor of `exp((z^2/2)^2 d^2 / 2)` for the relative deviation
/// `d`.
pub(crate) fn log2_mean_failure(bits: u32, variance: f64, deviation: f64) -> f64 {
    let limit = (-f64::from(bits) - 1.0).exp2();
    let exponent = limit * limit / (2.0 * variance) * deviation / variance;
    log2_failure(bits, variance) + exponent * exponent / 2.0 * std::f64::consts::LOG2_E
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean over a grid of variances, weighted by the normal density.
    fn integrated(bits: u32, variance: f64, deviation: f64) -> f64 {
        let points = (-600..=600).map(|i| f64::from(i) / 100.0);
        let weighted = points.map(|x| {
            let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() / 100.0;
            density * log2_failure(bits, variance + x * deviation).exp2()
        });
        weighted.sum::<f64>().log2()
    }

    #[test]
    fn the_mean_over_keys_is_rounded_up_by_little() {
        for (sigmas, spread) in [(13.1, 0.01), (13.1, 0.02), (9.2, 0.02), (7.1, 0.05)] {
            let variance = (2_f64.powi(-6) / sigmas).powi(2);
            let exact = integrated(5, variance, spread * variance);
            let closed = log2_mean_failure(5, variance, spread * variance);
            assert!(closed >= exact && closed < exact + 0.5, "{sigmas} {spread}: {closed} {exact}");
            assert!(exact > log2_failure(5, variance));
        }
    }

    #[test]
    fn keys_that_are_all_alike_fail_as_often_as_their_mean() {
        let exact = log2_failure(5, 1e-6);
        assert!((log2_mean_failure(5, 1e-6, 0.0) - exact).abs() < 1e-12);
    }
}
