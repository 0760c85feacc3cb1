//! The modulus switch, from torus elements to exponents of the blind rotation.
//!
//! An LWE ciphertext `(a, b)` under the small key is brought from `Z / 2^64` to `Z / 2EN`, the
//! exponents of `X` modulo `X^(EN) + 1`. Each rounding moves the phase, and these roundings are the
//! largest part of a bootstrap's noise. Two measures make them smaller.
//!
//! *Joint rounding.* A step of the blind rotation rotates by one of a few sums of its mask words,
//! which its key bits select: by 0, or by the sum of one selector. All of them are equally likely.
//! The sums are therefore rounded instead of the words, each up or down such that the variance of
//! the step's error is least. On a circle of one unit the fractional parts of the sums are points,
//! and 0 is one of them; for each gap between two points, those beyond it can be rounded up and the
//! others down, so that at most one choice more than there are sums has to be tried
//! ([`least_rounded_up`]). This leaves 15/16 of the variance of single roundings for pairs of
//! uniform bits and 0.83, 0.79, 0.78 for blocks of 2, 3 and 4. The model in
//! `crates/security/src/bootstrap.rs` has the same numbers, and a test here compares both.
//!
//! *Mean compensation.* The mean of each step's error over its choices is known, and it is
//! subtracted by way of the body before that is rounded. Only the deviation from the mean remains
//! as noise. For steps of one bit this is the mean compensation of eprint 2025/809, which halves
//! the variance.
//!
//! Errors are added up in units of `2^8`, so that the sum over thousands of steps stays below
//! `2^57`.

use crate::tfhe::Params;

/// The greatest number of selectors of a step.
const MAX_SELECTORS: usize = 4;

/// Appends the exponents of every step for a ciphertext under the small key (mask, then body), and
/// returns the exponent of the body. All are modulo twice the degree of the test polynomial.
pub(in crate::tfhe) fn switch_modulus(
    params: &Params,
    small: &[u64],
    exponents: &mut Vec<u32>,
) -> usize {
    let family = params.spec().family;
    let (shift, order) = (shift(params), 2 * params.test_degree() as u64);
    let (mask, body) = small.split_at(params.spec().small_dimension);
    let selectors = family.selectors();
    let count = selectors.len();
    let mut errors = 0;
    let mut sums = [0_u64; MAX_SELECTORS];
    for step in mask.chunks_exact(family.step()) {
        for (sum, selector) in sums.iter_mut().zip(family.selectors()) {
            let chosen = step.iter().enumerate().filter(|(bit, _)| selector >> bit & 1 == 1);
            *sum = chosen.fold(0, |sum, (_, &word)| sum.wrapping_add(word));
        }
        let least = least_rounded_up(&sums[..count], shift);
        for &sum in &sums[..count] {
            let exponent = (sum >> shift) + u64::from(least.is_some_and(|x| part(sum, shift) >= x));
            exponents.push((exponent % order) as u32);
            // The sum stays below `2^57`, even for thousands of terms.
            // The error is a difference modulo 2^64 of less than one unit: as a signed word it is
            // exact.
            errors += (exponent << shift).wrapping_sub(sum) as i64 >> 8;
        }
    }
    // The choice of no selector has no error, but counts for the mean.
    let mean = errors / (count as i64 + 1) * 256;
    exponent(params, body[0].wrapping_add(mean as u64)) as usize
}

/// Returns the least fractional part that is rounded up, such that the errors have the least
/// variance; `None` if all sums are rounded down. The sum 0 of the choice without a selector is not
/// among those given.
fn least_rounded_up(sums: &[u64], shift: u32) -> Option<u64> {
    const BITS: u32 = 20;
    let count = sums.len() as i64 + 1;
    // Returns the variance, times the squared count, if the fractional parts from `least` on are
    // rounded up.
    let variance = |least: Option<u64>| {
        let (mut sum, mut squares) = (0, 0);
        for part in sums.iter().map(|&sum| part(sum, shift)) {
            let up = i64::from(least.is_some_and(|least| part >= least)) << BITS;
            let error = up - (part >> (shift - BITS)) as i64;
            sum += error;
            squares += error * error;
        }
        count * squares - sum * sum
    };
    let parts = sums.iter().map(|&sum| part(sum, shift)).filter(|&part| part > 0).map(Some);
    std::iter::once(None).chain(parts).min_by_key(|&least| variance(least)).flatten()
}

/// Returns the fractional part of a sum, that is, the bits below an exponent.
fn part(sum: u64, shift: u32) -> u64 {
    sum & ((1 << shift) - 1)
}

/// Returns the exponent nearest to a torus element, below twice the degree of the test polynomial.
pub(in crate::tfhe) fn exponent(params: &Params, word: u64) -> u32 {
    let shift = shift(params);
    (word.wrapping_add(1 << (shift - 1)) >> shift) as u32
}

/// Returns the rounding error of [`exponent`].
pub(in crate::tfhe) fn rounding_error(params: &Params, word: u64) -> u64 {
    (u64::from(exponent(params, word)) << shift(params)).wrapping_sub(word)
}

/// Returns the number of bits that an exponent drops.
fn shift(params: &Params) -> u32 {
    64 - (2 * params.test_degree()).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::KeyFamily;
    use fathom_ring::SecretRng;

    /// Returns the exact sums of a step for all choices of its bits, the first of which is 0.
    fn exact(family: KeyFamily, step: &[u64]) -> Vec<u64> {
        let sum = |selector: u32| {
            (0..step.len()).filter(|i| selector >> i & 1 == 1).fold(0, |sum, i| step[i] + sum)
        };
        std::iter::once(0).chain(family.selectors().map(sum)).collect()
    }

    /// Checks for each family that the variance of the exponents' errors is that of the noise
    /// model, and that each exponent is one of the two nearest.
    #[test]
    fn rounding_has_the_variance_of_the_model() {
        for name in ["u_2_2_128", "u_bool_128", "u_3_3_128", "b_2_2_128"] {
            let params = Params::preset(name).unwrap();
            let family = params.spec().family;
            let (dimension, shift) = (params.spec().small_dimension, shift(&params));
            let mut rng = SecretRng::insecure_from_seed(3);
            let (mut variance, mut steps) = (0.0, 0.0);
            for _ in 0..100 {
                // The words are small enough that sums do not wrap around; there is no body.
                let mut words: Vec<_> = (0..dimension).map(|_| rng.next_word() >> 4).collect();
                words.push(0);
                let mut exponents = Vec::new();
                let body = switch_modulus(&params, &words, &mut exponents);
                let mut mean = 0.0;
                let chosen = exponents.chunks_exact(family.selectors().len());
                for (step, exponents) in words.chunks_exact(family.step()).zip(chosen) {
                    let exponents = std::iter::once(&0).chain(exponents);
                    let errors: Vec<f64> = exact(family, step)
                        .into_iter()
                        .zip(exponents)
                        .map(|(exact, &e)| f64::from(e) - exact as f64 / (shift as f64).exp2())
                        .collect();
                    assert!(errors.iter().all(|error| error.abs() < 1.0), "{errors:?}");
                    let count = errors.len() as f64;
                    let average = errors.iter().sum::<f64>() / count;
                    mean += average;
                    variance += errors.iter().map(|x| (x - average).powi(2)).sum::<f64>() / count;
                    steps += 1.0;
                }
                let order = 2.0 * params.test_degree() as f64;
                let body = body as f64;
                let body = if body > order / 2.0 { body - order } else { body };
                assert!((body - mean).abs() < 0.51, "{body} for {mean}");
            }
            let model = params.noise().variances();
            let model = model.mask_rounding / model.body_rounding / 12.0 / dimension as f64;
            let ratio = variance / steps / (model * family.step() as f64);
            // There are at least 22 000 steps, and the standard deviation of a step's squared error
            // is less than its mean.
            assert!((ratio - 1.0).abs() < 0.03, "{name}: {ratio}");
        }
    }
}
