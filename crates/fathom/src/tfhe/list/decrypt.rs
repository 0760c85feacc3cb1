//! Decryption of lists.

use super::CompressedList;
use crate::tfhe::{ClientKey, Error};
use fathom_ring::SecretBits;

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
        let digit = |place: &super::compressed_list::Place| {
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
