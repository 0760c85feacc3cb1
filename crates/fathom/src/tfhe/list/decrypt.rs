//! Reads a list with the secret key.

use super::CompressedList;
use crate::tfhe::{ClientKey, Error};

impl ClientKey {
    /// The integers in all blocks of a list, without expanding it.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if the list belongs to other parameters.
    pub fn decrypt_list(&self, list: &CompressedList) -> Result<Vec<i32>, Error> {
        let params = self.params();
        list.params().same(params)?;
        let space = params.space();
        let phases = self.list_phases(list);
        let messages: Vec<i32> = phases.into_iter().map(|phase| space.decode(phase)).collect();
        let places = list.places(0..list.len())?;
        let digit = |place: &super::compressed_list::Place| {
            messages[place.group] >> (place.bits as usize * place.slot) & ((1 << place.bits) - 1)
        };
        Ok(places.iter().map(digit).collect())
    }

    /// Message plus noise of each ciphertext of a list, words of the torus. For measuring noise:
    /// **never publish it**, nor anything computed from it but the decoded messages.
    pub fn list_phases(&self, list: &CompressedList) -> Vec<u64> {
        let phase = |group| {
            let words = list.ciphertext(group);
            let (mask, body) = words.split_at(words.len() - 1);
            body[0].wrapping_sub(self.small().binary_product(mask))
        };
        (0..list.bodies().len()).map(phase).collect()
    }
}
