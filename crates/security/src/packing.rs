//! Noise of packing LWE ciphertexts into the coefficients of one GLWE ciphertext.

use crate::BootstrapNoise;
use crate::bootstrap::Decomposition;
use crate::key_spread::log2_mean_failure;

impl BootstrapNoise {
    /// Returns the variance that packing `2^doublings` ciphertexts into one adds to each of them,
    /// relative to the square of the modulus, if the automorphism keys use this decomposition.
    ///
    /// The inputs are divided by `2^doublings`. Every step then doubles messages and noise and adds
    /// the noise of one key switch, of variance `V`: `V (4^doublings - 1) / 3` in all. The
    /// derivation is in `docs/maths/tfhe-parameters.md`.
    pub fn packing(&self, digits: Decomposition, doublings: u32) -> f64 {
        self.automorphism(digits) * powers_of_four(doublings)
    }

    /// Returns log2 of the probability that a bootstrap reads the wrong one of `2^bits` values,
    /// including the padding bit, from a compressed list that was packed with these automorphism
    /// keys from linear combinations of blind rotation outputs with this sum of squared
    /// coefficients.
    pub fn log2_packed_failure(
        &self,
        bits: u32,
        squared_norm: f64,
        digits: Decomposition,
        doublings: u32,
    ) -> f64 {
        let variance = self.variances_rounded_singly().total(squared_norm);
        let variance = variance + self.packing(digits, doublings);
        log2_mean_failure(bits, variance, self.key_deviation(bits, squared_norm))
    }

    /// Returns the variance that packing adds to a sum of `2^log_width` consecutive coefficients,
    /// of which one holds a ciphertext and the others 0. All coefficients are packed: `2^doublings`
    /// is the degree.
    ///
    /// The first of the last `v + 1` steps cancels the content of a coefficient whose index is an
    /// odd multiple of `2^v` and adds its own noise; the other steps double the noise and add
    /// theirs.
    pub fn packing_window(&self, digits: Decomposition, doublings: u32, log_width: u32) -> f64 {
        let others = (0..log_width)
            .map(|v| f64::from(1 << (log_width - 1 - v)) * powers_of_four(v + 1))
            .sum::<f64>();
        self.automorphism(digits) * (powers_of_four(doublings) + others)
    }

    /// Returns the variance of one automorphism's key switch.
    fn automorphism(&self, digits: Decomposition) -> f64 {
        let (k, degree) = (f64::from(self.glwe_dimension), f64::from(self.polynomial_degree));
        let noise = (2.0 * self.log_glwe_noise).exp2();
        let key = k * degree * f64::from(digits.levels) * noise * digits.digit_variance();
        let rounding = 0.5 * k * degree * digits.rounding_variance();
        let transform = self.kernel_factor() * k / (k + 1.0) * self.transform(digits);
        key + rounding + transform
    }

    /// Returns the decomposition with the fewest digits, and the best base for them, with which
    /// packing `2^doublings` ciphertexts adds at most the noise of a blind rotation; or the best
    /// one of six digits if there is none.
    pub fn packing_decomposition(&self, doublings: u32) -> Decomposition {
        const MOST: u32 = 6;
        let limit = self.variances().blind_rotation;
        let noise = |digits: Decomposition| self.packing(digits, doublings);
        let better = |a: Decomposition, b: Decomposition| if noise(b) < noise(a) { b } else { a };
        let best = |levels: u32| {
            let bases = (1..=52 / levels).map(|base_log| Decomposition { base_log, levels });
            bases.fold(Decomposition { base_log: 1, levels }, better)
        };
        let few = (1..MOST).map(best).find(|&digits| noise(digits) <= limit);
        few.unwrap_or_else(|| best(MOST))
    }
}

/// Returns `1 + 4 + ... + 4^(count - 1)`.
fn powers_of_four(count: u32) -> f64 {
    ((2.0 * f64::from(count)).exp2() - 1.0) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlindRotation;

    fn noise() -> BootstrapNoise {
        let digits = |base_log, levels| Decomposition { base_log, levels };
        BootstrapNoise {
            lwe_dimension: 896,
            glwe_dimension: 1,
            polynomial_degree: 2048,
            extension: 1,
            log_lwe_noise: -19.2,
            log_glwe_noise: -47.8,
            mask: digits(23, 1),
            body: digits(20, 1),
            key_switch: digits(2, 8),
            rotation: BlindRotation::Grouped { group: 1 },
        }
    }

    #[test]
    fn twice_as_many_ciphertexts_have_four_times_the_noise() {
        let digits = Decomposition { base_log: 16, levels: 2 };
        let ratio = noise().packing(digits, 11) / noise().packing(digits, 10);
        assert!((ratio - 4.0).abs() < 1e-5, "{ratio}");
        assert!(noise().packing(digits, 0).abs() < 1e-300);
    }

    #[test]
    fn a_list_fails_more_often_than_what_was_packed() {
        let digits = Decomposition { base_log: 16, levels: 2 };
        let pairs = BootstrapNoise { rotation: BlindRotation::Grouped { group: 2 }, ..noise() };
        for noise in [noise(), pairs] {
            let packed = noise.log2_packed_failure(5, 50.0, digits, 10);
            let added = noise.packing(digits, 10) / noise.variances().blind_rotation;
            let before = noise.log2_failure(5, 50.0 + added);
            // Steps of one word are rounded one by one in both cases.
            let same = noise.rotation == BlindRotation::Grouped { group: 1 };
            // The noise of packing hardly depends on the key.
            let close = (packed - before).abs() < 0.02;
            assert!(packed > before - 0.02 && same == close, "{packed} {before}");
        }
    }

    #[test]
    fn a_window_adds_little_to_the_coefficient_that_holds_a_ciphertext() {
        let digits = Decomposition { base_log: 16, levels: 2 };
        let ratio = noise().packing_window(digits, 11, 7) / noise().packing(digits, 11);
        // 64 + 32 * 5 + 16 * 21 + 8 * 85 + 4 * 341 + 2 * 1365 + 5461 to 1 398 101.
        assert!((ratio - 1.0 - 10_795.0 / 1_398_101.0).abs() < 1e-9, "{ratio}");
        let ratio = noise().packing_window(digits, 11, 0) / noise().packing(digits, 11);
        assert!((ratio - 1.0).abs() < 1e-12, "{ratio}");
    }

    #[test]
    fn the_decomposition_keeps_the_noise_below_that_of_a_bootstrap() {
        let limit = noise().variances().blind_rotation;
        let digits = noise().packing_decomposition(10);
        assert_eq!(digits, Decomposition { base_log: 16, levels: 2 });
        assert!(noise().packing(digits, 10) <= limit);
        for base_log in 1..=26 {
            assert!(noise().packing(Decomposition { base_log, levels: 1 }, 10) > limit);
        }
        // At most six digits are used, even if they do not suffice.
        let digits = noise().packing_decomposition(40);
        assert_eq!(digits.levels, 6);
        assert!(noise().packing(digits, 40) > limit);
    }
}
