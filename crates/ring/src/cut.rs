//! Signed digits of centred residues in a power-of-two base.

use crate::{Buffer, Ring};
use fathom_kernels::Modulus;

/// The decomposition of a residue modulo one prime `q` in base `B = 2^base_log`.
///
/// The centred residue `w` is divided by `B` and rounded to the nearest integer, ties to even; the
/// remainder is the lowest digit, and the quotient is decomposed in the same way. The last quotient
/// is the highest digit. Rounding is odd, and so are the digits as functions of `w`: for a
/// uniformly random residue their means are exactly zero, which an addition of half the base cannot
/// give. The digits are in `-B/2..=B/2` and are stored increased by `B/2`.
#[derive(Debug)]
pub(crate) struct Cut {
    base_log: u32,
    /// `B + 1`, the number of values of a digit.
    pub(crate) range: Modulus,
}

/// A number that is added to centred residues, so that they are positive: an even multiple of every
/// power of the base by which a residue is divided.
const LIFT: u64 = 1 << 62;

impl Cut {
    /// Makes the decomposition for a base of 2 to 30 bits.
    pub(crate) fn new(base_log: u32) -> Cut {
        debug_assert!((2..=30).contains(&base_log));
        let range = Modulus::new((1 << base_log) + 1).expect("at most 31 bits");
        Cut { base_log, range }
    }

    /// Returns as many digits as residues modulo `prime` need, lowest first. `row` holds the
    /// centred residues, increased by half of the prime.
    pub(crate) fn digits(&self, ring: &Ring, prime: usize, row: Buffer) -> Vec<Buffer> {
        self.first_digits(positions(ring.modulus(prime).bits(), self.base_log), ring, prime, row)
    }

    /// Returns `count` digits, which must be enough.
    pub(crate) fn first_digits(
        &self,
        count: usize,
        ring: &Ring,
        prime: usize,
        mut row: Buffer,
    ) -> Vec<Buffer> {
        debug_assert!(self.base_log as usize * (count - 1) < LIFT.ilog2() as usize);
        let modulus = ring.modulus(prime);
        let mut digits: Vec<Buffer> = (0..count).map(|_| ring.pool().take(row.len())).collect();
        let (last, others) = digits.split_last_mut().expect("a prime has a digit");
        let up = LIFT - modulus.value() / 2;
        row.iter_mut().for_each(|word| *word += up);
        for digit in others {
            self.divide(&mut row, digit);
        }
        let lift = LIFT >> (self.base_log as usize * (count - 1));
        for (digit, word) in last.iter_mut().zip(&*row) {
            *digit = word + self.half() - lift;
        }
        digits
    }

    /// Divides all words by the base; `remainders` become the remainders increased by half of it.
    fn divide(&self, words: &mut [u64], remainders: &mut [u64]) {
        let (base_log, half) = (self.base_log, self.half());
        for (word, remainder) in words.iter_mut().zip(remainders) {
            let is_odd = *word >> base_log & 1;
            let quotient = (*word + half - 1 + is_odd) >> base_log;
            *remainder = *word + half - (quotient << base_log);
            *word = quotient;
        }
    }

    fn half(&self) -> u64 {
        1 << (self.base_log - 1)
    }
}

/// Returns the number of digits of a residue modulo a prime of this length.
pub(crate) fn positions(modulus_bits: u32, base_log: u32) -> usize {
    modulus_bits.div_ceil(base_log) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primes_below;
    use std::sync::Arc;

    /// Returns the digits of all residues modulo a prime, `-h` first, as signed integers.
    fn all_digits(ring: &Arc<Ring>, base_log: u32) -> Vec<Vec<i64>> {
        let (cut, q) = (Cut::new(base_log), ring.modulus(0).value());
        let half = cut.half() as i64;
        let mut all = vec![Vec::new(); positions(ring.modulus(0).bits(), base_log)];
        let words: Vec<u64> = (0..q).collect();
        for words in words.chunks(ring.degree()) {
            let mut row = ring.pool().take(ring.degree());
            row[..words.len()].copy_from_slice(words);
            row[words.len()..].fill(0);
            for (all, digit) in all.iter_mut().zip(cut.digits(ring, 0, row)) {
                all.extend(digit[..words.len()].iter().map(|&word| word as i64 - half));
            }
        }
        all
    }

    fn small_rings() -> impl Iterator<Item = Arc<Ring>> {
        [10.1, 11.0, 11.4, 12.0, 12.6, 13.3]
            .map(|bits| primes_below(bits, 128, 1, &[]).unwrap()[0])
            .into_iter()
            .map(|prime| Ring::new(64, &[prime], &[]).unwrap())
    }

    #[test]
    fn weighted_digits_sum_to_the_centered_residue() {
        for ring in small_rings() {
            let half_of_modulus = ring.modulus(0).value() as i64 / 2;
            for base_log in 2..=14 {
                let digits = all_digits(&ring, base_log);
                for w in -half_of_modulus..=half_of_modulus {
                    let at = (w + half_of_modulus) as usize;
                    let sum = digits.iter().rev().fold(0, |sum, d| (sum << base_log) + d[at]);
                    assert_eq!(sum, w, "base 2^{base_log}");
                }
            }
        }
    }

    #[test]
    fn digits_are_at_most_half_of_the_base_and_odd_functions_of_the_residue() {
        for ring in small_rings() {
            for base_log in 2..=14 {
                for digits in all_digits(&ring, base_log) {
                    let opposite = digits.iter().rev();
                    assert!(digits.iter().zip(opposite).all(|(d, o)| *d == -o));
                    assert!(digits.iter().all(|d| d.abs() <= 1 << (base_log - 1)));
                }
            }
        }
    }

    /// The definition of the parameter, in random directions and in those of single digits.
    #[test]
    fn digits_of_a_uniform_residue_are_sub_gaussian_with_the_parameter_of_the_model() {
        let mut rng = crate::SecretRng::insecure_from_seed(1);
        let mut real = || (rng.next_word() >> 11) as f64 / 52f64.exp2() - 1.0;
        for ring in small_rings() {
            let bits = (ring.modulus(0).value() as f64).log2();
            for base_log in 2..=14 {
                let gadget = crate::Gadget::Positional { base_log };
                let limit = gadget.parameter_bits_of(&[bits]).exp2();
                let digits = all_digits(&ring, base_log);
                let units = (0..digits.len())
                    .map(|k| (0..digits.len()).map(|j| f64::from(u8::from(j == k))).collect());
                let others = (0..40).map(|_| digits.iter().map(|_| real()).collect());
                for direction in units.chain(others).collect::<Vec<Vec<f64>>>() {
                    for size in [0.01, 0.1, 0.5, 1.0, 3.0] {
                        let found = parameter(&digits, &direction, size / limit);
                        assert!(found <= limit * (1.0 + 1e-9), "2^{base_log}: {found} > {limit}");
                    }
                }
            }
        }
    }

    /// Returns the least parameter for which the definition holds at `factor` times a direction.
    fn parameter(digits: &[Vec<i64>], direction: &[f64], factor: f64) -> f64 {
        let norm = direction.iter().map(|u| u * u).sum::<f64>().sqrt();
        let exponent = |at: usize| {
            let terms = digits.iter().zip(direction).map(|(d, u)| u * d[at] as f64);
            terms.sum::<f64>() * factor / norm
        };
        let count = digits[0].len();
        let mean = (0..count).map(|at| exponent(at).exp()).sum::<f64>() / count as f64;
        (2.0 * mean.ln()).max(0.0).sqrt() / factor
    }
}
