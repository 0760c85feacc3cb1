//! Comparisons.

use super::radix::{Radix, nibbles, pair, total, truth, weighted, without_copies};
use super::{AnyInteger, AnyRadixValue, FheBool, Operand, Side, digits};
use crate::tfhe::{Block, Error, Evaluator, Lut};

/// The greatest number of truth values in one sum.
const MAX_FLAGS: usize = 16;
/// The greatest number of digits whose sum is in the domain of the table for truth values.
const MAX_DIGITS: usize = 5;

/// An order relation.
#[derive(Clone, Copy, Debug)]
enum Order {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Evaluator {
    /// Computes `a == b`. Cost: about 0.53 bootstraps per block; less for a clear operand.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn eq<T: AnyRadixValue>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        let radix = self.radix()?;
        truth(radix.any_difference(a, &b, [&radix.tables.equals, &radix.tables.none])?)
    }

    /// Computes `a != b`. Cost: that of [`Evaluator::eq`].
    ///
    /// # Errors
    /// As [`Evaluator::eq`].
    pub fn ne<T: AnyRadixValue>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        let radix = self.radix()?;
        truth(radix.any_difference(a, &b, [&radix.tables.differs, &radix.tables.any])?)
    }

    /// Computes `a < b`. Cost: about two thirds of a bootstrap per block, one more if signed.
    ///
    /// # Errors
    /// As [`Evaluator::eq`].
    pub fn lt<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        self.compare(a, &b, Order::Less)
    }

    /// Computes `a <= b`. Cost: that of [`Evaluator::lt`].
    ///
    /// # Errors
    /// As [`Evaluator::eq`].
    pub fn le<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        self.compare(a, &b, Order::LessEqual)
    }

    /// Computes `a > b`. Cost: that of [`Evaluator::lt`].
    ///
    /// # Errors
    /// As [`Evaluator::eq`].
    pub fn gt<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        self.compare(a, &b, Order::Greater)
    }

    /// Computes `a >= b`. Cost: that of [`Evaluator::lt`].
    ///
    /// # Errors
    /// As [`Evaluator::eq`].
    pub fn ge<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        self.compare(a, &b, Order::GreaterEqual)
    }

    fn compare<T: AnyInteger>(
        &self,
        a: &T,
        b: &impl Operand<T>,
        order: Order,
    ) -> Result<FheBool, Error> {
        let radix = self.radix()?;
        let (digits, b) = (radix.blocks(a)?, radix.operand(a, b)?);
        let tables = radix.tables;
        let table = match order {
            Order::Less => &tables.less,
            Order::LessEqual => &tables.less_equal,
            Order::Greater => &tables.greater,
            Order::GreaterEqual => &tables.greater_equal,
        };
        truth(radix.order(digits, &b, a.is_signed(), table)?)
    }
}

impl Radix<'_> {
    /// Computes `relation(a - b)` for one of the four tables of order relations.
    pub(super) fn order(
        &self,
        a: &[Block],
        b: &[Block],
        signed: bool,
        relation: &Lut,
    ) -> Result<Block, Error> {
        let mut jobs = self.sign_jobs(&self.nibble_differences(a, b));
        if signed {
            jobs.push((pair(&b[b.len() - 1], &a[a.len() - 1]), &self.tables.signs_differ));
        }
        let mut signs: Vec<_> = self.layer(&jobs)?.into_iter().flatten().collect();
        let inversion = if signed { signs.pop() } else { None };
        let sum = self.sign_sum(signs)?;
        // Adding half the number of messages inverts the relation: the unsigned order of two
        // different signs is the wrong one.
        let sum = inversion.iter().fold(sum, |sum, inversion| sum.unchecked_add(inversion));
        self.apply(&sum, relation)
    }

    /// Returns the jobs that compute the sign of each difference of nibbles.
    pub(super) fn sign_jobs(&self, differences: &[Block]) -> Vec<(Block, &Lut)> {
        differences.iter().map(|difference| (difference.clone(), &self.tables.sign)).collect()
    }

    /// Returns a block in -15 to 15 that has the sign of the last nonzero element of `signs`.
    pub(super) fn sign_sum(&self, mut signs: Vec<Block>) -> Result<Block, Error> {
        signs = without_copies(&signs);
        while signs.len() > 4 {
            let groups: Vec<_> = signs.chunks(4).map(weighted).collect();
            let alone = signs.len() % 4 == 1;
            let jobs = groups.len() - usize::from(alone);
            let mut combined = self.map(groups[..jobs].iter().cloned(), &self.tables.sign)?;
            combined.extend(groups.into_iter().skip(jobs));
            signs = combined;
        }
        Ok(weighted(&signs))
    }

    /// Returns whether two values are equal, or whether they differ. A single difference or sum of
    /// differences, in -15 to 15, is the argument of the table `one`; otherwise the number of
    /// differences is the argument of the table `many`.
    fn any_difference<T: AnyRadixValue>(
        &self,
        a: &T,
        b: &impl Operand<T>,
        [one, many]: [&Lut; 2],
    ) -> Result<Block, Error> {
        let digits = self.blocks(a)?;
        let jobs = match self.side(a, b)? {
            Side::Encrypted(b) => self.difference_jobs(digits, b),
            Side::Clear(b) => self.clear_difference_jobs(digits, |index| digits::digit(b, index)),
        };
        self.any_of_jobs(&jobs, [one, many])
    }

    /// Evaluates jobs whose outputs are flags, and the table `many` on the number of flags that are
    /// set. If there is a single job, its argument is that of the table `one`.
    pub(super) fn any_of_jobs(
        &self,
        jobs: &[(Block, &Lut)],
        [one, many]: [&Lut; 2],
    ) -> Result<Block, Error> {
        if let [(difference, _)] = jobs {
            return self.apply(difference, one);
        }
        let flags: Vec<_> = self.layer(jobs)?.into_iter().flatten().collect();
        let mut flags = without_copies(&flags);
        while flags.len() > MAX_FLAGS {
            flags = self.map(flags.chunks(MAX_FLAGS).map(total), &self.tables.any)?;
        }
        self.apply(&total(&flags), many)
    }

    /// Returns the jobs that detect differences of nibbles.
    pub(super) fn difference_jobs(&self, a: &[Block], b: &[Block]) -> Vec<(Block, &Lut)> {
        let nibbles = self.nibble_differences(a, b);
        nibbles.into_iter().map(|nibble| (nibble, &self.tables.differs)).collect()
    }

    /// Returns the jobs that detect differences from the clear digits that `b` returns. If the
    /// clear digit is 0 or 3, the digit or its complement is the difference, and five of them share
    /// a bootstrap. Of the other digits, two share a bootstrap.
    pub(super) fn clear_difference_jobs(
        &self,
        a: &[Block],
        b: impl Fn(usize) -> i32,
    ) -> Vec<(Block, &Lut)> {
        let (mut ends, mut inner) = (Vec::new(), Vec::new());
        for (index, block) in a.iter().enumerate() {
            let digit = b(index);
            if digit == 0 {
                ends.push(block.clone());
            } else if digit == block.span().high {
                ends.push(block.sub_from(digit));
            } else {
                inner.push(block.add_scalar(-digit));
            }
        }
        if !inner.len().is_multiple_of(2) {
            inner.extend(ends.pop());
        }
        let ends = ends.chunks(MAX_DIGITS).map(|digits| (total(digits), &self.tables.any));
        let inner = nibbles(&inner).into_iter().map(|nibble| (nibble, &self.tables.differs));
        inner.chain(ends).collect()
    }
}
