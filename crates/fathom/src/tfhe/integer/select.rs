//! Selection, minimum and maximum.

use super::radix::{Radix, complement};
use super::{CANONICAL_NOISE_VARIANCE, FheBool, Integer, Operand, Word};
use crate::tfhe::{Block, Error, Evaluator, Lut};

impl Evaluator {
    /// Computes `if condition { a } else { b }`.
    ///
    /// Cost: one bootstrap per block. Blocks take a second one if both operands are themselves
    /// results of a selection. One more is needed if an operand contains the condition and that is
    /// itself the result of a selection.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn select<T: Word>(
        &self,
        condition: &FheBool,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<T, Error> {
        let radix = self.radix()?;
        let condition = &radix.blocks(condition)?[0];
        Ok(T::wrap(radix.selected(condition, radix.blocks(a)?, &radix.operand(&b)?)?))
    }

    /// Computes the greater of two integers. Cost: a comparison and a selection.
    ///
    /// # Errors
    /// As [`Evaluator::select`].
    pub fn max<T: Integer>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let radix = self.radix()?;
        radix.extreme(a, &b, &radix.tables.greater)
    }

    /// Computes the lesser of two integers. Cost: a comparison and a selection.
    ///
    /// # Errors
    /// As [`Evaluator::select`].
    pub fn min<T: Integer>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let radix = self.radix()?;
        radix.extreme(a, &b, &radix.tables.less)
    }
}

impl Radix<'_> {
    fn extreme<T: Integer>(&self, a: &T, b: &impl Operand<T>, relation: &Lut) -> Result<T, Error> {
        let (a, b) = (self.blocks(a)?, self.operand(b)?);
        let first = self.order::<T>(a, &b, relation)?;
        Ok(T::wrap(self.selected(&first, a, &b)?))
    }

    /// Computes the selection as `b + condition (a - b)`, or as `a + (1 - condition) (b - a)` if
    /// `a` has less noise. The product is a lookup table of the difference plus 8 times the
    /// condition.
    pub(super) fn selected(
        &self,
        condition: &Block,
        a: &[Block],
        b: &[Block],
    ) -> Result<Vec<Block>, Error> {
        let otherwise = complement(condition).plus_constant(-2);
        let mut jobs = Vec::with_capacity(a.len());
        let mut bases: Vec<Option<Block>> = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            if a.is_clear() && b.is_clear() && a.lwe() == b.lwe() {
                jobs.push((a.minus(b), &self.tables.select));
                bases.push(Some(b.clone()));
            } else if b.noise().variance_with_output() <= CANONICAL_NOISE_VARIANCE {
                jobs.push((a.minus(b).plus_scaled(condition, 8), &self.tables.select));
                bases.push(Some(b.clone()));
            } else if a.noise().variance_with_output() <= CANONICAL_NOISE_VARIANCE {
                jobs.push((b.minus(a).plus_scaled(&otherwise, 8), &self.tables.select));
                bases.push(Some(a.clone()));
            } else {
                jobs.push((a.minus(b).plus_scaled(condition, 8), &self.tables.select));
                bases.push(None);
            }
        }
        let limit = self.evaluator().params().max_noise_variance();
        if condition.noise_variance() > 1
            && jobs.iter().any(|(job, _)| job.noise_variance() > limit)
        {
            // The condition is also a term of an operand.
            let condition = self.apply(condition, &self.tables.message)?;
            return self.selected(&condition.within(0, 1), a, b);
        }
        let refreshed = bases.iter().zip(b).filter(|(base, _)| base.is_none());
        let refreshed: Vec<_> = refreshed.map(|(_, b)| (b.clone(), &self.tables.message)).collect();
        jobs.extend(refreshed);
        let mut outputs: Vec<_> = self.layer(&jobs)?.into_iter().flatten().collect();
        let mut refreshed = outputs.split_off(a.len()).into_iter();
        let chosen = bases.into_iter().zip(outputs).zip(a.iter().zip(b));
        let chosen = chosen.filter_map(|((base, product), (a, b))| {
            let base = base.or_else(|| refreshed.next())?;
            let (low, high) = (a.range().0.min(b.range().0), a.range().1.max(b.range().1));
            Some(base.plus(&product).within(low, high))
        });
        Ok(chosen.collect())
    }
}
