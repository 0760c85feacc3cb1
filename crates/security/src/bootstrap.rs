//! Noise of the programmable bootstrapping of TFHE, and its failure probability.
//!
//! The order is linear combination, key switching, modulus switching, blind rotation. All variances
//! are those of torus elements, that is relative to the modulus; a linear combination of blind
//! rotation outputs multiplies their variance by the sum of its squared coefficients, `norm2`. A
//! bootstrap reads a wrong value of `bits` bits if the noise of the exponent exceeds half of the
//! distance of two values:
//!
//! ```text
//! V = norm2 * V_rotation + V_switch + V_mask + V_body
//! log2 p = log2 erfc(2^-(bits + 1) / sqrt(2 V))
//! ```
//!
//! Each term is a sum over the steps of the operation, with the variance of a digit, `(B^2 + 2) /
//! 12`, and of the rounding of a decomposition, `B^(-2 l) / 12`. Where an error polynomial of an
//! accumulator's mask is multiplied by the binary key, it counts `kN / 2` times, the mean number of
//! ones of the key.
//!
//! *What is derived and what is measured.* All terms but one are derived. The error of the
//! floating-point transform is the fit that the authors of TFHE-rs published, times a factor
//! measured on this library's kernel: 2.0 for a CMUX and 1.75 times that for groups and blocks, at
//! `k N = 2048`, and `(2048 / kN)^0.15` elsewhere, because the error of this kernel grows more
//! slowly. With a CMUX and without this library's roundings of keys, the model reproduces six
//! published failure probabilities within 0.3 bit (a test).
//!
//! *Spread.* `V` is a mean over keys. `BootstrapNoise::key_deviation` bounds how far a single key
//! may be from it, and [`BootstrapNoise::log2_failure`] counts that: the mean of the failure
//! probability is larger than the probability at the mean, by 1.4 bits at most in the shipped sets.
//!
//! The variance is a model and not a bound, unlike the noise of the ring schemes: it takes the
//! outputs of different bootstraps to be independent. `cargo xtask tfhe-search` looks for circuits
//! that contradict it. The derivation is in `docs/maths/tfhe-parameters.md`.

use crate::log2_gaussian_tail;

/// Form of the blind rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlindRotation {
    /// One external product by `X^a acc - acc` for each coefficient (Chillotti, Gama, Georgieva,
    /// Izabachène, 2016).
    Cmux,
    /// `acc += sum_j (X^(a_j) - 1) (K_j x acc)` for each group of `group` binary coefficients, with
    /// one selector `K_j` for each of the `2^group - 1` nonzero values of the group. A group of one
    /// is a CMUX with this library's transform.
    Grouped {
        /// Number of coefficients in a group, at least 1.
        group: u32,
    },
    /// The sum of [`BlindRotation::Grouped`] for each block of `length` coefficients of a
    /// block-binary key, with one selector for each coefficient (Lee, Min, Seo, Song, eprint
    /// 2023/958).
    Block {
        /// Number of coefficients in a block, at least 2.
        length: u32,
    },
}

/// A step of the blind rotation: number of key coefficients, number of selectors, probability that
/// one of the selectors is one, and probability that a coefficient of the LWE key is one.
struct Step {
    coefficients: f64,
    selectors: f64,
    selected: f64,
    ones: f64,
    /// Variance of the exponent's error, relative to that of a single rounding, if the sums of all
    /// selectors are rounded together.
    rounding: f64,
}

impl BlindRotation {
    fn step(self) -> Step {
        let (coefficients, selectors, ones) = match self {
            Self::Cmux => (1.0, 1.0, 0.5),
            Self::Grouped { group } => (f64::from(group), f64::from(group).exp2() - 1.0, 0.5),
            Self::Block { length } => {
                let l = f64::from(length);
                (l, l, 1.0 / (l + 1.0))
            }
        };
        // Means over all words of the step; derivation in docs/maths/tfhe-parameters.md.
        let rounding = match self {
            Self::Grouped { group: 2 } => 15.0 / 32.0,
            Self::Block { length: 2 } => 10.0 / 27.0,
            Self::Block { length: 3 } => 57.0 / 128.0,
            Self::Block { length: 4 } => 0.4978,
            Self::Cmux | Self::Grouped { .. } | Self::Block { .. } => {
                coefficients * ones * (1.0 - ones)
            }
        };
        // One of the choices selects nothing, and all choices are equally likely.
        let selected = selectors / (selectors + 1.0);
        Step { coefficients, selectors, selected, ones, rounding }
    }
}

/// A signed gadget decomposition: `levels` digits in base `2^base_log`, most significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decomposition {
    /// Log2 of the base.
    pub base_log: u32,
    /// Number of digits.
    pub levels: u32,
}

impl Decomposition {
    /// Returns the variance of a digit, uniform in `-B/2..=B/2` with half the weight on the ends:
    /// `(B^2 + 2)/12`.
    pub(crate) fn digit_variance(self) -> f64 {
        ((2.0 * f64::from(self.base_log)).exp2() + 2.0) / 12.0
    }

    /// Returns the variance of the rounding error of the decomposition: `B^(-2 levels) / 12`.
    pub(crate) fn rounding_variance(self) -> f64 {
        (-2.0 * f64::from(self.base_log * self.levels)).exp2() / 12.0
    }
}

/// The parameters that determine the noise of a bootstrapping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapNoise {
    /// Dimension `n` of the LWE key.
    pub lwe_dimension: u32,
    /// Number `k` of polynomials of the GLWE key.
    pub glwe_dimension: u32,
    /// Degree `N` of each polynomial.
    pub polynomial_degree: u32,
    /// Extension factor `E`, the degree of the test polynomial divided by `N` (Lee, Yoon, PKC
    /// 2023). The accumulator then consists of `E` ciphertexts, each with the noise of one.
    pub extension: u32,
    /// Log2 of the noise deviation of the key-switching key, relative to its modulus.
    pub log_lwe_noise: f64,
    /// Log2 of the noise deviation of the bootstrapping key, relative to its modulus.
    pub log_glwe_noise: f64,
    /// Decomposition of the accumulator's mask in the blind rotation.
    pub mask: Decomposition,
    /// Decomposition of the accumulator's body. Its rounding error is not multiplied by the key, so
    /// that it needs fewer digits than the mask.
    pub body: Decomposition,
    /// Decomposition in the key switch.
    pub key_switch: Decomposition,
    /// Form of the blind rotation.
    pub rotation: BlindRotation,
}

/// Contributions to the noise of a bootstrapping: variances relative to the modulus, as means over
/// keys. [`BootstrapNoise::key_deviation`] is their spread.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NoiseVariances {
    /// Noise of the blind rotation, before any linear combination, with its mask rounded to 32-bit
    /// words.
    pub blind_rotation: f64,
    /// The part of `blind_rotation` that comes from errors of the accumulator's masks, which the
    /// key multiplies. The key has mean 1/2, so that coefficients of one accumulator share half of
    /// this part: two at distance `d` have the covariance `(1 - 2d/N) / 2`.
    pub mask_errors: f64,
    /// Noise of the key switch.
    pub key_switch: f64,
    /// Rounding of the mask to `Z/2EN`; the sums of a step are rounded together and their mean is
    /// compensated.
    pub mask_rounding: f64,
    /// Rounding of the body to `Z/2EN`.
    pub body_rounding: f64,
}

impl NoiseVariances {
    /// Returns the variance of the exponent of a bootstrapping whose input is a linear combination
    /// with this sum of squared coefficients.
    pub fn total(&self, squared_norm: f64) -> f64 {
        let fixed = self.key_switch + self.mask_rounding + self.body_rounding;
        squared_norm * self.blind_rotation + fixed
    }
}

impl BootstrapNoise {
    /// Computes the noise variance that each step of a bootstrap adds.
    pub fn variances(&self) -> NoiseVariances {
        let order = 2.0 * f64::from(self.extension) * f64::from(self.polynomial_degree);
        let grid = order.powi(-2) / 12.0;
        let step = self.rotation.step();
        let steps = f64::from(self.lwe_dimension) / step.coefficients;
        let [blind_rotation, mask_errors] = self.blind_rotation();
        NoiseVariances {
            blind_rotation,
            mask_errors,
            key_switch: self.key_switch().iter().sum(),
            mask_rounding: steps * step.rounding * grid,
            body_rounding: grid,
        }
    }

    /// Computes the variances if the words of the mask are rounded one by one, as for ciphertexts
    /// that share a mask.
    pub(crate) fn variances_rounded_singly(&self) -> NoiseVariances {
        let variances = self.variances();
        let ones = self.rotation.step().ones;
        let words = f64::from(self.lwe_dimension) * ones * (1.0 - ones);
        NoiseVariances { mask_rounding: words * variances.body_rounding, ..variances }
    }

    /// Returns the noise of the key, of the rounding of digits and of the transform, over all
    /// steps, plus that of the rounding of the output.
    ///
    /// Multiplying by `X^a - 1` after the product doubles the first two. A CMUX multiplies before
    /// the product: only the key's noise and half of the rounding remain.
    ///
    /// The first result is the total; the second is the part from errors of masks, which includes
    /// nearly all of the transform's error.
    fn blind_rotation(&self) -> [f64; 2] {
        let Step { coefficients, selectors, selected, .. } = self.rotation.step();
        let (k, degree) = (f64::from(self.glwe_dimension), f64::from(self.polynomial_degree));
        let mut noise = (2.0 * self.log_glwe_noise).exp2();
        if self.rotation != BlindRotation::Cmux {
            noise += (-2.0 * f64::from(kept_bits(self.log_glwe_noise))).exp2() / 12.0;
        }
        let key = |digits: Decomposition| {
            let product = selectors * f64::from(digits.levels) * degree * noise;
            product * digits.digit_variance()
        };
        let key = k * key(self.mask) + key(self.body);
        // A binary key of kN coefficients has kN/2 ones.
        let mask_rounding = 0.5 * k * degree * self.mask.rounding_variance();
        let body_rounding = self.body.rounding_variance();
        let transform =
            selectors * (k * self.transform(self.mask) + self.transform(self.body)) / (k + 1.0);
        let kernel = self.kernel_factor() * transform;
        let [rest, masks] = match self.rotation {
            BlindRotation::Cmux => [key, selected * mask_rounding + transform],
            BlindRotation::Grouped { group: 1 } => {
                [key + selected * body_rounding, selected * mask_rounding + kernel]
            }
            BlindRotation::Grouped { .. } | BlindRotation::Block { .. } => [
                2.0 * (key + selected * body_rounding),
                2.0 * selected * mask_rounding + PRODUCT_FORM_TRANSFORM * kernel,
            ],
        };
        let steps = f64::from(self.lwe_dimension) / coefficients;
        // The words of the output's mask are rounded to 32 bits.
        let output = 0.5 * k * degree * (-2.0 * 32.0_f64).exp2() / 12.0;
        [steps * (rest + masks) + output, steps * masks]
    }

    /// Returns the error variance of one external product by an FFT in double precision with 53
    /// bits of mantissa and a modulus of 64 bits: a fit to measurements by the authors of TFHE-rs.
    pub(crate) fn transform(&self, digits: Decomposition) -> f64 {
        let (k, degree) = (f64::from(self.glwe_dimension), f64::from(self.polynomial_degree));
        let log_scale = 2.0 * (64.0 - 53.0) - 2.0 * 64.0 + 2.0 * f64::from(digits.base_log);
        let size = f64::from(digits.levels).powf(1.018) * k.powf(1.22) * degree.powf(2.22);
        0.00705 * log_scale.exp2() * size * (k + 1.0).powf(1.018)
    }

    /// Returns the error of this library's kernel in a CMUX, relative to
    /// [`BootstrapNoise::transform`]. It grows more slowly with the degree: where the fit has
    /// `(k N)^1.22`, `(k N)^1.07` was measured, up to `k N = 65 536`.
    pub(crate) fn kernel_factor(&self) -> f64 {
        let dimension = f64::from(self.glwe_dimension) * f64::from(self.polynomial_degree);
        CMUX_TRANSFORM * (MEASURED_DIMENSION / dimension).powf(0.15)
    }

    /// Returns the noise of the key, and that of the rounding of digits, over all coefficients of
    /// the GLWE key.
    pub(crate) fn key_switch(&self) -> [f64; 2] {
        let dimension = f64::from(self.glwe_dimension) * f64::from(self.polynomial_degree);
        let mut noise = (2.0 * self.log_lwe_noise).exp2();
        if self.rotation != BlindRotation::Cmux {
            // The rounding error of the body counts, and those of the mask coefficients that are
            // multiplied by a one of the key.
            let ones = f64::from(self.lwe_dimension) * self.rotation.step().ones;
            noise += (1.0 + ones) * SWITCH_KEY_ROUNDING * SWITCH_KEY_ROUNDING;
        }
        let digits = self.key_switch;
        let key = f64::from(digits.levels) * noise * digits.digit_variance();
        [dimension * key, dimension * 0.5 * digits.rounding_variance()]
    }
}

/// Error of this library's transform in a CMUX at [`MEASURED_DIMENSION`], relative to
/// [`BootstrapNoise::transform`]: measured and rounded up. See docs/maths/tfhe-parameters.md.
const CMUX_TRANSFORM: f64 = 2.0;

/// Number of coefficients of the GLWE key for which [`CMUX_TRANSFORM`] was measured.
const MEASURED_DIMENSION: f64 = 2048.0;

/// Error of the transform for groups and blocks, relative to a CMUX. Multiplying their products by
/// `X^a - 1` doubles it; on the other hand, sums of selectors share an inverse transform, and the
/// spectra of the keys are computed in 64-bit integers.
const PRODUCT_FORM_TRANSFORM: f64 = 1.75;

/// Standard deviation of the rounding of a coefficient of the key-switching key, whose spectra this
/// library stores with 31 bits, as a fraction of the torus (docs/maths/fourier.md). It adds to the
/// noise of the key.
pub const SWITCH_KEY_ROUNDING: f64 = 1.0 / 4_290_000_000.0;

/// Returns the number of bits to which this library rounds the bodies of a bootstrapping key with
/// this noise deviation, relative to the modulus: the rounding adds at most 1/48 to the variance.
pub fn kept_bits(log_noise: f64) -> u32 {
    (1 - log_noise.floor() as i32).clamp(2, 63) as u32
}

/// Returns log2 of the probability that normal noise of this variance exceeds `2^-(bits + 1)`, the
/// largest error with which one of `2^bits` values decrypts correctly.
pub fn log2_failure(bits: u32, variance: f64) -> f64 {
    log2_gaussian_tail((-f64::from(bits) - 1.0).exp2() / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuniform(log_bound: i32) -> f64 {
        // The variance of the uniform distribution on -2^b..=2^b with half the weight on the ends.
        0.5 * ((2f64.powi(2 * log_bound + 1) + 1.0) / 6.0).log2() - 64.0
    }

    /// A published parameter set: bits, dimensions, noise of both keys, decompositions, squared
    /// norm, log2 failure.
    type Published = (u32, [u32; 3], [f64; 2], [[u32; 2]; 2], f64, f64);

    fn published() -> [Published; 6] {
        let gaussian = |deviation: f64| deviation.log2();
        let wide = gaussian(2.845_267_479_601_915e-15);
        [
            (5, [918, 1, 2048], [tuniform(45), tuniform(17)], [[23, 1], [4, 4]], 25.0, -129.58),
            (
                5,
                [866, 1, 2048],
                [gaussian(2.046_151_696_979_124e-6), wide],
                [[23, 1], [3, 5]],
                25.0,
                -128.60,
            ),
            (3, [879, 4, 512], [tuniform(46), tuniform(17)], [[23, 1], [5, 3]], 9.0, -144.3),
            (
                3,
                [837, 4, 512],
                [gaussian(3.374_714_248_183_739_7e-6), wide],
                [[23, 1], [5, 3]],
                9.0,
                -128.19,
            ),
            (7, [1077, 1, 8192], [tuniform(41), tuniform(3)], [[15, 2], [4, 5]], 81.0, -128.99),
            (9, [1117, 1, 65536], [tuniform(40), tuniform(3)], [[11, 3], [3, 7]], 289.0, -141.56),
        ]
    }

    fn uniform(group: u32) -> BootstrapNoise {
        BootstrapNoise {
            lwe_dimension: 896,
            glwe_dimension: 1,
            polynomial_degree: 2048,
            extension: 1,
            log_lwe_noise: -19.2,
            log_glwe_noise: -47.8,
            mask: Decomposition { base_log: 23, levels: 1 },
            body: Decomposition { base_log: 23, levels: 1 },
            key_switch: Decomposition { base_log: 1, levels: 16 },
            rotation: BlindRotation::Grouped { group },
        }
    }

    #[test]
    fn a_digit_of_a_small_base_has_the_stated_variance() {
        // Base 4: -2 and 2 with weight 1/8, -1, 0 and 1 with weight 1/4.
        let digits = Decomposition { base_log: 2, levels: 1 };
        assert!((digits.digit_variance() - (4.0 * 2.0 / 8.0 + 2.0 / 4.0)).abs() < 1e-15);
        assert!((digits.rounding_variance() - 1.0 / 192.0).abs() < 1e-15);
    }

    /// Returns the mean, over a grid of words, of the least variance of a step's errors, which
    /// `sums` computes from words, relative to the variance of a rounding.
    fn least_variance(words: u32, sums: impl Fn(&[f64]) -> Vec<f64>) -> f64 {
        let points = [0, 0, 300, 60, 24][words as usize];
        let grid = |index: u32| -> Vec<f64> {
            let digit = |i: u32| index / u32::pow(points, i) % points;
            (0..words).map(|i| (f64::from(digit(i)) + 0.5) / f64::from(points)).collect()
        };
        let cases = u32::pow(points, words);
        let least = |index: u32| {
            let parts: Vec<f64> = sums(&grid(index)).iter().map(|x| x.fract()).collect();
            let variance = |&from: &f64| {
                let errors = parts.iter().map(|&x| x - f64::from(u8::from(x >= from)));
                let (sum, squares) = errors.fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
                squares / parts.len() as f64 - (sum / parts.len() as f64).powi(2)
            };
            parts.iter().map(variance).fold(f64::INFINITY, f64::min)
        };
        (0..cases).map(least).sum::<f64>() / f64::from(cases) * 12.0
    }

    #[test]
    fn rounding_a_steps_sums_together_has_the_stated_variance() {
        let stated = |rotation: BlindRotation| rotation.step().rounding;
        let pairs = least_variance(2, |x| vec![0.0, x[0], x[1], x[0] + x[1]]);
        assert!(
            (pairs / stated(BlindRotation::Grouped { group: 2 }) - 1.0).abs() < 1e-3,
            "{pairs}"
        );
        for length in 2..=4 {
            let block = least_variance(length, |x| [&[0.0], x].concat());
            let ratio = block / stated(BlindRotation::Block { length });
            assert!((ratio - 1.0).abs() < 1e-3, "{length}: {ratio}");
            let singly = f64::from(length) * f64::from(length) / f64::from(length + 1).powi(2);
            assert!(block < 0.84 * singly);
        }
    }

    #[test]
    fn a_block_of_one_is_a_uniform_coefficient() {
        let block = BootstrapNoise { rotation: BlindRotation::Block { length: 1 }, ..uniform(1) };
        let (block, single) = (block.variances(), uniform(1).variances());
        assert!((block.mask_rounding / single.mask_rounding - 1.0).abs() < 1e-12);
    }

    #[test]
    fn multiplying_after_the_product_doubles_the_noise_of_a_cmux() {
        // Small digits make the transform's error negligible.
        let small = Decomposition { base_log: 8, levels: 2 };
        let cmux = BootstrapNoise { mask: small, body: small, ..uniform(1) };
        let product = BootstrapNoise { rotation: BlindRotation::Block { length: 1 }, ..cmux };
        let ratio = product.variances().blind_rotation / cmux.variances().blind_rotation;
        assert!((1.95..2.05).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_longer_test_polynomial_rounds_finer_with_the_same_noise_of_the_rotation() {
        let (one, four) = (uniform(1), BootstrapNoise { extension: 4, ..uniform(1) });
        let [one, four] = [one, four].map(|noise| noise.variances());
        assert!((one.mask_rounding / four.mask_rounding - 16.0).abs() < 1e-12);
        assert!((one.body_rounding / four.body_rounding - 16.0).abs() < 1e-12);
        assert!((one.blind_rotation / four.blind_rotation - 1.0).abs() < 1e-12);
        assert!((one.key_switch / four.key_switch - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_body_needs_fewer_digits_than_the_mask() {
        let fine = Decomposition { base_log: 15, levels: 2 };
        let both = BootstrapNoise { mask: fine, body: fine, ..uniform(2) };
        let mixed = BootstrapNoise { body: Decomposition { base_log: 20, levels: 1 }, ..both };
        let rotation = |noise: BootstrapNoise| noise.variances().blind_rotation;
        assert!(rotation(mixed) < rotation(uniform(2)) / 20.0);
        let body = BootstrapNoise { mask: mixed.body, body: fine, ..both };
        assert!(rotation(body) > 100.0 * rotation(mixed));
    }

    #[test]
    fn failure_grows_with_the_norm_and_the_precision() {
        let noise = uniform(2);
        for norm in [1.0, 10.0, 100.0] {
            assert!(noise.log2_failure(5, 2.0 * norm) > noise.log2_failure(5, norm));
            assert!(noise.log2_failure(6, norm) > noise.log2_failure(5, norm));
        }
        // A standard deviation of a sixth of the limit: 6 sigma.
        let limit = 2f64.powi(-6);
        let six_sigma = log2_failure(5, (limit / 6.0).powi(2));
        assert!((six_sigma - 1.973_175_290_075_395e-9f64.log2()).abs() < 1e-6);
    }

    #[test]
    fn the_model_reproduces_the_failure_probabilities_that_tfhe_rs_publishes() {
        for (bits, [n, k, degree], [lwe, glwe], [rotation, switch], norm, expected) in published() {
            let digits = |[base_log, levels]: [u32; 2]| Decomposition { base_log, levels };
            let noise = BootstrapNoise {
                lwe_dimension: n,
                glwe_dimension: k,
                polynomial_degree: degree,
                extension: 1,
                log_lwe_noise: lwe,
                log_glwe_noise: glwe,
                mask: digits(rotation),
                body: digits(rotation),
                key_switch: digits(switch),
                rotation: BlindRotation::Cmux,
            };
            // The published figures omit the rounding of the body.
            let variances = NoiseVariances { body_rounding: 0.0, ..noise.variances() };
            let ours = log2_failure(bits, variances.total(norm));
            assert!((ours - expected).abs() < 0.3, "n = {n}: {ours} instead of {expected}");
        }
    }
}
