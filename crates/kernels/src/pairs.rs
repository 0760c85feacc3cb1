//! Many precomputed multiplicands of one modulus.

use crate::modulus::{fold, multiply_lazy};
use crate::{Form, Modulus};

/// Computes the words that kernels read for a residue, as [`Constant::pair`](crate::Constant) does,
/// for an odd modulus and without a division.
pub(crate) struct Pairs<'a> {
    modulus: &'a Modulus,
    form: Form,
    /// `-1 / q mod 2^64`.
    inverse: u64,
}

impl<'a> Pairs<'a> {
    /// Prepares pairs for an odd modulus.
    pub(crate) fn new(modulus: &'a Modulus, form: Form) -> Self {
        debug_assert!(modulus.value() % 2 == 1, "the modulus is odd");
        Self { modulus, form, inverse: modulus.inverse_of_word().wrapping_neg() }
    }

    /// Returns the modulus.
    pub(crate) fn modulus(&self) -> &Modulus {
        self.modulus
    }

    /// Returns the words for a canonical residue.
    #[inline]
    pub(crate) fn of(&self, value: u64) -> [u64; 2] {
        let q = self.modulus.value();
        match self.form {
            Form::Shoup64 => [value, self.quotient(value)],
            Form::Shoup52 => [value, self.quotient(value) >> 12],
            Form::Ratio => {
                let wrap = if value > q / 2 { q as i64 } else { 0 };
                let centered = (value as i64 - wrap) as f64;
                [centered.to_bits(), (centered / q as f64).to_bits()]
            }
        }
    }

    /// Returns the words for the negative of a residue that is not zero, from those for the
    /// residue.
    ///
    /// With `k` the bits of a word, `floor((q - v) 2^k / q) = 2^k - 1 - floor(v 2^k / q)`, because
    /// `v 2^k` is no multiple of `q`.
    #[inline]
    pub(crate) fn negated(&self, [first, second]: [u64; 2]) -> [u64; 2] {
        const SIGN: u64 = 1 << 63;
        match self.form {
            Form::Shoup64 => [self.modulus.value() - first, !second],
            Form::Shoup52 => [self.modulus.value() - first, !second & ((1 << 52) - 1)],
            Form::Ratio => [first ^ SIGN, second ^ SIGN],
        }
    }

    /// Returns `floor(value 2^64 / q)`. With the remainder `r`, it is the word `-r / q mod 2^64`,
    /// because `value 2^64 - r` is a multiple of `q`.
    #[inline]
    fn quotient(&self, value: u64) -> u64 {
        let q = self.modulus.value();
        let remainder = fold(multiply_lazy(value, self.modulus.pow64(), q), q);
        remainder.wrapping_mul(self.inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_of_constants() {
        for q in [3, 12_289, (1 << 32) - 5, (1 << 45) + 59, (1 << 61) - 1] {
            let modulus = Modulus::new(q).unwrap();
            for form in [Form::Shoup64, Form::Shoup52, Form::Ratio] {
                let pairs = Pairs::new(&modulus, form);
                let values = [0, 1, 2, q / 3, q / 2, q / 2 + 1, q - 2, q - 1];
                for value in values.into_iter().filter(|&value| value < q) {
                    assert_eq!(pairs.of(value), modulus.constant(value).pair(form), "{value} {q}");
                    if value != 0 {
                        assert_eq!(pairs.negated(pairs.of(value)), pairs.of(q - value));
                    }
                }
            }
        }
    }
}
