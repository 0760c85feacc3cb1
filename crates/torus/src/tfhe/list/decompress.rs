//! Reading a list: the server restores blocks by one bootstrap each, the client decrypts their
//! digits.

use super::CompressedList;
use super::compressed_list::Place;
use crate::tfhe::{Block, ClientKey, Error, Evaluator, Lut};
use fathom_ring::SecretBits;
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

impl ClientKey {
    /// Decrypts all blocks of a list, without expanding it.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`] or [`Error::Simulated`] if the list cannot
    /// be decrypted by this key; [`Error::DecryptedOutsideRange`] if a message has more digits than
    /// there are blocks that share it.
    pub fn decrypt_list(&self, list: &CompressedList) -> Result<Vec<i32>, Error> {
        let params = self.params();
        let phases = self.list_phases(list)?;
        let space = params.space();
        let messages: Vec<i32> = phases.into_iter().map(|phase| space.decode(phase)).collect();
        let places = list.places(0..list.len())?;
        for same in places.chunk_by(|a, b| a.group == b.group) {
            let high = (1 << (same[0].bits as usize * same.len())) - 1;
            if messages[same[0].group] > high {
                return Err(Error::DecryptedOutsideRange { low: 0, high });
            }
        }
        let digit = |place: &Place| {
            messages[place.group] >> (place.bits as usize * place.slot) & ((1 << place.bits) - 1)
        };
        Ok(places.iter().map(digit).collect())
    }

    /// Returns the phase of each ciphertext of a list: message plus noise, as an element of the
    /// torus modulo `2^64`.
    ///
    /// This is for measuring noise: **never publish it**, nor anything computed from it but the
    /// decoded messages.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`] or [`Error::Simulated`] if the list cannot
    /// be decrypted by this key.
    pub fn list_phases(&self, list: &CompressedList) -> Result<Vec<u64>, Error> {
        list.check(self.params(), Some(self.owner()))?;
        let small = SecretBits::new(self.small());
        let phase = |group| {
            let words = list.ciphertext(group);
            let (mask, body) = words.split_at(words.len() - 1);
            body[0].wrapping_sub(small.product(mask))
        };
        Ok((0..list.bodies().len()).map(phase).collect())
    }
}
