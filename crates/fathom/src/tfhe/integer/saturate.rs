//! Saturating arithmetic.

use super::digits::{DIGIT_MAX, SPACE};
use super::radix::{Radix, pair};
use super::tables::fixed;
use super::{AnyInteger, Operand};
use crate::tfhe::{Block, Error, Evaluator, Lut};
use std::sync::LazyLock;

/// The direction in which an unsigned operation leaves its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

impl Evaluator {
    /// Computes `a + b`, or the nearest end of the range if it overflows. Cost: two bootstraps per
    /// block; two more if signed.
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn saturating_add<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let (sum, overflow) = self.overflowing_add(a, b)?;
        self.saturated(a, &sum, overflow.block(), End::Greatest)
    }

    /// Computes `a - b`, or the nearest end of the range if it overflows. Cost: that of
    /// [`Evaluator::saturating_add`].
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn saturating_sub<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let (difference, overflow) = self.overflowing_sub(a, b)?;
        self.saturated(a, &difference, overflow.block(), End::Least)
    }

    /// Computes `a * b`, or the nearest end of the range if it overflows. Cost: that of
    /// [`Evaluator::overflowing_mul`], and one bootstrap per block.
    ///
    /// # Errors
    /// As [`Evaluator::mul`].
    pub fn saturating_mul<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        if !a.is_signed() {
            let (product, overflow) = self.overflowing_mul(a, b)?;
            return self.saturated(a, &product, overflow.block(), End::Greatest);
        }
        let (radix, tables) = (self.radix()?, &*TABLES);
        let product = radix.signed_product(radix.blocks(a)?, &radix.operand(a, &b)?)?;
        // The sign takes the place of the high bit of a digit.
        let state = product.negative.mul_scalar(2).unchecked_add_scaled(&product.overflow, 4);
        let state = radix.apply(&state, &tables.state)?;
        Ok(a.like(radix.signed_end(&product.blocks, &state)?))
    }

    /// Computes `-a`, or the nearest end of the range if it overflows, which is 0 for unsigned
    /// integers. Cost: about 2.3 bootstraps per block; none if unsigned.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn saturating_neg<T: AnyInteger>(&self, a: &T) -> Result<T, Error> {
        if !a.is_signed() {
            let zeros = self.radix()?.blocks(a)?.iter().map(|block| block.mul_scalar(0));
            return Ok(a.like(zeros.collect()));
        }
        let (negated, overflow) = self.overflowing_neg(a)?;
        let radix = self.radix()?;
        // The only overflow is that of the least value, to the greatest.
        Ok(a.like(radix.signed_end(radix.blocks(&negated)?, overflow.block())?))
    }

    /// Returns the result of a sum or difference of `a`, or the end of the range if it overflowed.
    fn saturated<T: AnyInteger>(
        &self,
        a: &T,
        result: &T,
        overflow: &Block,
        end: End,
    ) -> Result<T, Error> {
        let (radix, tables) = (self.radix()?, &*TABLES);
        let digits = radix.blocks(result)?;
        if a.is_signed() {
            // A sum or difference overflows in the direction of the sign of `a`.
            let top = &radix.blocks(a)?[digits.len() - 1];
            let state = radix.apply(&pair(top, overflow), &tables.state)?;
            return Ok(a.like(radix.signed_end(digits, &state)?));
        }
        let table = match end {
            End::Least => &tables.least,
            End::Greatest => &tables.greatest,
        };
        Ok(a.like(radix.map(digits.iter().map(|digit| pair(digit, overflow)), table)?))
    }
}

impl Radix<'_> {
    /// Returns the digits, or those of the greatest (`state` is 1) or least (2) signed value.
    fn signed_end(&self, digits: &[Block], state: &Block) -> Result<Vec<Block>, Error> {
        let tables = &*TABLES;
        let last = digits.len() - 1;
        let job = |(place, digit): (usize, &Block)| {
            let table = if place == last { &tables.signed_top } else { &tables.signed };
            (pair(digit, state), table)
        };
        let jobs: Vec<_> = digits.iter().enumerate().map(job).collect();
        Ok(self.layer(&jobs)?.into_iter().flatten().collect())
    }
}

/// The tables of saturation. The argument is `digit + 4 flag` or `digit + 4 state`.
struct Tables {
    /// The digit, or 0 if the flag is set.
    least: Lut,
    /// The digit, or 3 if the flag is set.
    greatest: Lut,
    /// The state of an overflow: 0 for none, 1 towards the greatest value, 2 towards the least one,
    /// from the flag of the overflow and the digit whose high bit is the sign.
    state: Lut,
    /// The digit, or 3 or 0 in state 1 or 2.
    signed: Lut,
    /// The digit, or 1 or 2 in state 1 or 2: the top digit of a signed value.
    signed_top: Lut,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        let by_state = |ends: [i32; 2]| {
            move |x: i32| match x >> 2 {
                0 => x,
                1 => ends[0],
                _ => ends[1],
            }
        };
        let state = |x: i32| if x < 4 { 0 } else { 1 + ((x >> 1) & 1) };
        Ok(Tables {
            least: Lut::new(SPACE, 0..=7, by_state([0, 0]))?,
            greatest: Lut::new(SPACE, 0..=7, by_state([DIGIT_MAX, DIGIT_MAX]))?,
            state: Lut::new(SPACE, 0..=7, state)?,
            signed: Lut::new(SPACE, 0..=11, by_state([DIGIT_MAX, 0]))?,
            signed_top: Lut::new(SPACE, 0..=11, by_state([1, 2]))?,
        })
    })
});
