//! Absolute differences.

use super::{AnyInteger, AnyRadixValue, Operand};
use crate::tfhe::{Error, Evaluator};

impl Evaluator {
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
