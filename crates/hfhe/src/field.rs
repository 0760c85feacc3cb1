//! Arithmetic modulo the prime `p = 2^127 - 1`, without branches on values.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use zeroize::Zeroize;

/// `2^127 - 1`.
pub const MODULUS: u128 = (1 << 127) - 1;

/// An integer modulo [`MODULUS`], always in canonical form, that is, in `[0, p)`.
///
/// Additions, products and inverses take constant time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Zeroize)]
pub struct Fp(u128);

impl Fp {
    /// Zero.
    pub const ZERO: Fp = Fp(0);
    /// One.
    pub const ONE: Fp = Fp(1);

    /// Returns the residue of any 128-bit number.
    pub const fn new(value: u128) -> Fp {
        fold(value)
    }

    /// Returns the element `value`, if it is canonical.
    pub(crate) const fn from_canonical(value: u128) -> Option<Fp> {
        if value < MODULUS { Some(Fp(value)) } else { None }
    }

    /// Returns the residue of a signed number.
    pub const fn from_signed(value: i128) -> Fp {
        let Fp(magnitude) = fold(value.unsigned_abs());
        let negative = (value >> 127) as u128;
        fold((magnitude & !negative) | ((MODULUS - magnitude) & negative))
    }

    /// Returns the canonical representative.
    pub const fn value(self) -> u128 {
        self.0
    }

    /// Returns the representative of least magnitude.
    pub const fn to_signed(self) -> i128 {
        let above_half = ((MODULUS / 2).wrapping_sub(self.0) as i128) >> 127;
        (self.0 as i128).wrapping_sub((MODULUS & above_half as u128) as i128)
    }

    /// Computes `self^exponent`; the exponent is public.
    pub fn pow(self, exponent: u128) -> Fp {
        let bits = u128::BITS - exponent.leading_zeros();
        (0..bits).rev().fold(Fp::ONE, |power, bit| {
            let square = power * power;
            if exponent >> bit & 1 == 1 { square * self } else { square }
        })
    }

    /// Computes `1 / self`, and zero for zero, as the power `p - 2 = 4 (2^125 - 1) + 1`.
    pub fn inverse(self) -> Fp {
        // `x_k` is `self^(2^k - 1)`, and `x_(j + k) = x_j^(2^k) x_k`.
        let join = |x: Fp, squarings: u32, y: Fp| x.squared(squarings) * y;
        let x1 = self;
        let x2 = join(x1, 1, x1);
        let x3 = join(x2, 1, x1);
        let x6 = join(x3, 3, x3);
        let x12 = join(x6, 6, x6);
        let x24 = join(x12, 12, x12);
        let x25 = join(x24, 1, x1);
        let x50 = join(x25, 25, x25);
        let x100 = join(x50, 50, x50);
        let x125 = join(x100, 25, x25);
        join(x125, 2, x1)
    }

    fn squared(self, times: u32) -> Fp {
        (0..times).fold(self, |x, _| x * x)
    }
}

/// Inverts all elements, by one inversion and three products for each element (Montgomery). None
/// may be zero.
pub(crate) fn invert_all(elements: &mut [Fp]) {
    debug_assert!(!elements.contains(&Fp::ZERO), "zero has no inverse");
    let mut product = Fp::ONE;
    let mut before: Vec<Fp> = elements
        .iter()
        .map(|&x| {
            let before = product;
            product *= x;
            before
        })
        .collect();
    let mut inverse = product.inverse();
    for (x, before) in elements.iter_mut().zip(&before).rev() {
        let own = inverse * *before;
        inverse *= *x;
        *x = own;
    }
    before.zeroize();
}

/// Computes `x mod p` for any `x < 2^128`: `2^127 = 1`, then one conditional subtraction under a
/// mask.
#[inline(always)]
const fn fold(x: u128) -> Fp {
    let folded = (x & MODULUS) + (x >> 127);
    let reduced = folded.wrapping_sub(MODULUS);
    // All ones if the subtraction was negative: both numbers are at most `2^127`.
    let keep = ((reduced as i128) >> 127) as u128;
    Fp(reduced.wrapping_add(MODULUS & keep))
}

impl Add for Fp {
    type Output = Fp;
    #[inline]
    fn add(self, other: Fp) -> Fp {
        fold(self.0 + other.0)
    }
}

impl Sub for Fp {
    type Output = Fp;
    #[inline]
    fn sub(self, other: Fp) -> Fp {
        fold(self.0 + (MODULUS - other.0))
    }
}

impl Neg for Fp {
    type Output = Fp;
    #[inline]
    fn neg(self) -> Fp {
        fold(MODULUS - self.0)
    }
}

impl Mul for Fp {
    type Output = Fp;
    #[inline]
    fn mul(self, other: Fp) -> Fp {
        let [a0, a1] = [self.0 as u64, (self.0 >> 64) as u64].map(u128::from);
        let [b0, b1] = [other.0 as u64, (other.0 >> 64) as u64].map(u128::from);
        // Both high words are below 2^63, so the middle sum is below 2^128.
        let (low, middle, high) = (a0 * b0, a0 * b1 + a1 * b0, a1 * b1);
        let (low, carry) = low.overflowing_add(middle << 64);
        let high = high + (middle >> 64) + u128::from(carry);
        // high 2^128 + low, and 2^128 = 2; high is below 2^126.
        let low_folded = (low & MODULUS) + (low >> 127);
        fold(low_folded + (high << 1))
    }
}

impl AddAssign for Fp {
    #[inline]
    fn add_assign(&mut self, other: Fp) {
        *self = *self + other;
    }
}

impl SubAssign for Fp {
    #[inline]
    fn sub_assign(&mut self, other: Fp) {
        *self = *self - other;
    }
}

impl MulAssign for Fp {
    #[inline]
    fn mul_assign(&mut self, other: Fp) {
        *self = *self * other;
    }
}

impl From<u64> for Fp {
    fn from(value: u64) -> Fp {
        Fp(value.into())
    }
}

impl From<i64> for Fp {
    fn from(value: i64) -> Fp {
        Fp::from_signed(value.into())
    }
}

/// Prints the value in hexadecimal. Field elements of ciphertexts are public; secret ones are
/// stored in types without `Debug`.
impl fmt::Debug for Fp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    const EDGES: [u128; 8] =
        [0, 1, 2, MODULUS / 2, MODULUS / 2 + 1, MODULUS - 1, MODULUS, u128::MAX];

    fn big(x: u128) -> BigUint {
        BigUint::from(x)
    }

    fn same(x: Fp, expected: &BigUint) {
        assert_eq!(big(x.value()), expected % big(MODULUS));
    }

    fn check(a: u128, b: u128) {
        let (x, y) = (Fp::new(a), Fp::new(b));
        let p = big(MODULUS);
        same(x, &big(a));
        same(x + y, &(big(a) + big(b)));
        same(x - y, &(big(a) + &p + &p + &p - big(b)));
        same(-x, &(&p + &p + &p - big(a)));
        same(x * y, &(big(a) * big(b)));
        if x != Fp::ZERO {
            assert_eq!(x * x.inverse(), Fp::ONE);
            assert_eq!(x.inverse(), x.pow(MODULUS - 2));
        }
    }

    #[test]
    fn the_edges_of_the_range() {
        for (a, b) in EDGES.iter().flat_map(|&a| EDGES.map(|b| (a, b))) {
            check(a, b);
        }
        assert_eq!(Fp::ZERO.inverse(), Fp::ZERO);
        assert_eq!(Fp::from_canonical(MODULUS), None);
    }

    #[test]
    fn signed_numbers_come_back() {
        let half = (MODULUS / 2) as i128;
        for value in [0, 1, -1, i64::MIN.into(), half, -half] {
            assert_eq!(Fp::from_signed(value).to_signed(), value);
        }
        assert_eq!(Fp::from_signed(i128::MIN), -Fp::from_signed(1));
        assert_eq!(Fp::from(-5i64) + Fp::from(5u64), Fp::ZERO);
    }

    #[test]
    fn known_answers() {
        let a = Fp::new(0x0123_4567_89ab_cdef_fedc_ba98_7654_3210);
        let b = Fp::new(0x7fff_ffff_0000_0001_dead_beef_cafe_babe);
        assert_eq!((a * b).value(), 0x6612_baf5_c44a_0d32_9262_1860_b414_60db);
        assert_eq!((a - b).value(), 0x0123_4568_89ab_cdee_202e_fba8_ab55_7751);
        assert_eq!(a.inverse().value(), 0x0810_2040_8102_03f9_0102_0408_1020_4071);
    }

    proptest! {
        #[test]
        fn it_is_arithmetic_modulo_p(a: u128, b: u128) {
            check(a, b);
        }

        #[test]
        fn batches_invert_like_single_elements(values in prop::collection::vec(1..MODULUS, 0..20)) {
            let elements: Vec<Fp> = values.into_iter().map(Fp::new).collect();
            let mut inverted = elements.clone();
            invert_all(&mut inverted);
            prop_assert_eq!(inverted, elements.into_iter().map(Fp::inverse).collect::<Vec<_>>());
        }
    }
}
