//! Decompression: one bootstrap for each block of a list.

use super::CompressedList;
use super::compressed_list::Place;
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
