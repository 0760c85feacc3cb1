//! Sorting.

use super::lookup::first_of;
use crate::tfhe::ListError;
use crate::tfhe::integer::{FheInteger, Integers};
use crate::tfhe::{Block, Error};

/// An element to be sorted: the digits of its key, then those of its value.
pub(super) type Element = Vec<Block>;

/// The digits by which elements are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// Number of digits.
    pub(super) length: usize,
    /// True if the elements are in two's complement.
    pub(super) signed: bool,
}

impl Integers {
    /// Sorts integers in ascending order.
    ///
    /// Up to 16 elements are moved to their ranks. Ranks are counted, one nibble of unsigned
    /// integers after the other, or found by comparing all pairs at once, whichever takes fewer
    /// bootstraps. Longer lists are merged from parts of 16 by Batcher's network. Cost, for `k`
    /// elements of n blocks: about 4 n bootstraps per element, and a comparison and n bootstraps
    /// for each exchange of the network. With comparisons of pairs, 2 n bootstraps per element and
    /// a comparison for each pair within a part.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if elements have different types; [`Error::ParamsMismatch`].
    pub fn sort<T: FheInteger>(&self, list: &[T]) -> Result<Vec<T>, Error> {
        let Ok(first) = first_of(list) else { return no_elements(list) };
        let elements = list.iter().map(|value| Ok(self.blocks(value)?.to_vec()));
        let elements = elements.collect::<Result<Vec<Element>, Error>>()?;
        let key = Key { length: first.blocks().len(), signed: first.is_signed() };
        let sorted = self.sorted(elements, key)?;
        Ok(sorted.into_iter().map(|blocks| first.like(blocks)).collect())
    }

    /// Sorts pairs of a key and a value by their keys, in ascending order, and returns the keys
    /// and the values. The order of pairs with equal keys is unspecified.
    ///
    /// Cost: that of [`Integers::sort`], and about two thirds of it for a value as wide as a key.
    ///
    /// # Errors
    /// [`ListError::LengthMismatch`] unless there are as many values as keys; the errors of
    /// [`Integers::sort`].
    pub fn sort_by_key<K: FheInteger, V: FheInteger>(
        &self,
        keys: &[K],
        values: &[V],
    ) -> Result<(Vec<K>, Vec<V>), Error> {
        if keys.len() != values.len() {
            return Err(ListError::LengthMismatch { left: keys.len(), right: values.len() }.into());
        }
        let (Ok(key), Ok(value)) = (first_of(keys), first_of(values)) else {
            return Ok((no_elements(keys)?, no_elements(values)?));
        };
        let elements = keys.iter().zip(values);
        let elements = elements.map(|(k, v)| Ok([self.blocks(k)?, self.blocks(v)?].concat()));
        let elements = elements.collect::<Result<Vec<Element>, Error>>()?;
        let length = key.blocks().len();
        let sorted = self.sorted(elements, Key { length, signed: key.is_signed() })?;
        let pairs = sorted.into_iter().map(|mut blocks| {
            let rest = blocks.split_off(length);
            (key.like(blocks), value.like(rest))
        });
        Ok(pairs.unzip())
    }
}

/// Returns the empty list, or the error of a list that has elements of different types.
fn no_elements<T: FheInteger>(list: &[T]) -> Result<Vec<T>, Error> {
    if list.is_empty() { Ok(Vec::new()) } else { first_of(list).map(|_| Vec::new()) }
}
