//! Gadget decomposition in a power-of-two base, modulo one prime.

use crate::cut::Cut;
use crate::{Buffer, Decomposition, Eval, Poly};

/// The gadget `(1, B, B^2, ...)` with `B = 2^base_log`, for rings of a single prime: digits are in
/// `-B/2..=B/2` with mean zero, and digit `j` has weight `B^j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionalGadget(Decomposition);

impl PositionalGadget {
    /// Makes the gadget with as many digits of `base_log` bits, 2 to 30, as residues modulo
    /// `modulus` need. Signed digits of one bit could not represent positive numbers.
    pub fn new(base_log: u32, modulus: u64) -> PositionalGadget {
        debug_assert!((2..=30).contains(&base_log));
        // The offset that makes the digits signed is below `2 B^levels / 3`.
        let fits = |&levels: &u32| {
            let most = 1_u128 << (base_log * levels);
            u128::from(modulus) + offset(base_log, levels as usize) as u128 <= most
        };
        let levels = (1..=u64::BITS).find(fits).expect("64 digits hold any residue") as usize;
        PositionalGadget(Decomposition { base_log, levels })
    }

    /// Returns the number of digits.
    pub fn levels(self) -> usize {
        self.0.levels
    }

    /// Returns the weight of a digit.
    pub fn weight(self, level: usize) -> i64 {
        1 << (self.0.base_log as usize * level)
    }

    /// Returns the digits of the coefficients in the NTT domain: `p = sum_j digit[j] weight(j)`.
    /// The values are lazy, as the first operands of [`Poly::dot`] may be.
    pub fn decompose(self, p: &Poly<Eval>) -> Vec<Poly<Eval>> {
        debug_assert_eq!(p.limbs().len(), 1);
        let (ring, prime) = (p.ring(), p.ring().prime_index(p.limbs(), 0));
        let mut row = ring.pool().take(ring.degree());
        ring.inverse_excess(prime, &mut row, p.row(0));
        let Decomposition { base_log, levels } = self.0;
        let cut = Cut::new(base_log);
        let digits = cut.first_digits(levels, ring, prime, row);
        let values = |digit: &Buffer| {
            let mut values = Poly::uninitialized(ring, p.limbs());
            ring.forward_centered(prime, values.row_mut(0), digit, &cut.range);
            values
        };
        digits.iter().map(values).collect()
    }
}

/// Returns the number whose digits are all half of the base.
fn offset(base_log: u32, levels: usize) -> u64 {
    (0..levels).map(|level| 1 << (base_log as usize * level) << (base_log - 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limbs, Ring, Scalar, Seed, primes_below, uniform_eval};

    /// The mean of every digit of a uniformly random polynomial is therefore exactly zero.
    #[test]
    fn digits_of_the_opposite_polynomial_are_opposite() {
        let prime = primes_below(26.0, 128, 1, &[]).unwrap()[0];
        let ring = Ring::new(64, &[prime], &[]).unwrap();
        let p = uniform_eval(&ring, Limbs::chain(1), &Seed([3; 32]));
        for base_log in [2, 5, 7, 9, 13, 26] {
            let gadget = PositionalGadget::new(base_log, prime);
            let coefficients = |p: Poly<Eval>| p.into_coeff().words().to_vec();
            let opposites = gadget.decompose(&p.negated());
            for (digit, opposite) in gadget.decompose(&p).into_iter().zip(opposites) {
                assert_eq!(coefficients(digit), coefficients(opposite.negated()), "{base_log}");
            }
        }
    }

    #[test]
    fn weighted_digits_sum_to_the_polynomial() {
        let prime = primes_below(26.0, 128, 1, &[]).unwrap()[0];
        let ring = Ring::new(64, &[prime], &[]).unwrap();
        let limbs = Limbs::chain(1);
        let p = uniform_eval(&ring, limbs, &Seed([3; 32]));
        for base_log in [2, 5, 7, 9, 13, 26, 27] {
            let gadget = PositionalGadget::new(base_log, prime);
            let mut sum = Poly::zero(&ring, limbs);
            for (level, digit) in gadget.decompose(&p).into_iter().enumerate() {
                let digit = digit.into_coeff().into_eval();
                sum.mul_scalar_add_assign(
                    &digit,
                    &Scalar::from_signed(&ring, gadget.weight(level)),
                );
                let bound = 1 << (base_log - 1);
                let small = |&x: &u64| x <= bound || prime - x <= bound;
                assert!(digit.clone().into_coeff().row(0).iter().all(small), "base 2^{base_log}");
            }
            assert!(sum == p, "base 2^{base_log}");
        }
    }
}
