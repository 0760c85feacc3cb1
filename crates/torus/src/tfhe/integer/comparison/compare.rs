//! Comparisons.
//!
//! Differences of digits take no bootstrap, and two of them fit one, as a nibble of -15 to 15.
//!
//! - *Equality* asks of each nibble whether it is 0, and of the number of those that are not
//!   whether it is 0, 16 flags at a time. With a clear operand, digits that meet 0 or 3 are never
//!   below or above it, so that five of them share a bootstrap.
//! - *Order* takes the sign of each nibble. The last sign that is not 0 decides, and
//!   `8 s_3 + 4 s_2 + 2 s_1 + s_0` has it: four signs become one in a bootstrap, and the last of
//!   these bootstraps maps the sum to the truth value of the relation. The order of signed integers
//!   is inverted if their signs differ, by 16 added to the last sum: a table on the whole space
//!   then returns the other truth value at no cost.
//!
//! Copies of one ciphertext would add up their noise in such sums; all but the last are left out.

use crate::tfhe::integer::blocks::{differences, nibbles, pair, total, weighted, without_copies};
use crate::tfhe::integer::value::digits;
use crate::tfhe::integer::value::operand::Side;
use crate::tfhe::integer::{FheBool, FheInteger, FheValue, Integers, Operand};
use crate::tfhe::noise::Noise;
use crate::tfhe::{Block, Error, Lut};

/// The greatest number of truth values in one sum.
const MAX_FLAGS: usize = 16;
/// The greatest number of digits whose sum is in the domain of the table for truth values.
const MAX_DIGITS: usize = 5;

/// The weight of the greatest of four signs that are added up.
const TOP_WEIGHT: i32 = 8;
/// The noise variance of the other three, with weights 4, 2 and 1, and of an inversion.
const LOWER_SIGNS: u32 = 16 + 4 + 1 + 1;

/// An order relation.
#[derive(Clone, Copy, Debug)]
enum Order {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Integers {
    /// Computes `a == b`. Cost: about 0.53 bootstraps per block; less for a clear operand.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn eq<T: FheValue>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        FheBool::from_block(self.any_difference(a, &b, [&self.tables.equals, &self.tables.none])?)
    }

    /// Computes `a != b`. Cost: that of [`Integers::eq`].
    ///
    /// # Errors
    /// As [`Integers::eq`].
    pub fn ne<T: FheValue>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        FheBool::from_block(self.any_difference(a, &b, [&self.tables.differs, &self.tables.any])?)
    }

    /// Computes `a < b`. Cost: about two thirds of a bootstrap per block, one more if signed.
    ///
    /// # Errors
    /// As [`Integers::eq`].
    pub fn lt<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        self.compare(a, &b, Order::Less)
    }

    /// Computes `a <= b`. Cost: that of [`Integers::lt`].
    ///
    /// # Errors
    /// As [`Integers::eq`].
    pub fn le<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        self.compare(a, &b, Order::LessEqual)
    }

    /// Computes `a > b`. Cost: that of [`Integers::lt`].
    ///
    /// # Errors
    /// As [`Integers::eq`].
    pub fn gt<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        self.compare(a, &b, Order::Greater)
    }

    /// Computes `a >= b`. Cost: that of [`Integers::lt`].
    ///
    /// # Errors
    /// As [`Integers::eq`].
    pub fn ge<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<FheBool, Error> {
        self.compare(a, &b, Order::GreaterEqual)
    }

    fn compare<T: FheInteger>(
        &self,
        a: &T,
        b: &impl Operand<T>,
        order: Order,
    ) -> Result<FheBool, Error> {
        let (digits, b) = (self.blocks(a)?, self.operand(a, b)?);
        let tables = self.tables;
        let table = match order {
            Order::Less => &tables.less,
            Order::LessEqual => &tables.less_equal,
            Order::Greater => &tables.greater,
            Order::GreaterEqual => &tables.greater_equal,
        };
        FheBool::from_block(self.order(digits, &b, a.is_signed(), table)?)
    }
}

impl Integers {
    /// Computes `relation(a - b)` for one of the four tables of order relations.
    pub(in crate::tfhe::integer) fn order(
        &self,
        a: &[Block],
        b: &[Block],
        signed: bool,
        relation: &Lut,
    ) -> Result<Block, Error> {
        let mut differences = self.nibble_differences(a, b);
        let top_sign = differences.pop_if(|top| self.is_sign(top));
        let mut jobs = self.sign_jobs(&differences);
        if signed {
            jobs.push((pair(&b[b.len() - 1], &a[a.len() - 1]), &self.tables.signs_differ));
        }
        let mut signs: Vec<_> = self.layer(&jobs)?.into_iter().flatten().collect();
        let inversion = if signed { signs.pop() } else { None };
        signs.extend(top_sign);
        let sum = self.sign_sum(signs)?;
        // Adding half the number of messages inverts the relation: the unsigned order of two
        // different signs is the wrong one.
        let sum = inversion.iter().fold(sum, |sum, inversion| sum.unchecked_add(inversion));
        self.apply(&sum, relation)
    }

    /// Returns whether the top difference is a sign as it is, such as that of a carry, and has
    /// little enough noise to be added to the signs below it.
    fn is_sign(&self, top: &Block) -> bool {
        let (low, high) = top.range();
        let noise = Noise::new(LOWER_SIGNS).add_scaled(top.noise(), TOP_WEIGHT);
        low >= -1 && high <= 1 && noise.variance() <= self.params().max_noise_variance()
    }

    /// Returns the differences of two vectors of digits, as nibbles if their noise is within the
    /// limit of a bootstrap.
    pub(in crate::tfhe::integer) fn nibble_differences(
        &self,
        a: &[Block],
        b: &[Block],
    ) -> Vec<Block> {
        let max_noise_variance = self.params().max_noise_variance();
        let nibble = |digits: &[Block]| {
            let nibble = nibbles(digits);
            let fits = nibble.iter().all(|nibble| nibble.noise_variance() <= max_noise_variance);
            if fits { nibble } else { digits.to_vec() }
        };
        differences(a, b).chunks(2).flat_map(nibble).collect()
    }

    /// Returns the jobs that compute the sign of each difference of nibbles.
    pub(in crate::tfhe::integer) fn sign_jobs(&self, differences: &[Block]) -> Vec<(Block, &Lut)> {
        differences.iter().map(|difference| (difference.clone(), &self.tables.sign)).collect()
    }

    /// Returns a block in -15 to 15 that has the sign of the last nonzero element of `signs`.
    pub(in crate::tfhe::integer) fn sign_sum(&self, mut signs: Vec<Block>) -> Result<Block, Error> {
        signs = without_copies(&signs);
        while signs.len() > 4 {
            let groups: Vec<_> = signs.chunks(4).map(weighted).collect();
            let alone = signs.len() % 4 == 1;
            let jobs = groups.len() - usize::from(alone);
            let mut combined =
                self.apply_each(groups[..jobs].iter().cloned(), &self.tables.sign)?;
            combined.extend(groups.into_iter().skip(jobs));
            signs = combined;
        }
        Ok(weighted(&signs))
    }

    /// Returns whether two values are equal, or whether they differ. A single difference or sum of
    /// differences, in -15 to 15, is the argument of the table `one`; otherwise the number of
    /// differences is the argument of the table `many`.
    fn any_difference<T: FheValue>(
        &self,
        a: &T,
        b: &impl Operand<T>,
        [one, many]: [&Lut; 2],
    ) -> Result<Block, Error> {
        let digits = self.blocks(a)?;
        let jobs = match self.side(a.value_type(), b)? {
            Side::Encrypted(b) => self.difference_jobs(digits, b),
            Side::Clear(b) => self.clear_difference_jobs(digits, |index| digits::digit(b, index)),
        };
        self.any_of_jobs(&jobs, [one, many])
    }

    /// Returns whether digits are those of a clear integer, which `b` returns.
    pub(in crate::tfhe::integer) fn equals_clear(
        &self,
        a: &[Block],
        b: impl Fn(usize) -> i32,
    ) -> Result<Block, Error> {
        let tables = [&self.tables.equals, &self.tables.none];
        self.any_of_jobs(&self.clear_difference_jobs(a, b), tables)
    }

    /// Evaluates jobs whose outputs are flags, and the table `many` on the number of flags that are
    /// set. If there is a single job, its argument is that of the table `one`.
    pub(in crate::tfhe::integer) fn any_of_jobs(
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
            flags = self.apply_each(flags.chunks(MAX_FLAGS).map(total), &self.tables.any)?;
        }
        self.apply(&total(&flags), many)
    }

    /// Returns the jobs that detect differences of nibbles.
    pub(in crate::tfhe::integer) fn difference_jobs(
        &self,
        a: &[Block],
        b: &[Block],
    ) -> Vec<(Block, &Lut)> {
        let nibbles = self.nibble_differences(a, b);
        nibbles.into_iter().map(|nibble| (nibble, &self.tables.differs)).collect()
    }

    /// Returns the jobs that detect differences from the clear digits that `b` returns. If the
    /// clear digit is 0 or 3, the digit or its complement is the difference, and five of them share
    /// a bootstrap. Of the other digits, two share a bootstrap.
    pub(in crate::tfhe::integer) fn clear_difference_jobs(
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
