//! A modulus with the constants of its reductions.

use crate::{Constant, Form};

/// Exclusive upper bound of the moduli of the vector kernels, about `2^45.87`.
///
/// A forward transform of `L` levels lets values grow to `(4 L + 2) q`, which must stay below
/// `2^52`. The bound is for the largest degree, `2^17`. Inverse transforms stay below `64 q`.
pub(crate) const W46_MAX: u64 = (1 << 52) / (4 * 17 + 2);

/// Reason why a number cannot be a modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModulusError {
    /// The value is not in `[2, 2^61)`.
    #[error("the modulus {value} is not at least 2 and below 2^61")]
    OutOfRange {
        /// The refused value.
        value: u64,
    },
}

/// A modulus `q` in `[2, 2^61)`, usually a prime.
///
/// The scalar methods take canonical operands (in `[0, q)`) unless they say otherwise, and return
/// canonical results. Their time is independent of the operands, except for [`Modulus::pow`] (which
/// depends on the exponent) and [`Modulus::inverse`].
#[derive(Clone, Copy, Debug)]
pub struct Modulus {
    value: u64,
    bits: u32,
    /// `floor(2^64 / q)`; its top 52 bits are `floor(2^52 / q)`.
    barrett: u64,
    /// `r = 2^64 mod q`, and `floor(r 2^64 / q)`.
    pow64: [u64; 2],
    /// `r = 2^52 mod q`, and `floor(r 2^52 / q)`.
    pow52: [u64; 2],
}

impl PartialEq for Modulus {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Modulus {}

impl std::hash::Hash for Modulus {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl Modulus {
    /// Precomputes the reductions modulo `q`.
    ///
    /// # Errors
    /// [`ModulusError::OutOfRange`] unless `2 <= q < 2^61`.
    pub fn new(q: u64) -> Result<Self, ModulusError> {
        if !(2..1 << 61).contains(&q) {
            return Err(ModulusError::OutOfRange { value: q });
        }
        let power_and_quotient = |bits: u32| {
            let power = (1u128 << bits) % q as u128;
            [power as u64, ((power << bits) / q as u128) as u64]
        };
        Ok(Self {
            value: q,
            bits: u64::BITS - q.leading_zeros(),
            barrett: ((1u128 << 64) / q as u128) as u64,
            pow64: power_and_quotient(64),
            pow52: power_and_quotient(52),
        })
    }

    /// Returns the modulus.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// Returns the length in bits: the smallest `b` with `q < 2^b`.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns `floor(2^52 / q)`.
    pub(crate) fn barrett52(&self) -> u64 {
        self.barrett >> 12
    }

    /// Returns `2^64 mod q` and its quotient.
    pub(crate) fn pow64(&self) -> [u64; 2] {
        self.pow64
    }

    /// Returns `2^52 mod q` and its quotient for 52-bit lanes.
    pub(crate) fn pow52(&self) -> [u64; 2] {
        self.pow52
    }

    /// Returns `x mod q` for any word.
    #[inline]
    pub fn reduce(&self, x: u64) -> u64 {
        fold(self.reduce_lazy(x), self.value)
    }

    /// Returns a representative of `x` in `[0, 2q)`; the estimated quotient is too small by at most
    /// one.
    #[inline]
    pub(crate) fn reduce_lazy(&self, x: u64) -> u64 {
        x - high(x, self.barrett) * self.value
    }

    /// Returns `x mod q` for any 128-bit integer.
    #[inline]
    pub fn reduce_u128(&self, x: u128) -> u64 {
        fold(self.reduce_u128_lazy(x), self.value)
    }

    /// Returns a representative of `x` in `[0, 2q)`. With `x = h 2^64 + l` it is
    /// `h (2^64 mod q) + l`, each summand reduced to `[0, 2q)`.
    #[inline]
    pub(crate) fn reduce_u128_lazy(&self, x: u128) -> u64 {
        // Both summands are below 2q, and q is below 2^61: their sum fits a word.
        let upper = multiply_lazy((x >> 64) as u64, self.pow64, self.value);
        fold(upper + self.reduce_lazy(x as u64), 2 * self.value)
    }

    /// Returns `a + b mod q`.
    #[inline]
    pub fn add(&self, a: u64, b: u64) -> u64 {
        fold(a + b, self.value)
    }

    /// Returns `a - b mod q`.
    #[inline]
    pub fn sub(&self, a: u64, b: u64) -> u64 {
        fold(a + self.value - b, self.value)
    }

    /// Returns `-a mod q`.
    #[inline]
    pub fn neg(&self, a: u64) -> u64 {
        fold(self.value - a, self.value)
    }

    /// Returns `a b mod q`.
    #[inline]
    pub fn mul(&self, a: u64, b: u64) -> u64 {
        self.reduce_u128(a as u128 * b as u128)
    }

    /// Returns `base^exponent mod q`; `0^0` is 1. The time depends on the exponent.
    pub fn pow(&self, base: u64, mut exponent: u64) -> u64 {
        let (mut power, mut square) = (1, base);
        while exponent != 0 {
            if exponent & 1 == 1 {
                power = self.mul(power, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        power
    }

    /// Returns the inverse of `a` modulo `q`, or `None` if `gcd(a, q) > 1`. The time depends on
    /// `a`.
    pub fn inverse(&self, a: u64) -> Option<u64> {
        let (mut r0, mut r1) = (self.value as i64, a as i64);
        let (mut t0, mut t1) = (0i64, 1i64);
        while r1 != 0 {
            let quotient = r0 / r1;
            (r0, r1) = (r1, r0 - quotient * r1);
            (t0, t1) = (t1, t0 - quotient * t1);
        }
        (r0 == 1).then(|| self.from_signed(t0))
    }

    /// Returns the residue of a signed integer.
    #[inline]
    pub fn from_signed(&self, x: i64) -> u64 {
        let magnitude = self.reduce(x.unsigned_abs());
        let negative = (x >> 63) as u64;
        (magnitude & !negative) | (self.neg(magnitude) & negative)
    }

    /// Returns the representative of a residue in `(-q/2, q/2]`.
    #[inline]
    pub fn to_signed(&self, x: u64) -> i64 {
        let above = (self.value / 2).wrapping_sub(x) >> 63;
        x as i64 - (above * self.value) as i64
    }

    /// Prepares the canonical residue `v` for the multiplication of many words.
    pub fn constant(&self, v: u64) -> Constant {
        Constant::new(self.value, v)
    }

    /// Returns the two words by which [`crate::lanes::Lanes::output`] multiplies by `constant`.
    /// 52-bit lanes use Montgomery form: an odd representative `w < 2q` of the residue times
    /// `2^52`, and `-w / q` modulo `2^52`.
    pub(crate) fn output_pair(&self, constant: &Constant, form: Form) -> [u64; 2] {
        if form != Form::Shoup52 {
            return constant.pair(form);
        }
        let q = self.value;
        let residue = self.mul(constant.value(), self.pow52[0]);
        let w = if residue % 2 == 1 { residue } else { residue + q };
        [w, w.wrapping_mul(self.inverse_of_word()).wrapping_neg() % (1 << 52)]
    }

    /// Returns `1 / q mod 2^64`, for an odd modulus.
    pub(crate) fn inverse_of_word(&self) -> u64 {
        // Newton's iteration: each step doubles the number of correct low bits of an inverse of
        // `q`: 3, 6, 12, 24, 48, 96.
        let q = self.value;
        let step = |x: u64, _| x.wrapping_mul(2_u64.wrapping_sub(q.wrapping_mul(x)));
        (0..5).fold(q, step)
    }
}

/// Returns the high word of a product.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn high(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> 64) as u64
}

/// Returns `x - bound` if that is not negative, else `x`, without a branch, for `x` below
/// `2^63 + bound`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn fold(x: u64, bound: u64) -> u64 {
    x.min(x.wrapping_sub(bound))
}

/// Returns a representative of `x w mod q` in `[0, 2q)` for any word `x`, from `w` in `[0, q)` and
/// `floor(w 2^64 / q)` (Shoup's method).
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply_lazy(x: u64, [w, quotient]: [u64; 2], q: u64) -> u64 {
    x.wrapping_mul(w).wrapping_sub(high(x, quotient).wrapping_mul(q))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EDGES: [u64; 10] = [
        2,
        3,
        4,
        65_537,
        (1 << 24) - 3,
        (1 << 31) - 1,
        W46_MAX,
        (1 << 52) - 1,
        (1 << 60) + 33,
        (1 << 61) - 1,
    ];

    #[test]
    fn values_outside_the_range_are_refused() {
        for value in [0, 1, 1 << 61, u64::MAX] {
            assert_eq!(Modulus::new(value), Err(ModulusError::OutOfRange { value }));
        }
    }

    #[test]
    fn bits_is_the_length_of_the_modulus() {
        for q in EDGES {
            let bits = Modulus::new(q).unwrap().bits();
            assert!(q < 1 << bits && q >= 1 << (bits - 1));
        }
    }

    #[test]
    fn reductions_agree_with_division_at_the_edges() {
        for q in EDGES {
            let m = Modulus::new(q).unwrap();
            for x in [0, 1, q - 1, q, q + 1, 2 * q - 1, u64::MAX - 1, u64::MAX] {
                assert_eq!(m.reduce(x), x % q);
                for y in [0, 1, q - 1, u64::MAX] {
                    let wide = (x as u128) << 64 | y as u128;
                    assert_eq!(m.reduce_u128(wide) as u128, wide % q as u128);
                }
            }
        }
    }

    #[test]
    fn negation_and_centring_at_the_edges() {
        for q in EDGES {
            let m = Modulus::new(q).unwrap();
            for a in [0, 1, q / 2, q / 2 + 1, q - 1].map(|a| a.min(q - 1)) {
                assert_eq!(m.add(a, m.neg(a)), 0);
                let signed = m.to_signed(a);
                assert_eq!(m.from_signed(signed), a);
                assert!(2 * signed as i128 <= q as i128 && 2 * signed as i128 > -(q as i128));
            }
        }
    }

    #[test]
    fn an_inverse_exists_exactly_for_units() {
        let m = Modulus::new(15).unwrap();
        for a in 0..15 {
            let unit = a % 3 != 0 && a % 5 != 0;
            assert_eq!(m.inverse(a).map(|inverse| m.mul(a, inverse)), unit.then_some(1));
        }
    }

    #[test]
    fn the_words_of_an_output_make_products_divisible() {
        let modulus = Modulus::new((1 << 45) + 59).unwrap();
        let q = modulus.value();
        for value in [0, 1, 2, q / 2, q - 1] {
            let [w, multiple] = modulus.output_pair(&modulus.constant(value), Form::Shoup52);
            assert!(w % 2 == 1 && w < 2 * q && multiple < 1 << 52);
            assert_eq!(w.wrapping_add(multiple.wrapping_mul(q)) % (1 << 52), 0);
            assert_eq!(w % q, modulus.mul(value, (1 << 52) % q));
        }
    }

    proptest! {
        #[test]
        fn scalar_arithmetic_agrees_with_wide_integers(
            q in 2u64..1 << 61, a: u64, b: u64, x: i64, wide: u128
        ) {
            let m = Modulus::new(q).unwrap();
            let (a, b) = (a % q, b % q);
            let q = q as i128;
            let expect = |v: i128| v.rem_euclid(q) as u64;
            prop_assert_eq!(m.add(a, b), expect(a as i128 + b as i128));
            prop_assert_eq!(m.sub(a, b), expect(a as i128 - b as i128));
            prop_assert_eq!(m.mul(a, b), expect(a as i128 * b as i128));
            prop_assert_eq!(m.from_signed(x), expect(x as i128));
            prop_assert_eq!(m.reduce_u128(wide) as u128, wide % q as u128);
            prop_assert_eq!(m.pow(a, 3), m.mul(a, m.mul(a, a)));
            prop_assert!(m.inverse(a).is_none_or(|inverse| m.mul(a, inverse) == 1));
        }
    }
}
