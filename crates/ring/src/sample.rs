//! Samplers: public uniform polynomials from seeds, and secret small polynomials in constant time.
//!
//! The secret samplers use no rejection and have no branch or memory index that depends on a value.

use crate::{Error, Eval, Limbs, Poly, Ring, SecretCoefficients, SecretRng, Seed};
use fathom_kernels::{Kernel, available, wipe};
use std::sync::Arc;
use zeroize::Zeroizing;

/// Expands a seed to a uniform polynomial in the NTT domain (uniform values are uniform
/// coefficients). Each row depends only on the seed and its prime, so that fewer limbs give a
/// prefix of the same rows.
pub fn uniform_eval(ring: &Arc<Ring>, limbs: Limbs, seed: &Seed) -> Poly<Eval> {
    let mut poly = Poly::uninitialized(ring, limbs);
    for (row, prime) in ring.prime_indices(limbs).enumerate() {
        uniform_residues(ring.modulus(prime).value(), seed, poly.row_mut(row));
    }
    poly
}

/// Fills `out` with uniform words below `modulus`, by rejection from the BLAKE3 output stream of
/// `seed` for this modulus.
fn uniform_residues(modulus: u64, seed: &Seed, out: &mut [u64]) {
    let bits = 64 - modulus.leading_zeros();
    let mut stream = seed.stream(modulus);
    if bits <= 32 {
        reject(
            out,
            modulus,
            |bytes| stream.fill(bytes),
            |b: &[u8; 4]| u64::from(u32::from_le_bytes(*b)) & mask(bits),
        );
    } else {
        reject(
            out,
            modulus,
            |bytes| stream.fill(bytes),
            |b: &[u8; 8]| u64::from_le_bytes(*b) & mask(bits),
        );
    }
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// Keeps the words below `bound`. The bound has as many bits as a word, so at least half are kept.
fn reject<const B: usize>(
    out: &mut [u64],
    bound: u64,
    mut fill: impl FnMut(&mut [u8]),
    word: impl Fn(&[u8; B]) -> u64,
) {
    let mut bytes = [0u8; 8192];
    let range = 1u128 << (64 - bound.leading_zeros());
    let rejected = range - u128::from(bound);
    // Below a prime close to a power of two, a chunk has rarely a word to reject.
    // A chunk without a word to reject is copied without a test for each word. Which words are
    // rejected is public, because the stream of a seed is.
    let rare = rejected * (bytes.len() / B) as u128 * 8 < range;
    let mut kept = 0;
    while kept < out.len() {
        fill(&mut bytes);
        let words = bytes.as_chunks::<B>().0;
        let rest = &mut out[kept..];
        if rare {
            let count = words.len().min(rest.len());
            for (place, bytes) in rest.iter_mut().zip(words) {
                *place = word(bytes);
            }
            let below = rest[..count].iter().fold(u64::MAX, |all, w| all & w.wrapping_sub(bound));
            if below >> 63 == 1 {
                kept += count;
                continue;
            }
        }
        for chunk in words {
            let Some(place) = out.get_mut(kept) else { break };
            *place = word(chunk);
            kept += usize::from(*place < bound);
        }
    }
}

/// Draws `count` independent values from -1, 0, 1. Four values are the first digits in base three
/// of a fraction of 62 uniform bits: their 81 combinations are equally likely up to a relative
/// error of `2^-55`.
pub fn ternary(rng: &mut SecretRng, count: usize) -> SecretCoefficients {
    let mut row = vec![0; count.next_multiple_of(ROW_STEP)];
    let quarter = row.len() / 4;
    rng.fill_words(&mut row[..quarter]);
    any_kernel().ternary_digits(&mut row);
    signed(row, count)
}

/// Draws a uniform polynomial of `count` coefficients with exactly `weight` nonzero ones, each 1 or
/// -1.
///
/// The positions are drawn by sorting random keys with a fixed sorting network, so that no memory
/// index depends on them.
pub fn sparse_ternary(rng: &mut SecretRng, count: usize, weight: usize) -> SecretCoefficients {
    debug_assert!(count.is_power_of_two() && weight <= count);
    // The two lowest bits hold the value plus one; the other 62 bits are the random key.
    let mut words = Zeroizing::new(random_words(rng, count));
    for (i, word) in words.iter_mut().enumerate() {
        let sign = (*word & 1) << 1;
        let value = if i < weight { sign } else { 1 };
        *word = (*word & !3) | value;
    }
    bitonic_sort(&mut words);
    SecretCoefficients::new(words.iter().map(|w| (w & 3) as i64 - 1).collect())
}

/// Sorts a power of two of words by Batcher's bitonic network, whose sequence of comparisons is
/// fixed.
fn bitonic_sort(words: &mut [u64]) {
    let n = words.len();
    let mut block = 2;
    while block <= n {
        let mut stride = block / 2;
        while stride > 0 {
            for i in (0..n).filter(|i| i & stride == 0) {
                let ascending = u64::from(i & block == 0).wrapping_neg();
                let (a, b) = (words[i], words[i + stride]);
                let (low, high) = (a.min(b), a.max(b));
                let differs = low ^ high;
                words[i] = high ^ (differs & ascending);
                words[i + stride] = low ^ (differs & ascending);
            }
            stride /= 2;
        }
        block *= 2;
    }
}

/// Draws `count` independent uniform bits.
pub fn binary(rng: &mut SecretRng, count: usize) -> SecretCoefficients {
    // One word has 64 independent bits; a secret needs no more.
    let words = Zeroizing::new(random_words(rng, count.div_ceil(64)));
    let bit = |i: usize| (words[i / 64] >> (i % 64) & 1) as i64;
    SecretCoefficients::new((0..count).map(bit).collect())
}

/// Draws `blocks` independent blocks of `length` bits of which at most one is set; the `length + 1`
/// choices are equally likely up to `2^-60`.
pub fn block_binary(rng: &mut SecretRng, blocks: usize, length: usize) -> SecretCoefficients {
    let words = Zeroizing::new(random_words(rng, blocks));
    let choices = words.iter().map(|&word| wide_product_high(word, length as u64 + 1));
    let bits = choices.flat_map(|choice| {
        // The bit is one if the difference is zero, computed without a branch.
        (0..length as u64).map(move |place| {
            let differs = choice ^ place;
            1 ^ ((differs | differs.wrapping_neg()) >> 63) as i64
        })
    });
    // The capacity is allocated once, because growing would leave copies that are not wiped.
    let mut values = Vec::with_capacity(blocks * length);
    values.extend(bits);
    SecretCoefficients::new(values)
}

/// Draws `count` integers, uniform on `-bound..=bound` up to a relative error of the probabilities
/// of `2^-10` for bounds near `2^53`, and of at most `2^-24` below `2^39`: the noise of torus
/// ciphertexts. The standard deviation is `bound / sqrt(3)`.
pub fn uniform_noise(rng: &mut SecretRng, count: usize, bound: u64) -> SecretCoefficients {
    let range = 2 * bound + 1;
    let share = samples_of_a_word(range);
    let words = Zeroizing::new(random_words(rng, count.div_ceil(share)));
    let mut noise = vec![0; count];
    for (samples, &word) in noise.chunks_mut(share).zip(words.iter()) {
        let mut rest = word;
        for sample in samples {
            *sample = wide_product_high(rest, range) as i64 - bound as i64;
            // The high word of the product is a sample, and the low word is the fraction from which
            // the next one is drawn.
            rest = rest.wrapping_mul(range);
        }
    }
    SecretCoefficients::new(noise)
}

/// Returns the number of samples of `0..range` taken from a uniform word, as digits of a fraction
/// in that base: as many as have a product of ranges below `2^40`, but at least one.
fn samples_of_a_word(range: u64) -> usize {
    const MOST: u64 = 1 << 40;
    MOST.ilog(range.max(2)).max(1) as usize
}

/// Returns the high word of a product.
fn wide_product_high(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// Draws `count` samples of the difference of two 21-bit Hamming weights (centred binomial
/// distribution): variance 10.5, standard deviation 3.24. Three samples consume two 64-bit words of
/// the generator.
pub fn centered_binomial(rng: &mut SecretRng, count: usize) -> SecretCoefficients {
    let mut row = vec![0; count.next_multiple_of(ROW_STEP)];
    let third = row.len().div_ceil(3);
    rng.fill_words(&mut row[..2 * third]);
    any_kernel().weight_differences(&mut row);
    signed(row, count)
}

/// Rows of kernels have a multiple of this number of words.
const ROW_STEP: usize = 64;

/// Returns some kernel: one always exists, and all give the same results.
fn any_kernel() -> &'static dyn Kernel {
    available()[0]
}

/// Returns the first `count` words of a row as signed integers and wipes the others.
fn signed(mut row: Vec<u64>, count: usize) -> SecretCoefficients {
    wipe(&mut row[count..]);
    row.truncate(count);
    SecretCoefficients::new(row.into_iter().map(u64::cast_signed).collect())
}

/// A sampler of the discrete Gaussian by inversion of its cumulative distribution function with 63
/// bits. Every sample is compared with every threshold.
#[derive(Clone, Debug)]
pub struct Gaussian {
    thresholds: Vec<u64>,
}

impl Gaussian {
    /// Makes the sampler with Gaussian parameter `deviation`.
    ///
    /// # Errors
    /// [`Error::GaussianParameter`] unless it is between 0.5 and 1024.
    pub fn new(deviation: f64) -> Result<Gaussian, Error> {
        if (0.5..=1024.0).contains(&deviation) {
            Ok(Gaussian { thresholds: thresholds(deviation) })
        } else {
            Err(Error::GaussianParameter(deviation))
        }
    }

    /// Returns the largest absolute value of a sample.
    pub fn largest(&self) -> u64 {
        self.thresholds.len() as u64
    }

    /// Draws `count` samples with the kernel of `ring`.
    pub fn sample(&self, rng: &mut SecretRng, ring: &Ring, count: usize) -> SecretCoefficients {
        let words = Zeroizing::new(random_words(rng, count.next_multiple_of(ROW_STEP)));
        let mut magnitudes =
            Zeroizing::new(words.iter().map(|word| word >> 1).collect::<Vec<u64>>());
        // Every sample is compared with every threshold, so that neither time nor memory access
        // depends on its value.
        ring.kernel().count_above_assign(&mut magnitudes, &self.thresholds);
        let signed = |(word, magnitude): (&u64, &u64)| {
            let sign = -((word & 1) as i64);
            (*magnitude as i64 ^ sign) - sign
        };
        let samples = words.iter().zip(magnitudes.iter()).map(signed);
        SecretCoefficients::new(samples.take(count).collect())
    }
}

fn random_words(rng: &mut SecretRng, count: usize) -> Vec<u64> {
    let mut words = vec![0; count];
    rng.fill_words(&mut words);
    words
}

/// Returns `2^63 P(|X| >= k)` for `k = 1, 2, ...` as long as it is at least one.
fn thresholds(deviation: f64) -> Vec<u64> {
    let weight = |k: i32| (-f64::from(k * k) / (2.0 * deviation * deviation)).exp();
    let last = (14.0 * deviation).ceil() as i32;
    let total: f64 = weight(0) + 2.0 * (1..=last).rev().map(weight).sum::<f64>();
    let mut tail = 0.0;
    let mut out: Vec<u64> = (1..=last)
        .rev()
        .map(|k| {
            tail += 2.0 * weight(k);
            (tail / total * 63f64.exp2()) as u64
        })
        .collect();
    out.reverse();
    out.retain(|&t| t > 0);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[i64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<i64>() as f64 / n;
        (mean, values.iter().map(|&v| (v as f64 - mean).powi(2)).sum::<f64>() / n)
    }

    #[test]
    fn ternary_is_uniform_on_three_values() {
        let sample = ternary(&mut SecretRng::insecure_from_seed(1), 30_000);
        for value in -1..=1 {
            let count = sample.expose().iter().filter(|&&v| v == value).count();
            assert!((9_500..10_500).contains(&count), "{value}: {count}");
        }
    }

    #[test]
    fn sparse_ternary_has_its_weight_and_spreads_it() {
        let mut rng = SecretRng::insecure_from_seed(2);
        let mut first_half = 0;
        for _ in 0..50 {
            let sample = sparse_ternary(&mut rng, 1024, 192);
            assert_eq!(sample.expose().iter().filter(|&&v| v != 0).count(), 192);
            assert!(sample.expose().iter().all(|v| v.abs() <= 1));
            first_half += sample.expose()[..512].iter().filter(|&&v| v != 0).count();
        }
        assert!((4_500..5_100).contains(&first_half), "{first_half} of 9600 in the first half");
    }

    /// The statistic exceeds 55 with a probability of at most `e^(-55/2) (1 + 55/2) < 4e-11`, that
    /// of four degrees of freedom; with fewer it is smaller.
    #[test]
    fn block_binary_sets_each_place_or_none_equally_often() {
        const BLOCKS: usize = 200_000;
        let mut rng = SecretRng::insecure_from_seed(7);
        for length in [2, 3, 4] {
            let sample = block_binary(&mut rng, BLOCKS, length);
            assert_eq!(sample.expose().len(), BLOCKS * length);
            let mut counts = vec![0_u32; length + 1];
            for block in sample.expose().chunks_exact(length) {
                assert!(block.iter().all(|bit| (0..=1).contains(bit)), "{block:?}");
                assert!(block.iter().sum::<i64>() <= 1, "{block:?}");
                let place = block.iter().position(|&bit| bit == 1);
                counts[place.unwrap_or(length)] += 1;
            }
            let expected = BLOCKS as f64 / counts.len() as f64;
            let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
            let statistic: f64 = counts.iter().map(square).sum();
            assert!(statistic < 55.0, "{length}: {counts:?}, {statistic}");
        }
    }

    #[test]
    fn bitonic_network_sorts() {
        let mut rng = SecretRng::insecure_from_seed(3);
        let mut words: Vec<u64> = (0..256).map(|_| rng.next_word()).collect();
        let mut sorted = words.clone();
        sorted.sort_unstable();
        bitonic_sort(&mut words);
        assert_eq!(words, sorted);
    }

    #[test]
    fn gaussian_has_the_variance_and_the_probability_of_zero_it_should() {
        let ring = Ring::new(64, &[7681], &[]).unwrap();
        let sample = Gaussian::new(3.19).unwrap().sample(
            &mut SecretRng::insecure_from_seed(4),
            &ring,
            200_000,
        );
        let (mean, variance) = moments(sample.expose());
        assert!(mean.abs() < 0.04, "{mean}");
        assert!((variance / (3.19 * 3.19) - 1.0).abs() < 0.02, "{variance}");
        let zeros = sample.expose().iter().filter(|&&v| v == 0).count() as f64 / 200_000.0;
        let expected = 1.0 / (3.19 * std::f64::consts::TAU.sqrt());
        assert!((zeros / expected - 1.0).abs() < 0.03, "{zeros} vs {expected}");
    }

    /// A kernel takes whole lines of words alone.
    #[test]
    fn gaussian_samples_are_small_whatever_their_number() {
        let ring = Ring::new(64, &[7681], &[]).unwrap();
        let gaussian = Gaussian::new(3.19).unwrap();
        let mut rng = SecretRng::insecure_from_seed(8);
        for count in [0, 1, 7, 63, 64, 65, 1000] {
            let sample = gaussian.sample(&mut rng, &ring, count);
            assert_eq!(sample.expose().len(), count);
            assert!(sample.expose().iter().all(|value| value.abs() < 45), "{count}");
        }
    }

    #[test]
    fn a_parameter_without_errors_is_refused() {
        for wrong in [f64::NAN, f64::INFINITY, 0.0, -3.19, 5e-324, 1e300] {
            assert!(matches!(Gaussian::new(wrong), Err(Error::GaussianParameter(_))), "{wrong}");
        }
    }

    #[test]
    fn thresholds_fall_and_start_at_the_chance_of_a_nonzero_sample() {
        let t = thresholds(3.19);
        assert!(t.windows(2).all(|w| w[0] > w[1]));
        let nonzero = t[0] as f64 / 63f64.exp2();
        assert!((nonzero - (1.0 - 0.125_06)).abs() < 1e-3, "{nonzero}");
        assert!(t.len() > 6 * 3);
    }

    #[test]
    fn binomial_has_variance_ten_and_a_half() {
        let sample = centered_binomial(&mut SecretRng::insecure_from_seed(5), 100_000);
        let (mean, variance) = moments(sample.expose());
        assert!(mean.abs() < 0.05 && (variance - 10.5).abs() < 0.3, "{mean} {variance}");
    }

    #[test]
    fn uniform_noise_fills_its_range_and_neighbors_are_independent() {
        let mut rng = SecretRng::insecure_from_seed(6);
        let sample = uniform_noise(&mut rng, 90_001, 1);
        let mut pairs = [0; 9];
        for pair in sample.expose().windows(2) {
            pairs[(3 * (pair[0] + 1) + pair[1] + 1) as usize] += 1;
        }
        assert!(pairs.iter().all(|count| (9_500..10_500).contains(count)), "{pairs:?}");
        for log_bound in [14, 17, 26, 53] {
            let bound = 1_u64 << log_bound;
            let sample = uniform_noise(&mut rng, 100_000, bound);
            assert!(sample.expose().iter().all(|value| value.unsigned_abs() <= bound));
            let scaled: Vec<f64> =
                sample.expose().iter().map(|&value| value as f64 / bound as f64).collect();
            let mean = scaled.iter().sum::<f64>() / 100_000.0;
            let square = scaled.iter().map(|x| x * x).sum::<f64>() / 100_000.0;
            assert!(mean.abs() < 0.01 && (square - 1.0 / 3.0).abs() < 0.005, "{mean} {square}");
            for distance in 1..4 {
                let pairs = scaled.iter().zip(&scaled[distance..]);
                let correlation = pairs.map(|(x, y)| x * y).sum::<f64>() / 100_000.0;
                assert!(correlation.abs() < 0.006, "{correlation} at distance {distance}");
            }
        }
    }

    #[test]
    fn a_word_gives_as_many_samples_as_it_has_bits_for() {
        let samples = |log_range: u32| samples_of_a_word((1 << log_range) + 1);
        assert_eq!([14, 18, 27, 40, 54].map(samples), [2, 2, 1, 1, 1]);
        assert_eq!(samples_of_a_word(1), 40);
    }

    #[test]
    fn uniform_rows_fill_their_range_and_depend_on_the_seed() {
        let seed = Seed([7; 32]);
        for modulus in [65537, (1 << 30) - 35, (1 << 45) - 55] {
            let mut row = vec![0; 4096];
            uniform_residues(modulus, &seed, &mut row);
            assert!(row.iter().all(|&w| w < modulus));
            let mean = row.iter().map(|&w| w as f64 / modulus as f64).sum::<f64>() / 4096.0;
            assert!((mean - 0.5).abs() < 0.03, "{mean}");
            let mut other = vec![0; 4096];
            uniform_residues(modulus, &seed.child(0), &mut other);
            assert_ne!(row, other);
        }
    }
}
