//! Absolute values and absolute differences.

use crate::tfhe::integer::blocks::{constant, two};
use crate::tfhe::integer::{FheInteger, FheValue, Integers, Operand};
use crate::tfhe::{Block, Error};

impl Integers {
    /// Computes `|a|`, wrapping: the least value is mapped to itself. Unsigned integers are
    /// returned unchanged. Cost: one bootstrap per block and one more.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn abs<T: FheInteger>(&self, a: &T) -> Result<T, Error> {
        let blocks = self.blocks(a)?;
        if !a.is_signed() {
            return Ok(a.clone());
        }
        let negative = self.sign_bit(blocks)?;
        Ok(a.like(self.negated_if(blocks, &negative)?))
    }

    /// Computes `|a - b|`, which always fits the unsigned type. Cost: two bootstraps per block; two
    /// more if signed.
    ///
    /// # Errors
    /// As [`Integers::sub`].
    pub fn abs_diff<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T::Unsigned, Error> {
        let mut digits = [self.blocks(a)?.to_vec(), self.operand(a, &b)?.into_owned()];
        if a.is_signed() {
            // Adding half the range to both makes them unsigned and keeps the difference.
            let tops = digits.each_ref().map(|digits| digits[digits.len() - 1].clone());
            let flipped = self.apply_each(tops, &self.tables.flipped_sign)?;
            for (digits, top) in digits.iter_mut().zip(flipped) {
                digits.pop();
                digits.push(top);
            }
        }
        let [a, b] = digits.map(|digits| a.like(digits).as_unsigned());
        let (difference, less) = self.overflowing_sub(&a, &b)?;
        let blocks = self.negated_if(self.blocks(&difference)?, less.block())?;
        Ok(difference.like(blocks))
    }
}

impl Integers {
    /// Returns the top bit.
    pub(in crate::tfhe::integer) fn sign_bit(&self, blocks: &[Block]) -> Result<Block, Error> {
        self.apply(&blocks[blocks.len() - 1], &self.tables.sign_bit)
    }

    /// Computes `if negate { -a } else { a }`, wrapping, by one bootstrap per block. Digit and
    /// borrow are functions of `digit + borrow + 4 negate`; the borrow is 0 if the value is not
    /// negated.
    pub(in crate::tfhe::integer) fn negated_if(
        &self,
        a: &[Block],
        negate: &Block,
    ) -> Result<Vec<Block>, Error> {
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
