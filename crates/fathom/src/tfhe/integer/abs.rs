//! Absolute values and absolute differences.

use super::radix::{Radix, constant, two};
use super::{AnyInteger, AnyRadixValue, Operand};
use crate::tfhe::{Block, Error, Evaluator};

impl Evaluator {
    /// Computes `|a|`, wrapping: the least value is mapped to itself. Unsigned integers are
    /// returned unchanged. Cost: one bootstrap per block and one more.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn abs<T: AnyInteger>(&self, a: &T) -> Result<T, Error> {
        let radix = self.radix()?;
        let blocks = radix.blocks(a)?;
        if !a.is_signed() {
            return Ok(a.clone());
        }
        let negative = radix.sign_bit(blocks)?;
        Ok(a.like(radix.negated_if(blocks, &negative)?))
    }

    /// Computes `|a - b|`, which always fits the unsigned type. Cost: two bootstraps per block; two
    /// more if signed.
    ///
    /// # Errors
    /// As [`Evaluator::sub`].
    pub fn abs_diff<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T::Unsigned, Error> {
        let radix = self.radix()?;
        let mut digits = [radix.blocks(a)?.to_vec(), radix.operand(a, &b)?.into_owned()];
        if a.is_signed() {
            // Adding half the range to both makes them unsigned and keeps the difference.
            let tops = digits.each_ref().map(|digits| digits[digits.len() - 1].clone());
            let flipped = radix.map(tops, &radix.tables.flipped_sign)?;
            for (digits, top) in digits.iter_mut().zip(flipped) {
                digits.pop();
                digits.push(top);
            }
        }
        let [a, b] = digits.map(|digits| a.like(digits).as_unsigned());
        let (difference, less) = self.overflowing_sub(&a, &b)?;
        let blocks = radix.negated_if(radix.blocks(&difference)?, less.block())?;
        Ok(difference.like(blocks))
    }
}

impl Radix<'_> {
    /// Returns the top bit.
    pub(super) fn sign_bit(&self, blocks: &[Block]) -> Result<Block, Error> {
        self.apply(&blocks[blocks.len() - 1], &self.tables.sign_bit)
    }

    /// Computes `if negate { -a } else { a }`, wrapping, by one bootstrap per block. Digit and
    /// borrow are functions of `digit + borrow + 4 negate`; the borrow is 0 if the value is not
    /// negated.
    pub(super) fn negated_if(&self, a: &[Block], negate: &Block) -> Result<Vec<Block>, Error> {
        let mut borrow = constant(0);
        let mut digits = Vec::with_capacity(a.len());
        for digit in a {
            let input = digit.unchecked_add(&borrow).unchecked_add_scaled(negate, 4);
            let outputs = self.layer(&[(input, &self.tables.negate_borrow)])?;
            let [message, next] = two(outputs);
            digits.push(message);
            borrow = next;
        }
        Ok(digits)
    }
}
