//! Sums, differences and negation.

use super::carry::CarryOut;
use super::digits;
use super::radix::{Radix, complements, constant, pair, truth, two};
use super::{AnyInteger, FheBool, Operand, Side, U256};
use crate::tfhe::{Block, Error, Evaluator};

impl Evaluator {
    /// Computes `a + b`, wrapping. Cost: one bootstrap per block.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn add<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let radix = self.radix()?;
        let sums = sums(radix.blocks(a)?, &radix.operand(a, &b)?, 0);
        Ok(a.like(radix.propagate(sums, CarryOut::Dropped)?.0))
    }

    /// Computes `a - b`, wrapping. Cost: one bootstrap per block.
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn sub<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let radix = self.radix()?;
        let sums = match radix.side(a, &b)? {
            Side::Encrypted(b) => sums(radix.blocks(a)?, &complements(b), 1),
            Side::Clear(b) => {
                let negated = digits::trivial(U256::ZERO.wrapping_sub(b), a.bits());
                sums(radix.blocks(a)?, &negated, 0)
            }
        };
        Ok(a.like(radix.propagate(sums, CarryOut::Dropped)?.0))
    }

    /// Computes `-a`, wrapping. Cost: one bootstrap per block.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn neg<T: AnyInteger>(&self, a: &T) -> Result<T, Error> {
        let radix = self.radix()?;
        Ok(a.like(radix.negated(radix.blocks(a)?)?))
    }

    /// Computes `a + b`, wrapping, and whether it overflowed. Cost: one bootstrap per block; one
    /// more if signed.
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn overflowing_add<T: AnyInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, FheBool), Error> {
        let radix = self.radix()?;
        let (digits, b) = (radix.blocks(a)?, radix.operand(a, &b)?);
        let (blocks, overflow) = if a.is_signed() {
            radix.signed_overflow(digits, &b, 0)?
        } else {
            radix.propagate(sums(digits, &b, 0), CarryOut::Kept)?
        };
        Ok((a.like(blocks), truth(overflow)?))
    }

    /// Computes `a - b`, wrapping, and whether it overflowed. Cost: one bootstrap per block; one
    /// more if signed.
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn overflowing_sub<T: AnyInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, FheBool), Error> {
        let radix = self.radix()?;
        let (digits, b) = (radix.blocks(a)?, radix.operand(a, &b)?);
        let b = complements(&b);
        let (blocks, overflow) = if a.is_signed() {
            radix.signed_overflow(digits, &b, 1)?
        } else {
            // `a + (4^n - 1 - b) + 1` has a carry if and only if there is no borrow.
            let (blocks, carry) = radix.propagate(sums(digits, &b, 1), CarryOut::Kept)?;
            (blocks, carry.sub_from(1))
        };
        Ok((a.like(blocks), truth(overflow)?))
    }
}

impl Radix<'_> {
    /// Computes `-a` as the complement plus one.
    pub(super) fn negated(&self, a: &[Block]) -> Result<Vec<Block>, Error> {
        let mut sums = complements(a);
        sums[0] = sums[0].add_scalar(1);
        Ok(self.propagate(sums, CarryOut::Dropped)?.0)
    }

    /// Computes `a - b`, wrapping.
    pub(super) fn difference(&self, a: &[Block], b: &[Block]) -> Result<Vec<Block>, Error> {
        Ok(self.propagate(sums(a, &complements(b), 1), CarryOut::Dropped)?.0)
    }

    /// Computes the sum `a + b + carry_in` of two's complement digits, and whether it is out of
    /// their range.
    fn signed_overflow(
        &self,
        a: &[Block],
        b: &[Block],
        carry_in: i32,
    ) -> Result<(Vec<Block>, Block), Error> {
        let top = a.len() - 1;
        let signed = self.apply(&pair(&a[top], &b[top]), &self.tables.signed_sum)?;
        let (mut digits, carry) = if top == 0 {
            (Vec::new(), constant(carry_in))
        } else {
            self.propagate(sums(&a[..top], &b[..top], carry_in), CarryOut::Kept)?
        };
        let outputs =
            self.layer(&[(signed.unchecked_add(&carry), &self.tables.message_overflow)])?;
        let [message, overflow] = two(outputs);
        digits.push(message);
        Ok((digits, overflow))
    }
}

/// Returns the digit-wise sums of two integers, with `carry_in` added to the first.
pub(super) fn sums(a: &[Block], b: &[Block], carry_in: i32) -> Vec<Block> {
    let mut sums: Vec<_> = a.iter().zip(b).map(|(a, b)| a.unchecked_add(b)).collect();
    sums[0] = sums[0].add_scalar(carry_in);
    sums
}
