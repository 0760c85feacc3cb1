//! Compressed lists of integers and truth values.

use super::integers::Integers;
use super::value::{FheUint64, FheValue, RadixInt, Typed, ValueType};
use crate::tfhe::{Block, CompressedList, Error, ListError};
use std::ops::Range;

impl Integers {
    /// Packs integers or truth values of one type into a list, which also holds the type.
    ///
    /// # Errors
    /// As [`Evaluator::compress`](crate::tfhe::Evaluator::compress); [`ListError::EmptyList`] for
    /// an empty list of a type that is known only at run time, and [`Error::TypeMismatch`] if its
    /// elements have different types.
    pub fn compress_list<T: FheValue>(&self, values: &[T]) -> Result<CompressedList, Error> {
        let first = values.first().map(FheValue::value_type);
        let expected = first.or_else(T::static_type).ok_or(ListError::EmptyList)?;
        if let Some(other) = values.iter().find(|value| value.value_type() != expected) {
            return Err(Error::TypeMismatch { expected, got: Some(other.value_type()) });
        }
        let blocks: Vec<_> =
            values.iter().flat_map(|value| value.blocks().iter().cloned()).collect();
        Ok(self.evaluator().compress(&blocks)?.typed(Some(expected)))
    }

    /// Decompresses the whole list as integers or truth values of type `T`.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if the list has another type; [`Error::NotCanonical`] if its length
    /// is not a multiple of the type's, or its blocks are too wide; the errors of
    /// [`Evaluator::decompress`](crate::tfhe::Evaluator::decompress).
    pub fn decompress_list<T: Typed>(&self, list: &CompressedList) -> Result<Vec<T>, Error> {
        self.decompress_values(list, 0..list.len() / ValueType::of::<T>().blocks())
    }

    /// Decompresses the values of type `T` with these indices: a part of a list whose values would
    /// take too much memory together.
    ///
    /// # Errors
    /// As [`Integers::decompress_list`].
    pub fn decompress_values<T: Typed>(
        &self,
        list: &CompressedList,
        values: Range<usize>,
    ) -> Result<Vec<T>, Error> {
        let (expected, got) = (ValueType::of::<T>(), list.value_type());
        if got != Some(expected) {
            return Err(Error::TypeMismatch { expected, got });
        }
        let blocks = self.decompress_as(list, expected, values)?;
        let values = blocks.chunks_exact(expected.blocks());
        values.map(|blocks| T::from_blocks(blocks.to_vec())).collect()
    }

    /// Decompresses the whole list as integers, whatever their type is.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if it is a list of blocks or truth values; the other errors of
    /// [`Integers::decompress_list`].
    pub fn decompress_radix(&self, list: &CompressedList) -> Result<Vec<RadixInt>, Error> {
        let got = list.value_type();
        let ty = got.filter(|ty| ty.is_radix() && ty.bits() > 1);
        let expected = ValueType::of::<FheUint64>();
        let ty = ty.ok_or(Error::TypeMismatch { expected, got })?;
        let blocks = self.decompress_as(list, ty, 0..list.len() / ty.blocks())?;
        let values = blocks.chunks_exact(ty.blocks());
        values.map(|blocks| RadixInt::from_blocks(ty, blocks.to_vec())).collect()
    }

    /// Decompresses the blocks of a range of values, if the list can be one of type `ty`.
    fn decompress_as(
        &self,
        list: &CompressedList,
        ty: ValueType,
        values: Range<usize>,
    ) -> Result<Vec<Block>, Error> {
        let (blocks, top) = (ty.blocks(), ty.top());
        let wide = list.runs().iter().any(|run| run.bits > u32::from(ty.bits()).min(2));
        if wide || !list.len().is_multiple_of(blocks) {
            return Err(Error::NotCanonical { blocks, top, noise_variance: 1 });
        }
        let (start, end) = (values.start.saturating_mul(blocks), values.end.saturating_mul(blocks));
        self.evaluator().decompress(list, start..end)
    }
}
