//! Decompression: one bootstrap for each block of a list.

use super::CompressedList;
use super::compressed_list::Place;
use crate::tfhe::integer::{FheUint64, RadixInt, RadixValue, ValueType};
use crate::tfhe::{Block, Error, Evaluator, Lut};
use std::ops::Range;

/// The lookup table for one digit of a group. A list needs only a few of them.
struct Digit {
    bits: u32,
    slot: usize,
    lut: Lut,
}

impl Evaluator {
    /// Returns the blocks of a range of the list, in order, by one bootstrap each.
    ///
    /// Every block therefore has the noise of a bootstrap's output and is within the range of its
    /// width, whatever the list holds. No packing key is needed.
    ///
    /// # Errors
    /// [`ListError::OutsideList`](crate::tfhe::ListError::OutsideList) if the range ends past the
    /// list; [`Error::ParamsMismatch`], [`Error::KeyMismatch`] or [`Error::Simulated`] if the list
    /// cannot be combined with this evaluator.
    pub fn decompress(
        &self,
        list: &CompressedList,
        blocks: Range<usize>,
    ) -> Result<Vec<Block>, Error> {
        let places = list.places(blocks)?;
        let digits = self.digits(list, &places)?;
        let digit = |place: &Place| {
            digits.iter().find(|digit| (digit.bits, digit.slot) == (place.bits, place.slot))
        };
        let (mut inputs, mut last) = (Vec::with_capacity(places.len()), None);
        for place in &places {
            if last != Some(place.group) {
                inputs.push((list.ciphertext(place.group), Vec::new()));
                last = Some(place.group);
            }
            if let (Some((_, luts)), Some(digit)) = (inputs.last_mut(), digit(place)) {
                luts.push(&digit.lut);
            }
        }
        let jobs: Vec<_> = inputs
            .iter()
            .flat_map(|(words, luts)| luts.iter().map(|lut| (&words[..], *lut)))
            .collect();
        Ok(self.bootstrap_small(&jobs)?.into_iter().flatten().collect())
    }

    /// Decompresses the whole list as integers or truth values of type `T`.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if the list has another type; [`Error::NotCanonical`] if its length
    /// is not a multiple of the type's, or its blocks are too wide; the errors of
    /// [`Evaluator::decompress`].
    pub fn decompress_list<T: RadixValue>(&self, list: &CompressedList) -> Result<Vec<T>, Error> {
        self.decompress_values(list, 0..list.len() / ValueType::of::<T>().blocks())
    }

    /// Decompresses the values of type `T` with these indices: a part of a list whose values would
    /// take too much memory together.
    ///
    /// # Errors
    /// As [`Evaluator::decompress_list`].
    pub fn decompress_values<T: RadixValue>(
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
    /// [`Evaluator::decompress_list`].
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
        self.decompress(list, start..end)
    }

    fn digits(&self, list: &CompressedList, places: &[Place]) -> Result<Vec<Digit>, Error> {
        let params = self.params();
        list.check(params, self.owner())?;
        let mut kinds: Vec<_> = places.iter().map(|place| (place.bits, place.slot)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let digit = |(bits, slot): (u32, usize)| {
            let shift = bits * slot as u32;
            let mask = (1 << bits) - 1;
            let domain = 0..=params.space().half() - 1;
            let lut = Lut::new(params.space(), domain, |x| x >> shift & mask)?;
            Ok(Digit { bits, slot, lut })
        };
        kinds.into_iter().map(digit).collect()
    }
}
