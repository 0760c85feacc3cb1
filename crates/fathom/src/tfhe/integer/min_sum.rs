//! The minimum of an integer and a sum.

use super::add::sums;
use super::carry::CarryOut;
use super::{AnyInteger, Operand};
use crate::tfhe::{Error, Evaluator};

impl Evaluator {
    /// Computes the lesser of `a` and the saturating sum `b + c`: one step of a shortest path.
    ///
    /// The sum of unsigned integers is not saturated: its carry takes part in the comparison as the
    /// most significant digit. Cost: a sum and a comparison of unsigned integers, and one bootstrap
    /// per block; three more bootstraps per block if signed.
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn min_sum<T: AnyInteger>(&self, a: &T, b: &T, c: impl Operand<T>) -> Result<T, Error> {
        if a.is_signed() {
            return self.min(a, self.saturating_add(b, c)?);
        }
        let radix = self.radix()?;
        let (digits, b, c) = (radix.blocks(a)?, radix.operand(a, &b)?, radix.operand(a, &c)?);
        let (sum, carry) = radix.propagate(sums(&b, &c, 0), CarryOut::Kept)?;
        let jobs = radix.sign_jobs(&radix.nibble_differences(&sum, digits));
        let signs = radix.layer(&jobs)?.into_iter().flatten();
        let signs = signs.chain([carry]).collect();
        let less = radix.apply(&radix.sign_sum(signs)?, &radix.tables.less)?;
        Ok(a.like(radix.selected(&less, &sum, digits)?))
    }
}
