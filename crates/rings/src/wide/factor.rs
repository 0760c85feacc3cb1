//! The factor of the message in a phase: a product of powers of chain primes.

/// The most chain primes that exact integers use.
pub(super) const MOST_PRIMES: usize = 4;

/// A public unit modulo `2^N + 1`, up to sign a product of powers of the chain primes: the phase is
/// the factor times the message, plus a multiple of `X - 2`.
///
/// A product multiplies factors and a division by a prime divides them; the scale-invariant product
/// leaves the factor of fresh ciphertexts as it is. Sums need equal ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Factor {
    pub(super) negative: bool,
    pub(super) exponents: [i16; MOST_PRIMES],
}

impl Factor {
    /// Returns `-Q` for the product `Q` of the first `primes` chain primes.
    pub(super) fn negated_modulus(primes: usize) -> Factor {
        let exponents = std::array::from_fn(|i| i16::from(i < primes));
        Factor { negative: true, exponents }
    }

    /// Returns the factor of a product.
    pub(super) fn times(self, other: Factor) -> Factor {
        let exponent = |i: usize| self.exponents[i].saturating_add(other.exponents[i]);
        let exponents = std::array::from_fn(exponent);
        Factor { negative: self.negative != other.negative, exponents }
    }

    /// Returns the factor after a division by chain prime `index`.
    pub(super) fn divided_by_prime(mut self, index: usize) -> Factor {
        self.exponents[index] = self.exponents[index].saturating_sub(1);
        self
    }

    pub(super) fn inverse(self) -> Factor {
        Factor { negative: self.negative, exponents: self.exponents.map(i16::saturating_neg) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_invariant_products_keep_the_factor_of_fresh_ciphertexts() {
        let fresh = Factor::negated_modulus(2);
        let product = fresh.times(fresh).times(Factor::negated_modulus(2).inverse());
        assert_eq!(product, fresh);
        assert_eq!(fresh.divided_by_prime(1), Factor::negated_modulus(1));
        assert_eq!(fresh.times(fresh.inverse()), Factor::default());
    }
}
