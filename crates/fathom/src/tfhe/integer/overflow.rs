//! Products, negations and shifts that tell whether they overflowed.

use super::digits::{DIGIT_MAX, SPACE};
use super::radix::{Radix, constant, pair, total, truth};
use super::tables::fixed;
use super::{Amount, AnyInteger, FheBool, Operand, ShiftAmount, U256, digits};
use crate::tfhe::{Block, Error, Evaluator, Lut};
use std::sync::LazyLock;

impl Evaluator {
    /// Computes `-a`, wrapping, and whether it overflowed: for signed integers, whether `a` is the
    /// least value; for unsigned ones, whether `a` is nonzero. Cost: about 1.3 bootstraps per
    /// block.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn overflowing_neg<T: AnyInteger>(&self, a: &T) -> Result<(T, FheBool), Error> {
        let overflow = if a.is_signed() {
            let least = U256::ONE << (a.bits() - 1) as u32;
            self.eq(&a.as_unsigned(), super::Clear::from(least))?
        } else {
            self.to_bool(a)?
        };
        Ok((self.neg(a)?, overflow))
    }

    /// Computes `a * b`, wrapping, and whether it overflowed. Cost, for n blocks: that of a
    /// product, and about 2.5 n bootstraps; 6 n if signed.
    ///
    /// # Errors
    /// As [`Evaluator::mul`].
    pub fn overflowing_mul<T: AnyInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, FheBool), Error> {
        let radix = self.radix()?;
        let (digits, b) = (radix.blocks(a)?, radix.operand(a, &b)?);
        let (blocks, overflow) = if a.is_signed() {
            let product = radix.signed_product(digits, &b)?;
            (product.blocks, product.overflow)
        } else {
            radix.wide_product(digits, &b)?
        };
        Ok((a.like(blocks), truth(overflow)?))
    }

    /// Computes [`Evaluator::shl`], and whether the amount is at least the number of bits. Cost:
    /// that of the shift and of a comparison of the amount with a clear value.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn overflowing_shl<T: AnyInteger>(
        &self,
        a: &T,
        amount: impl ShiftAmount,
    ) -> Result<(T, FheBool), Error> {
        let amount = amount.amount()?;
        Ok((self.shl(a, amount)?, self.is_beyond(a, amount)?))
    }

    /// Computes [`Evaluator::shr`], and whether the amount is at least the number of bits. Cost:
    /// that of [`Evaluator::overflowing_shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn overflowing_shr<T: AnyInteger>(
        &self,
        a: &T,
        amount: impl ShiftAmount,
    ) -> Result<(T, FheBool), Error> {
        let amount = amount.amount()?;
        Ok((self.shr(a, amount)?, self.is_beyond(a, amount)?))
    }

    /// Returns whether a shift amount is at least the number of bits of `a`.
    fn is_beyond<T: AnyInteger>(&self, a: &T, amount: Amount<'_>) -> Result<FheBool, Error> {
        match amount {
            Amount::Clear(amount) => Ok(FheBool::trivial(amount >= a.bits() as u128)),
            Amount::Encrypted(amount) => {
                let bits = digits::DIGIT_BITS * amount.len();
                let width = U256::from(a.bits() as u32);
                if digits::mask(bits) < width {
                    return Ok(FheBool::trivial(false));
                }
                let radix = self.radix()?;
                let width = digits::trivial(width, bits);
                truth(radix.order(amount, &width, false, &radix.tables.greater_equal)?)
            }
        }
    }
}

/// A signed product with what is known of its overflow.
pub(super) struct SignedProduct {
    /// The product, wrapping.
    pub(super) blocks: Vec<Block>,
    /// Flag of an overflow.
    pub(super) overflow: Block,
    /// Flag of a negative exact product; also set for 0 with a negative factor.
    pub(super) negative: Block,
}

impl Radix<'_> {
    /// Computes the product of unsigned integers, wrapping, and whether it overflowed.
    ///
    /// If two nonzero digits `a_i` and `b_j` have `i + j >= n`, the product is at least `4^n`.
    /// Otherwise it is less than `4^(n+1)`, so that digit `n` tells whether it is at least `4^n`.
    pub(super) fn wide_product(
        &self,
        a: &[Block],
        b: &[Block],
    ) -> Result<(Vec<Block>, Block), Error> {
        let tables = &*TABLES;
        let length = a.len();
        let [wide_a, wide_b] = [a, b].map(|x| [x, &[constant(0)]].concat());
        let mut product = self.product(&wide_a, &wide_b)?;
        let last = product.split_off(length);
        // Pairs of a digit of `b` and the flag of the digits of `a` that meet it past the end.
        let above = self.suffix_flags(a)?;
        let pairs = b.iter().enumerate().skip(1);
        let pairs =
            pairs.map(|(place, digit)| digit.unchecked_add_scaled(&above[length - place], 4));
        let pairs = pairs.filter(|pair| pair.span().high > DIGIT_MAX);
        let mut flags = self.map(pairs, &tables.both)?;
        flags.push(self.any_nonzero(&last)?);
        Ok((product, self.any_flag(flags)?))
    }

    /// Computes the product of integers in two's complement by those of their absolute values.
    pub(super) fn signed_product(&self, a: &[Block], b: &[Block]) -> Result<SignedProduct, Error> {
        let tables = &*TABLES;
        let signs = self.map([a, b].map(|x| x[x.len() - 1].clone()), &self.tables.sign_bit)?;
        let [a, b] = [self.negated_if(a, &signs[0])?, self.negated_if(b, &signs[1])?];
        let (magnitude, beyond) = self.wide_product(&a, &b)?;
        let negative = self.apply(&total(&signs), &self.tables.odd)?;
        let (top, rest) = (&magnitude[magnitude.len() - 1], &magnitude[..magnitude.len() - 1]);
        let rest = self.any_nonzero(rest)?;
        // The magnitude is at least half of the range, unless it is the negated least value.
        let top = pair(top, &negative).unchecked_add_scaled(&rest, 8);
        let above = self.apply(&top, &tables.above)?;
        let overflow = self.any_flag(vec![beyond, above])?;
        Ok(SignedProduct { blocks: self.negated_if(&magnitude, &negative)?, overflow, negative })
    }
}

/// The tables of overflow detection.
struct Tables {
    /// True if the digit and the flag of `digit + 4 flag` are both nonzero.
    both: Lut,
    /// True if a magnitude is out of range, for `top + 4 negative + 8 rest` with the top digit, the
    /// sign of the result, and a flag that is set if another digit is nonzero.
    above: Lut,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        let least = |x: i32| x == 2 + 4;
        Ok(Tables {
            both: Lut::new(SPACE, 0..=7, |x| i32::from(x > 4))?,
            above: Lut::new(SPACE, 0..=15, |x| i32::from(x & 3 >= 2 && !least(x)))?,
        })
    })
});
