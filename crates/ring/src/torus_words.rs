//! Elementwise operations on rows of torus elements, words modulo `2^64`.

use crate::secret::TORUS_KERNEL;

/// Computes `sum[i] = a[i] + b[i]` modulo `2^32`. Shapes: rows of equal length.
#[inline]
pub fn short_sum(sum: &mut [u32], a: &[u32], b: &[u32]) {
    TORUS_KERNEL.short_sum(sum, a, b);
}

/// Computes `words[i] += terms[i]` modulo `2^64`.
pub fn add_words(words: &mut [u64], terms: &[u64]) {
    for (word, &term) in words.iter_mut().zip(terms) {
        *word = word.wrapping_add(term);
    }
}

/// Computes `words[i] -= terms[i]` modulo `2^64`.
pub fn subtract_words(words: &mut [u64], terms: &[u64]) {
    for (word, &term) in words.iter_mut().zip(terms) {
        *word = word.wrapping_sub(term);
    }
}

/// Rounds every word to a multiple of `2^(64 - bits)`, with `bits` from 1 to 63.
pub fn round_words(words: &mut [u64], bits: u32) {
    let shift = 64 - bits;
    let half = 1 << (shift - 1);
    for word in words {
        *word = word.wrapping_add(half) >> shift << shift;
    }
}

/// Subtracts `factor` times a secret polynomial from `words`, without a branch on the secret.
pub fn subtract_secret_multiple(words: &mut [u64], factor: u64, secret: &[i64]) {
    for (word, &coefficient) in words.iter_mut().zip(secret) {
        *word = word.wrapping_sub(factor.wrapping_mul(coefficient as u64));
    }
}

/// Converts reals in `[-2^log_range, 2^log_range]`, an interval that represents the torus once, to
/// words and appends them; both ends become the same word. `log_range` is at most 52.
pub fn extend_from_reals(words: &mut Vec<u64>, reals: &[f64], log_range: i32) {
    // The scale uses one bit less than a word, so that both ends of the range fit a signed integer.
    let scale = f64::from(62 - log_range).exp2();
    words.extend(reals.iter().map(|&x| ((x * scale) as i64 as u64) << 1));
}

/// Converts words to reals in `[-2^log_range, 2^log_range)`, which represents the torus once,
/// rounded to 53 bits.
///
/// Shapes: as many reals as words.
pub fn write_reals(words: &[u64], log_range: i32, reals: &mut [f64]) {
    let scale = f64::from(log_range - 63).exp2();
    for (real, &word) in reals.iter_mut().zip(words) {
        *real = word as i64 as f64 * scale;
    }
}

/// Computes the polynomial that repeats each of `values` equally often as consecutive coefficients,
/// times `X^-power` modulo `X^N + 1`, for a power below `2 N`. Its coefficients with indices 0
/// modulo `extension` come first, then those with indices 1, and so on.
///
/// Shapes: the number of values and `extension` divide the number of coefficients `N`.
pub fn rotated_steps(values: &[f64], power: usize, extension: usize, polynomial: &mut [f64]) {
    let degree = polynomial.len();
    let width = degree / values.len();
    for (part, outs) in polynomial.chunks_exact_mut(degree / extension).enumerate() {
        for (place, out) in outs.iter_mut().enumerate() {
            let from = (place * extension + part + power) % (2 * degree);
            let value = values[from / width % values.len()];
            *out = if from < degree { value } else { -value };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn terms_are_added_and_subtracted_across_the_end() {
        let mut words = [u64::MAX, 5];
        add_words(&mut words, &[2, 3]);
        assert_eq!(words, [1, 8]);
        subtract_words(&mut words, &[2, 3]);
        assert_eq!(words, [u64::MAX, 5]);
    }

    #[test]
    fn words_are_rounded_to_the_nearest_across_the_end() {
        let mut words = [0x17ff, 0x1800, u64::MAX, 0];
        round_words(&mut words, 52);
        assert_eq!(words, [0x1000, 0x2000, 0, 0]);
    }

    #[test]
    fn ends_of_the_range_are_half_a_turn() {
        let mut words = Vec::new();
        extend_from_reals(&mut words, &[-8.0, -1.0, 0.0, 4.0, 8.0], 3);
        assert_eq!(words, [1 << 63, 0xf << 60, 0, 1 << 62, 1 << 63]);
    }

    #[test]
    fn reals_and_words_are_inverse_to_each_other() {
        let words: Vec<u64> = (0..64).map(|bit| (1 << bit) | (1 << 63 >> (bit / 2))).collect();
        let mut reals = vec![0.0; words.len()];
        for log_range in [0, 22, 50] {
            write_reals(&words, log_range, &mut reals);
            let mut back = Vec::new();
            extend_from_reals(&mut back, &reals, log_range);
            for (back, word) in back.iter().zip(&words) {
                assert!((back.wrapping_sub(*word) as i64).abs() <= 1 << 11, "{word:x}");
            }
        }
    }

    proptest! {
        #[test]
        fn multiples_of_a_secret_are_subtracted(
            word in any::<u64>(), factor in any::<u64>(), bits in prop::collection::vec(0i64..2, 5),
        ) {
            let mut words = vec![word; bits.len()];
            subtract_secret_multiple(&mut words, factor, &bits);
            for (&word_after, &bit) in words.iter().zip(&bits) {
                prop_assert_eq!(word_after, word.wrapping_sub(if bit == 1 { factor } else { 0 }));
            }
        }

        #[test]
        fn turning_by_one_more_moves_every_coefficient(
            log_count in 0u32..4, power in 0usize..63, seed in any::<u8>(),
        ) {
            let values = (0..1 << log_count).map(|i| f64::from(i) + f64::from(seed));
            let values: Vec<f64> = values.collect();
            let (mut polynomial, mut next) = ([0.0; 32], [0.0; 32]);
            rotated_steps(&values, power, 1, &mut polynomial);
            rotated_steps(&values, power + 1, 1, &mut next);
            let moved: Vec<_> = polynomial[1..].iter().copied().chain([-polynomial[0]]).collect();
            prop_assert_eq!(&next[..], &moved[..]);
            for extension in [2, 8] {
                let mut parts = [0.0; 32];
                rotated_steps(&values, power + 1, extension, &mut parts);
                let part = |part: usize| next[part..].iter().step_by(extension);
                let expected: Vec<_> = (0..extension).flat_map(part).copied().collect();
                prop_assert_eq!(&parts[..], &expected[..]);
            }
            rotated_steps(&values, 0, 1, &mut polynomial);
            let width = 32 / values.len();
            let steps: Vec<_> = (0..32).map(|place| values[place / width]).collect();
            prop_assert_eq!(&polynomial[..], &steps[..]);
        }
    }
}
