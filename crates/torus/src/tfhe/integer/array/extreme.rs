//! The extremes of a list, and their places.

use super::lookup::first_of;
use crate::tfhe::integer::blocks::constant;
use crate::tfhe::integer::tables::Tables;
use crate::tfhe::integer::value::digits::{self, DIGIT_BITS};
use crate::tfhe::integer::value::traits::sealed::Sealed;
use crate::tfhe::integer::{FheInteger, FheUint32, Integers, Typed, U256, ValueType};
use crate::tfhe::{Block, Error, Lut};

/// The end of the order that is sought.
#[derive(Clone, Copy, Debug)]
enum Extreme {
    Least,
    Greatest,
}

/// A candidate: the digits of a value, then those of its index if that is wanted.
type Candidate = Vec<Block>;

impl Integers {
    /// Returns the greatest element of a list. Cost, for `k` integers: `k - 1` times that of
    /// [`Integers::max`], in `log2 k` rounds.
    ///
    /// # Errors
    /// [`ListError::EmptyList`](crate::tfhe::ListError::EmptyList); [`Error::TypeMismatch`] if
    /// elements have different types; [`Error::ParamsMismatch`].
    pub fn max_of<T: FheInteger>(&self, list: &[T]) -> Result<T, Error> {
        self.extreme_of(list, Extreme::Greatest)
    }

    /// Returns the least element of a list. Cost: that of [`Integers::max_of`].
    ///
    /// # Errors
    /// As [`Integers::max_of`].
    pub fn min_of<T: FheInteger>(&self, list: &[T]) -> Result<T, Error> {
        self.extreme_of(list, Extreme::Least)
    }

    /// Returns the index of the first greatest element of a list, and the element. Cost: that of
    /// [`Integers::max_of`], and about a bootstrap per element for each digit of the index.
    ///
    /// # Errors
    /// As [`Integers::max_of`].
    pub fn argmax<T: FheInteger>(&self, list: &[T]) -> Result<(FheUint32, T), Error> {
        self.place_of(list, Extreme::Greatest)
    }

    /// Returns the index of the first least element of a list, and the element. Cost: that of
    /// [`Integers::argmax`].
    ///
    /// # Errors
    /// As [`Integers::max_of`].
    pub fn argmin<T: FheInteger>(&self, list: &[T]) -> Result<(FheUint32, T), Error> {
        self.place_of(list, Extreme::Least)
    }

    fn extreme_of<T: FheInteger>(&self, list: &[T], extreme: Extreme) -> Result<T, Error> {
        let first = first_of(list)?;
        let candidates = list.iter().map(|value| Ok(self.blocks(value)?.to_vec()));
        let candidates = candidates.collect::<Result<Vec<_>, Error>>()?;
        Ok(first.like(self.tournament(candidates, first, extreme)?))
    }

    fn place_of<T: FheInteger>(
        &self,
        list: &[T],
        extreme: Extreme,
    ) -> Result<(FheUint32, T), Error> {
        let first = first_of(list)?;
        let bits = (usize::BITS - (list.len() - 1).leading_zeros()) as usize;
        let candidates = list.iter().enumerate().map(|(index, value)| {
            let mut candidate = self.blocks(value)?.to_vec();
            candidate.extend(digits::trivial(U256::from(index as u64), bits));
            Ok(candidate)
        });
        let candidates = candidates.collect::<Result<Vec<_>, Error>>()?;
        let mut value = self.tournament(candidates, first, extreme)?;
        let mut index = value.split_off(first.blocks().len());
        index.resize(FheUint32::BITS / DIGIT_BITS, constant(0));
        Ok((FheUint32::wrap(ValueType::of::<FheUint32>(), index), first.like(value)))
    }

    /// Returns the first of the best candidates, which are compared by their first digits, as many
    /// as `like` has.
    fn tournament<T: FheInteger>(
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
            let mut best = self.map(&pairs, |integers, pair| {
                let relation = extreme.is_beaten(integers.tables);
                let (first, second) = (&pair[0], &pair[1]);
                let beaten =
                    integers.order(&second[..length], &first[..length], signed, relation)?;
                integers.selected(&beaten, second, first)
            })?;
            best.extend(last);
            candidates = best;
        }
        Ok(candidates.swap_remove(0))
    }
}

impl Extreme {
    /// Returns the relation of a later candidate to an earlier one that it beats.
    fn is_beaten(self, tables: &Tables) -> &Lut {
        match self {
            Extreme::Least => &tables.less,
            Extreme::Greatest => &tables.greater,
        }
    }
}
