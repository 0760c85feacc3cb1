//! Wide integers: the messages of exact integer encryption.

use super::{WideError, limbs};
use crate::Error;
use crate::rlwe::Bounds;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// An integer of a known width, with its sign: a message. Wiped when dropped.
///
/// The width is public, the value is not: arithmetic and encoding do not branch on it, except for
/// comparisons.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Integer {
    /// All ones if it is negative, else zero.
    sign: u64,
    /// The absolute value, lowest limb first, below `2^bits`.
    magnitude: Vec<u64>,
    #[zeroize(skip)]
    bits: u32,
}

impl Integer {
    /// Makes a nonnegative integer from its limbs, lowest first. Its width is 64 bits a limb.
    pub fn from_limbs(limbs: &[u64]) -> Integer {
        Integer { sign: 0, magnitude: limbs.to_vec(), bits: 64 * limbs.len() as u32 }
    }

    /// Makes an integer from its sign, all ones or zero, and its magnitude below `2^bits`.
    pub(super) fn from_parts(sign: u64, magnitude: Vec<u64>, bits: u32) -> Integer {
        Integer { sign, magnitude, bits }
    }

    /// Returns all ones if the integer is negative, else zero.
    pub(super) fn sign(&self) -> u64 {
        self.sign
    }

    /// Returns `-self`.
    pub fn negated(mut self) -> Integer {
        self.sign = !self.sign;
        self
    }

    /// Returns the public width: the absolute value is below `2^bits`.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns true if the integer is below zero.
    pub fn is_negative(&self) -> bool {
        // The negative of zero has the sign too.
        self.sign != 0 && self.magnitude.iter().any(|&limb| limb != 0)
    }

    /// Returns the limbs of the absolute value, lowest first.
    pub fn magnitude(&self) -> &[u64] {
        &self.magnitude
    }

    /// Returns the value as `u64`, if it is in its range.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|value| u64::try_from(value).ok())
    }

    /// Returns the value as `i64`, if it is in its range.
    pub fn to_i64(&self) -> Option<i64> {
        self.to_i128().and_then(|value| i64::try_from(value).ok())
    }

    /// Returns the value as `u128`, if it is in its range.
    pub fn to_u128(&self) -> Option<u128> {
        (!self.is_negative() && self.fits_two_limbs()).then(|| self.low_magnitude())
    }

    /// Returns the value as `i128`, if it is in its range.
    pub fn to_i128(&self) -> Option<i128> {
        let value = self.wrapping_u128() as i128;
        // A magnitude beyond 127 bits wraps to the other sign.
        let fits = self.fits_two_limbs() && (value < 0) == self.is_negative();
        fits.then_some(value)
    }

    /// Returns the value modulo `2^64`.
    pub fn wrapping_u64(&self) -> u64 {
        self.wrapping_u128() as u64
    }

    /// Returns the value modulo `2^128`.
    pub fn wrapping_u128(&self) -> u128 {
        // In two's complement, (m ^ s) - s is -m where s is all ones and m where it is zero: the
        // sign takes no branch.
        let sign = u128::from(self.sign) << 64 | u128::from(self.sign);
        (self.low_magnitude() ^ sign).wrapping_sub(sign)
    }

    fn low_magnitude(&self) -> u128 {
        let limb = |i: usize| u128::from(self.magnitude.get(i).copied().unwrap_or(0));
        limb(1) << 64 | limb(0)
    }

    fn fits_two_limbs(&self) -> bool {
        self.magnitude.iter().skip(2).all(|&limb| limb == 0)
    }

    /// Refuses an integer beyond `2^bits`, where it is at least twice that. Only the answer depends
    /// on its limbs.
    pub(super) fn check_width(&self, bits: f64) -> Result<(), Error> {
        let fits = self.is_below_power(bits as usize + 1);
        if fits { Ok(()) } else { Err(WideError::BeyondBound { bits }.into()) }
    }

    /// Returns the integer with this width, and refuses one that is not below `2^bits`. Only the
    /// answer depends on its limbs.
    pub(super) fn narrowed(mut self, bits: u32) -> Result<Integer, Error> {
        if !self.is_below_power(bits as usize) {
            return Err(WideError::BeyondWidth { bits }.into());
        }
        self.bits = bits;
        Ok(self)
    }

    /// Returns whether the absolute value is below `2^power`.
    fn is_below_power(&self, power: usize) -> bool {
        // All limbs are read, whatever they hold. A limb that lies below the power as a whole is
        // shifted by 64, which leaves nothing of it.
        let beyond = self.magnitude.iter().enumerate().fold(0, |beyond, (i, limb)| {
            let low = power.saturating_sub(64 * i).min(64) as u32;
            beyond | limb.checked_shr(low).unwrap_or(0)
        });
        beyond == 0
    }

    /// Norms of the digits of any integer below `2^bits`: of `bits + 1` digits at most every other
    /// one is nonzero.
    pub(super) fn digits_bound(bits: u32) -> Bounds {
        let nonzero = f64::from(bits / 2 + 1);
        Bounds { coefficient: 1.0, euclidean: nonzero.sqrt(), root: nonzero }
    }

    /// Returns the non-adjacent form, `bits + 1` digits long: digits -1, 0, 1 in base 2, lowest
    /// first, of which no two neighbours are nonzero.
    ///
    /// With `h = floor(x / 2)`, the positive digits are the bits of `x + h` that are not in `h`,
    /// and the negative ones those of `h` that are not in `x + h` (Prodinger, *On binary
    /// representations of integers with digits -1, 0, 1*, 2000).
    pub(super) fn digits(&self) -> Vec<i64> {
        let mut value = self.magnitude.clone();
        // The sum x + h may have one bit more than x.
        value.push(0);
        let mut half = value.clone();
        for i in 0..half.len() {
            let next = value.get(i + 1).copied().unwrap_or(0);
            half[i] = value[i] >> 1 | next << 63;
        }
        limbs::add(&mut value, &half);
        let sign = self.sign as i64;
        let digit = |i: usize| {
            let bit = |limb: u64| (limb >> (i % 64) & 1) as i64;
            let (sum, half) = (value[i / 64], half[i / 64]);
            let digit = bit(sum & !half) - bit(half & !sum);
            (digit ^ sign) - sign
        };
        let digits = (0..=self.bits as usize).take(64 * value.len()).map(digit).collect();
        value.zeroize();
        half.zeroize();
        digits
    }
}

impl From<u32> for Integer {
    fn from(value: u32) -> Integer {
        Integer { sign: 0, magnitude: vec![value.into()], bits: 32 }
    }
}

impl From<i32> for Integer {
    fn from(value: i32) -> Integer {
        let sign = i64::from(value >> 31) as u64;
        Integer { sign, magnitude: vec![value.unsigned_abs().into()], bits: 32 }
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Integer {
        Integer { sign: 0, magnitude: vec![value], bits: 64 }
    }
}

impl From<u128> for Integer {
    fn from(value: u128) -> Integer {
        Integer { sign: 0, magnitude: vec![value as u64, (value >> 64) as u64], bits: 128 }
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Integer {
        let sign = (value >> 63) as u64;
        Integer { sign, magnitude: vec![value.unsigned_abs()], bits: 64 }
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Integer {
        let magnitude = value.unsigned_abs();
        let limbs = vec![magnitude as u64, (magnitude >> 64) as u64];
        Integer { sign: (value >> 127) as u64, magnitude: limbs, bits: 128 }
    }
}

/// Compares values, whatever their widths.
impl PartialEq for Integer {
    fn eq(&self, other: &Integer) -> bool {
        let length = self.magnitude.len().max(other.magnitude.len());
        let limb = |x: &Integer, i: usize| x.magnitude.get(i).copied().unwrap_or(0);
        self.is_negative() == other.is_negative()
            && (0..length).all(|i| limb(self, i) == limb(other, i))
    }
}

impl Eq for Integer {}

impl std::fmt::Debug for Integer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Integer({} bits, hidden)", self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_sum_to_the_value_and_no_two_neighbors_are_nonzero(value: i128, low: u64) {
            for value in [value, i128::from(low), i128::MIN, i128::MAX, -1, 0] {
                let digits = Integer::from(value).digits();
                let sum = digits.iter().rev().fold(0i128, |sum, &d| {
                    sum.wrapping_mul(2).wrapping_add(i128::from(d))
                });
                prop_assert_eq!(sum, value);
                prop_assert!(digits.windows(2).all(|pair| pair[0] == 0 || pair[1] == 0));
                prop_assert!(digits.iter().all(|d| d.abs() <= 1));
            }
        }

        #[test]
        fn conversions_return_what_went_in(a: u64, b: i64, c: u128, d: i128) {
            prop_assert_eq!(Integer::from(a).to_u64(), Some(a));
            prop_assert_eq!(Integer::from(b).to_i64(), Some(b));
            prop_assert_eq!(Integer::from(c).to_u128(), Some(c));
            prop_assert_eq!(Integer::from(d).to_i128(), Some(d));
            prop_assert_eq!(Integer::from(d).wrapping_u128(), d as u128);
            prop_assert_eq!(Integer::from(b).wrapping_u64(), b as u64);
            prop_assert_eq!(Integer::from(i128::from(b)), Integer::from(b));
        }
    }

    #[test]
    fn values_out_of_range_are_not_converted() {
        assert_eq!(Integer::from(-1i64).to_u64(), None);
        assert_eq!(Integer::from(1u128 << 64).to_u64(), None);
        assert_eq!(Integer::from(u64::MAX).to_i64(), None);
        assert_eq!(Integer::from(u128::MAX).to_i128(), None);
        assert_eq!(Integer::from_limbs(&[0, 0, 1]).to_u128(), None);
        assert_eq!(Integer::from(0i64).negated(), Integer::from(0u64));
        assert_eq!(Integer::from(5u64).negated().to_i64(), Some(-5));
    }
}
