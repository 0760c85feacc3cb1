//! Operations on two small integers, one at a time or in batches.

use super::{Operation, ShortInt, ShortInts};
use crate::tfhe::TableError;
use crate::tfhe::{Block, Error, Job, Lut};

/// An operation with its operands.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The operation.
    pub operation: Operation,
    /// The left operand.
    pub left: &'a ShortInt,
    /// The right operand. A clear one ([`ShortInt::trivial`]) adds less noise and never needs a
    /// refresh.
    pub right: &'a ShortInt,
}

impl ShortInts {
    /// Computes one operation by one bootstrap. The result is canonical.
    ///
    /// # Errors
    /// [`TableError::OutsideDomain`] or [`Error::NoiseExceeded`] if the operands need a refresh
    /// first, [`Error::ParamsMismatch`].
    pub fn unchecked(
        &self,
        operation: Operation,
        left: &ShortInt,
        right: &ShortInt,
    ) -> Result<ShortInt, Error> {
        let (block, lut) = self.plan(Call { operation, left, right })?;
        self.look_up(&block, &lut)
    }

    /// Computes operations that do not depend on each other and returns their results in order.
    /// There are at most two layers of bootstraps, the first of which refreshes operands. All
    /// results are canonical.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn evaluate(&self, calls: &[Call<'_>]) -> Result<Vec<ShortInt>, Error> {
        let mut plans: Vec<_> = calls.iter().map(|&call| self.plan(call)).collect();
        let stale = |plan: &Result<_, _>| {
            matches!(
                plan,
                Err(Error::Table(TableError::OutsideDomain { .. }) | Error::NoiseExceeded { .. })
            )
        };
        let late: Vec<_> = (0..calls.len()).filter(|&index| stale(&plans[index])).collect();
        let operands: Vec<_> =
            late.iter().flat_map(|&index| [calls[index].left, calls[index].right]).collect();
        let fresh = self.refresh(&operands)?;
        for (&index, pair) in late.iter().zip(fresh.chunks_exact(2)) {
            let [left, right] = [&pair[0], &pair[1]];
            plans[index] = self.plan(Call { left, right, ..calls[index] });
        }
        let plans: Vec<_> = plans.into_iter().collect::<Result<_, _>>()?;
        let jobs: Vec<_> = plans.iter().map(|(input, lut)| Job { input, lut }).collect();
        let outputs = self.evaluator().bootstrap(&jobs)?;
        Ok(outputs.into_iter().flatten().map(ShortInt::new).collect())
    }

    /// Computes one operation, after refreshing the operands if necessary.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn call(
        &self,
        operation: Operation,
        left: &ShortInt,
        right: &ShortInt,
    ) -> Result<ShortInt, Error> {
        Ok(self.evaluate(&[Call { operation, left, right }])?.swap_remove(0))
    }

    /// Returns the argument of the bootstrap and its table.
    fn plan(&self, call: Call<'_>) -> Result<(Block, Lut), Error> {
        let Call { operation, left, right } = call;
        let (bits, modulus) = (self.params().spec().message_bits, self.modulus());
        let (a, b) = (self.check_key(left)?, self.check_key(right)?);
        let divides = matches!(operation, Operation::Divide | Operation::Remainder);
        if divides && b.is_clear() && b.clear_value() & (modulus - 1) == 0 {
            return Err(Error::DivisionByZero);
        }
        if matches!(operation, Operation::Add | Operation::Subtract) {
            let sign = if operation == Operation::Add { 1 } else { -1 };
            let sum = self.bounded(a.unchecked_add_scaled(b, sign))?;
            let lut = self.table(&sum, |x| x.rem_euclid(modulus))?;
            return Ok((sum, lut));
        }
        if operation.is_comparison() && is_message(a, modulus) && is_message(b, modulus) {
            let difference = self.bounded(a.unchecked_sub(b))?;
            let lut = self.table(&difference, |x| {
                let (a, b) = (x.max(0).unsigned_abs(), (-x).max(0).unsigned_abs());
                operation.of_messages(a, b, bits) as i32
            })?;
            return Ok((difference, lut));
        }
        let packed = self.pack(left, right)?;
        let lut = packed.table(self, |a, b| operation.of_messages(a, b, bits) as i32)?;
        Ok((packed.block, lut))
    }
}

/// Returns whether the block holds a message without carry.
fn is_message(block: &Block, modulus: i32) -> bool {
    let (low, high) = block.range();
    low >= 0 && high < modulus
}
