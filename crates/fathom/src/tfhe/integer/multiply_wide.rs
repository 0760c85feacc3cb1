//! Products of twice the width.

use super::digits::{DIGIT_BITS, DIGIT_MAX, count, digit};
use super::radix::{Radix, complement, constant};
use super::radix_value::sealed::SealedAny;
use super::{AnyInteger, Operand, U256, ValueType};
use crate::tfhe::{Block, Error, Evaluator};

/// An integer of at most 128 bits, whose products have a type.
///
/// [`RadixInt`](super::RadixInt) is one too: its products are refused beyond 256 bits.
pub trait Widening: AnyInteger {
    /// The type of twice the width and the same sign.
    type Wide: AnyInteger;
}

impl Evaluator {
    /// Computes the exact product `a * b`, of twice the width. Cost, for n blocks: about twice that
    /// of [`Evaluator::mul`]; n more bootstraps if signed.
    ///
    /// # Errors
    /// As [`Evaluator::mul`]; [`Error::IntegerBits`] if the product would have more than 256 bits.
    pub fn mul_wide<T: Widening>(&self, a: &T, b: impl Operand<T>) -> Result<T::Wide, Error> {
        let radix = self.radix()?;
        let (digits, b) = (radix.blocks(a)?, radix.operand(a, &b)?);
        let bits = 2 * a.bits();
        let ty = ValueType::integer(bits, a.is_signed()).ok_or(Error::IntegerBits { bits })?;
        let blocks = if a.is_signed() {
            radix.signed_wide_product(digits, &b)?
        } else {
            let length = 2 * digits.len();
            radix.column_digits(radix.product_columns(digits, &b, length)?, 0)?
        };
        Ok(T::Wide::wrap_as(ty, blocks))
    }
}

impl Radix<'_> {
    /// Computes the product of integers in two's complement.
    ///
    /// With `h = 2^(bits - 1)`, the integers `a + h` and `b + h` are unsigned: their digits are
    /// those of `a` and `b` with the other sign bit. The product is
    /// `(a + h)(b + h) - h (a + h) - h (b + h) + h^2`, and the two products by `h` are subtracted
    /// as complements of shifted digits, without a bootstrap before the sum.
    fn signed_wide_product(&self, a: &[Block], b: &[Block]) -> Result<Vec<Block>, Error> {
        let length = a.len();
        let top = [a, b].map(|x| x[length - 1].clone());
        let flipped = self.map(top, &self.tables.flipped_sign)?;
        let shifted = [a, b].into_iter().zip(flipped);
        let shifted: Vec<Vec<Block>> =
            shifted.map(|(x, top)| [&x[..length - 1], &[top]].concat()).collect();
        let mut columns = self.product_columns(&shifted[0], &shifted[1], 2 * length)?;
        let bits = DIGIT_BITS * length;
        let half = U256::ONE << (bits - 1) as u32;
        let mut constant_term = half.wrapping_mul(half);
        for (index, digit) in shifted.iter().flat_map(|x| x.iter().enumerate()) {
            let place = bits - 1 + DIGIT_BITS * index;
            columns.push(place, complement(digit));
            let borrowed = U256::from(DIGIT_MAX.unsigned_abs()) << place as u32;
            constant_term = constant_term.wrapping_sub(borrowed);
        }
        for index in 0..count(columns.places()) {
            columns.push(DIGIT_BITS * index, constant(digit(constant_term, index)));
        }
        self.column_digits(columns, 0)
    }
}
