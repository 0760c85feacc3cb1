//! Checked operations, which tell whether their result is defined.

use super::divide::divisor;
use super::radix::truth;
use super::{AnyInteger, Clear, FheBool, Operand, ShiftAmount, Side, U256};
use crate::tfhe::{Error, Evaluator};

/// Defines the checked form of an operation that tells whether it overflowed.
macro_rules! checked {
    ($($checked:ident, $overflowing:ident, $of:literal, $plain:ident;)*) => {$(
        #[doc = concat!("Computes ", $of, ", wrapping, and whether it did not overflow.")]
        #[doc = ""]
        #[doc = concat!("Cost: that of [`Evaluator::", stringify!($overflowing), "`].")]
        ///
        /// # Errors
        #[doc = concat!("As [`Evaluator::", stringify!($plain), "`].")]
        pub fn $checked<T: AnyInteger>(
            &self,
            a: &T,
            b: impl Operand<T>,
        ) -> Result<(T, FheBool), Error> {
            defined(self.$overflowing(a, b)?)
        }
    )*};
}

impl Evaluator {
    checked! {
        checked_add, overflowing_add, "`a + b`", add;
        checked_sub, overflowing_sub, "`a - b`", sub;
        checked_mul, overflowing_mul, "`a * b`", mul;
    }

    /// Computes `-a`, wrapping, and whether it did not overflow. Cost: that of
    /// [`Evaluator::overflowing_neg`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn checked_neg<T: AnyInteger>(&self, a: &T) -> Result<(T, FheBool), Error> {
        defined(self.overflowing_neg(a)?)
    }

    /// Computes [`Evaluator::shl`], and whether the amount is less than the number of bits. Cost:
    /// that of [`Evaluator::overflowing_shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn checked_shl<T: AnyInteger>(
        &self,
        a: &T,
        amount: impl ShiftAmount,
    ) -> Result<(T, FheBool), Error> {
        defined(self.overflowing_shl(a, amount)?)
    }

    /// Computes [`Evaluator::shr`], and whether the amount is less than the number of bits. Cost:
    /// that of [`Evaluator::overflowing_shr`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn checked_shr<T: AnyInteger>(
        &self,
        a: &T,
        amount: impl ShiftAmount,
    ) -> Result<(T, FheBool), Error> {
        defined(self.overflowing_shr(a, amount)?)
    }

    /// Computes `a / b` and `a % b`, and whether they are defined: `b` is not 0 and, if signed,
    /// they are not those of the least value by -1. Cost: that of [`Evaluator::div_rem`] and, for
    /// an encrypted divisor, a quarter of a bootstrap per block; if signed, about one more.
    ///
    /// # Errors
    /// As [`Evaluator::div_rem`].
    pub fn checked_div_rem<T: AnyInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, T, FheBool), Error> {
        let radix = self.radix()?;
        let by_zero = match divisor(radix.side(a, &b)?)? {
            Side::Clear(_) => FheBool::trivial(false),
            Side::Encrypted(b) => self.eq(&a.like(b.to_vec()), 0_u8)?,
        };
        let word = a.like(radix.operand(a, &b)?.into_owned());
        let defined = self.defined_quotient(a, &word, by_zero)?;
        let (quotient, remainder) = self.div_rem(a, b)?;
        Ok((quotient, remainder, defined))
    }

    /// Computes `a / b`, and whether it is defined. Cost: that of [`Evaluator::checked_div_rem`].
    ///
    /// # Errors
    /// As [`Evaluator::div_rem`].
    pub fn checked_div<T: AnyInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, FheBool), Error> {
        let (quotient, _, defined) = self.checked_div_rem(a, b)?;
        Ok((quotient, defined))
    }

    /// Computes `a % b`, and whether it is defined; see [`Evaluator::checked_div`].
    ///
    /// # Errors
    /// As [`Evaluator::div_rem`].
    pub fn checked_rem<T: AnyInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, FheBool), Error> {
        let (_, remainder, defined) = self.checked_div_rem(a, b)?;
        Ok((remainder, defined))
    }

    /// Returns whether a quotient is defined.
    fn defined_quotient<T: AnyInteger>(
        &self,
        a: &T,
        b: &T,
        by_zero: FheBool,
    ) -> Result<FheBool, Error> {
        if !a.is_signed() {
            return self.not(&by_zero);
        }
        let (bits, ones) = (a.bits(), super::digits::mask(a.bits()));
        let least = self.eq(&a.as_unsigned(), Clear::from(U256::ONE << (bits - 1) as u32))?;
        let minus_one = self.eq(&b.as_unsigned(), Clear::from(ones))?;
        // The flags of two conditions that must not both hold, and of one that must not.
        let radix = self.radix()?;
        let sum =
            least.block().unchecked_add(minus_one.block()).unchecked_add_scaled(by_zero.block(), 2);
        let allowed = crate::tfhe::Lut::new(super::digits::SPACE, 0..=4, |x| i32::from(x < 2))?;
        truth(radix.apply(&sum, &allowed)?)
    }
}

/// Returns the value and the complement of the flag.
fn defined<T>((value, overflow): (T, FheBool)) -> Result<(T, FheBool), Error> {
    Ok((value, truth(overflow.block().sub_from(1))?))
}
