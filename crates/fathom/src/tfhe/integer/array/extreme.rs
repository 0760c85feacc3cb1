//! The extremes of a list, and their places.

use super::super::digits::{self, DIGIT_BITS};
use super::super::radix::{Radix, constant};
use super::super::radix_value::sealed::Sealed;
use super::super::{AnyInteger, FheUint32, RadixValue, U256};
use super::lookup::first_of;
use crate::tfhe::{Block, Error, Evaluator, Lut};

/// The end of the order that is sought.
#[derive(Clone, Copy, Debug)]
enum Extreme {
    Least,
    Greatest,
}

/// A candidate: the digits of a value, then those of its index if that is wanted.
type Candidate = Vec<Block>;

impl Evaluator {
    /// Returns the greatest element of a list. Cost, for `k` integers: `k - 1` times that of
    /// [`Evaluator::max`], in `log2 k` rounds.
    ///
    /// # Errors
    /// [`ListError::EmptyList`](crate::tfhe::ListError::EmptyList); [`Error::TypeMismatch`] if
    /// elements have different types; [`Error::ParamsMismatch`].
    pub fn max_of<T: AnyInteger>(&self, list: &[T]) -> Result<T, Error> {
        self.extreme_of(list, Extreme::Greatest)
    }

    /// Returns the least element of a list. Cost: that of [`Evaluator::max_of`].
    ///
    /// # Errors
    /// As [`Evaluator::max_of`].
    pub fn min_of<T: AnyInteger>(&self, list: &[T]) -> Result<T, Error> {
        self.extreme_of(list, Extreme::Least)
    }

    /// Returns the index of the first greatest element of a list, and the element. Cost: that of
    /// [`Evaluator::max_of`], and about a bootstrap per element for each digit of the index.
    ///
    /// # Errors
    /// As [`Evaluator::max_of`].
    pub fn argmax<T: AnyInteger>(&self, list: &[T]) -> Result<(FheUint32, T), Error> {
        self.place_of(list, Extreme::Greatest)
    }

    /// Returns the index of the first least element of a list, and the element. Cost: that of
    /// [`Evaluator::argmax`].
    ///
    /// # Errors
    /// As [`Evaluator::max_of`].
    pub fn argmin<T: AnyInteger>(&self, list: &[T]) -> Result<(FheUint32, T), Error> {
        self.place_of(list, Extreme::Least)
    }

    fn extreme_of<T: AnyInteger>(&self, list: &[T], extreme: Extreme) -> Result<T, Error> {
        let (first, radix) = (first_of(list)?, self.radix()?);
        let candidates = list.iter().map(|value| Ok(radix.blocks(value)?.to_vec()));
        let candidates = candidates.collect::<Result<Vec<_>, Error>>()?;
        Ok(first.like(self.tournament(candidates, first, extreme)?))
    }

    fn place_of<T: AnyInteger>(
        &self,
        list: &[T],
        extreme: Extreme,
    ) -> Result<(FheUint32, T), Error> {
        let (first, radix) = (first_of(list)?, self.radix()?);
        let bits = (usize::BITS - (list.len() - 1).leading_zeros()) as usize;
        let candidates = list.iter().enumerate().map(|(index, value)| {
            let mut candidate = radix.blocks(value)?.to_vec();
            candidate.extend(digits::trivial(U256::from(index as u64), bits));
            Ok(candidate)
        });
        let candidates = candidates.collect::<Result<Vec<_>, Error>>()?;
        let mut value = self.tournament(candidates, first, extreme)?;
        let mut index = value.split_off(first.blocks().len());
        index.resize(<FheUint32 as RadixValue>::BITS / DIGIT_BITS, constant(0));
        Ok((FheUint32::wrap(index), first.like(value)))
    }

    /// Returns the first of the best candidates, which are compared by their first digits, as many
    /// as `like` has.
    fn tournament<T: AnyInteger>(
        &self,
        mut candidates: Vec<Candidate>,
        like: &T,
        extreme: Extreme,
    ) -> Result<Candidate, Error> {
        let (length, signed) = (like.blocks().len(), like.is_signed());
        while candidates.len() > 1 {
            let alone = candidates.len() % 2 == 1;
            let last = if alone { candidates.pop() } else { None };
            let pairs: Vec<&[Candidate]> = candidates.chunks(2).collect();
            let mut best = self.map(&pairs, |evaluator, pair| {
                let radix = evaluator.radix()?;
                let relation = extreme.is_beaten(&radix);
                let (first, second) = (&pair[0], &pair[1]);
                let beaten = radix.order(&second[..length], &first[..length], signed, relation)?;
                radix.selected(&beaten, second, first)
            })?;
            best.extend(last);
            candidates = best;
        }
        Ok(candidates.swap_remove(0))
    }
}

impl Extreme {
    /// Returns the relation of a later candidate to an earlier one that it beats.
    fn is_beaten<'r>(self, radix: &Radix<'r>) -> &'r Lut {
        match self {
            Extreme::Least => &radix.tables.less,
            Extreme::Greatest => &radix.tables.greater,
        }
    }
}
