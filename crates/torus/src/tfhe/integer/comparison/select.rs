//! Selection, minimum and maximum.

use crate::tfhe::integer::blocks::{complement, constant};
use crate::tfhe::integer::{
    CANONICAL_NOISE_VARIANCE, FheBool, FheInteger, FheValue, Integers, Operand,
};
use crate::tfhe::{Block, Error, Lut};

impl Integers {
    /// Computes `if condition { a } else { b }`.
    ///
    /// Cost: one bootstrap per block. Blocks take a second one if both operands are themselves
    /// results of a selection. One more is needed if an operand contains the condition and that is
    /// itself the result of a selection. Clear digits cost at most one bootstrap together.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand;
    /// [`Error::TypeMismatch`]; [`Error::TypeUnknown`] if a
    /// [`RadixInt`](crate::tfhe::integer::RadixInt) is selected from two clear values.
    pub fn select<T: FheValue>(
        &self,
        condition: &FheBool,
        a: impl Operand<T>,
        b: impl Operand<T>,
    ) -> Result<T, Error> {
        let condition = &self.blocks(condition)?[0];
        let own = a.content()?.value_type().or(b.content()?.value_type());
        let ty = own.or_else(T::static_type).ok_or(Error::TypeUnknown)?;
        let [a, b] = [self.side::<T>(ty, &a)?, self.side::<T>(ty, &b)?];
        let [a, b] = [a, b].map(|side| side.into_blocks(ty.bits().into()));
        Ok(T::wrap(ty, self.selected(condition, &a, &b)?))
    }

    /// Computes the greater of two integers. Cost: a comparison and a selection.
    ///
    /// # Errors
    /// As [`Integers::select`].
    pub fn max<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        self.extreme(a, &b, &self.tables.greater)
    }

    /// Computes the lesser of two integers. Cost: a comparison and a selection.
    ///
    /// # Errors
    /// As [`Integers::select`].
    pub fn min<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        self.extreme(a, &b, &self.tables.less)
    }
}

impl Integers {
    fn extreme<T: FheInteger>(
        &self,
        a: &T,
        b: &impl Operand<T>,
        relation: &Lut,
    ) -> Result<T, Error> {
        let (digits, b) = (self.blocks(a)?, self.operand(a, b)?);
        let first = self.order(digits, &b, a.is_signed(), relation)?;
        Ok(a.like(self.selected(&first, digits, &b)?))
    }

    /// Computes the selection as `b + condition (a - b)`, or as `a + (1 - condition) (b - a)` if
    /// `a` has less noise. The product is a lookup table of the difference plus 8 times the
    /// condition. If both digits are clear, it is a multiple of the condition.
    pub(in crate::tfhe::integer) fn selected(
        &self,
        condition: &Block,
        a: &[Block],
        b: &[Block],
    ) -> Result<Vec<Block>, Error> {
        let otherwise = complement(condition).add_scalar(-2);
        let mut jobs = Vec::with_capacity(a.len());
        let mut choices = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let choice = Choice::new(condition, a, b);
            match &choice {
                Choice::Linear(_) | Choice::Multiple { .. } => {}
                Choice::FromFirst => {
                    jobs.push((
                        b.unchecked_sub(a).unchecked_add_scaled(&otherwise, 8),
                        &self.tables.select,
                    ));
                }
                Choice::FromSecond | Choice::Refreshed => {
                    jobs.push((
                        a.unchecked_sub(b).unchecked_add_scaled(condition, 8),
                        &self.tables.select,
                    ));
                }
            }
            choices.push(choice);
        }
        let limit = self.params().max_noise_variance();
        if condition.noise_variance() > 1
            && jobs.iter().any(|(job, _)| job.noise_variance() > limit)
        {
            // The condition is also a term of an operand.
            let condition = self.apply(condition, &self.tables.message)?;
            return self.selected(&condition.within(0, 1), a, b);
        }
        let products = jobs.len();
        let noisy = choices.iter().zip(b).filter(|(choice, _)| **choice == Choice::Refreshed);
        jobs.extend(noisy.map(|(_, b)| (b.clone(), &self.tables.message)));
        let refreshed = jobs.len();
        if choices.iter().any(|choice| matches!(choice, Choice::Multiple { .. })) {
            jobs.push((condition.clone(), &self.tables.multiples));
        }
        let mut outputs: Vec<_> = self.layer(&jobs)?.into_iter().flatten().collect();
        let multiples = outputs.split_off(refreshed);
        let mut refreshed = outputs.split_off(products).into_iter();
        let mut products = outputs.into_iter();
        let mut product = || products.next().expect("there is a product for each of these choices");
        let chosen = choices.into_iter().zip(a.iter().zip(b)).map(|(choice, (a, b))| {
            let chosen = match choice {
                Choice::Linear(block) => block,
                Choice::Multiple { base, factor } => {
                    let multiple = &multiples[factor.unsigned_abs() as usize - 2];
                    constant(base).unchecked_add_scaled(multiple, factor.signum())
                }
                Choice::FromFirst => a.unchecked_add(&product()),
                Choice::FromSecond => b.unchecked_add(&product()),
                Choice::Refreshed => {
                    let base = refreshed.next().expect("each noisy digit was bootstrapped");
                    base.unchecked_add(&product())
                }
            };
            let either = a.span().hull(b.span());
            chosen.within(either.low, either.high)
        });
        Ok(chosen.collect())
    }
}

/// The method that selects a digit from `a` and `b`.
#[derive(Clone, Debug, PartialEq)]
enum Choice {
    /// The result, which needs no bootstrap because both digits are clear.
    Linear(Block),
    /// The clear digit `base` plus the condition times `factor`, which is 2 or 3 in absolute
    /// value.
    Multiple { base: i32, factor: i32 },
    /// The digit of `a` plus a product.
    FromFirst,
    /// The digit of `b` plus a product.
    FromSecond,
    /// The digit of `b`, bootstrapped, plus a product.
    Refreshed,
}

impl Choice {
    fn new(condition: &Block, a: &Block, b: &Block) -> Choice {
        if a.is_clear() && b.is_clear() {
            let (base, factor) = (b.clear_value(), a.clear_value() - b.clear_value());
            let linear = constant(base).unchecked_add_scaled(condition, factor);
            let canonical = linear.noise_variance() <= CANONICAL_NOISE_VARIANCE;
            if canonical || factor.abs() == 1 {
                Choice::Linear(linear)
            } else {
                Choice::Multiple { base, factor }
            }
        } else if b.noise().variance_with_output() <= CANONICAL_NOISE_VARIANCE {
            Choice::FromSecond
        } else if a.noise().variance_with_output() <= CANONICAL_NOISE_VARIANCE {
            Choice::FromFirst
        } else {
            Choice::Refreshed
        }
    }
}
