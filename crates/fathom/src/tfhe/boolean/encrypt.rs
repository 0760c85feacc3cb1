//! Encryption and decryption of bits.

use super::Bit;
use crate::tfhe::{ClientKey, Error};
use fathom_ring::SecretRng;

impl ClientKey {
    /// Encrypts a bit.
    ///
    /// # Errors
    /// None for the sets of the library; [`Error::ValueOutOfRange`] if a set had no message bit.
    pub fn encrypt_bit(&self, bit: bool, rng: &mut SecretRng) -> Result<Bit, Error> {
        Ok(Bit::new(self.encrypt(bit.into(), rng)?))
    }

    /// Decrypts a bit.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_bit(&self, bit: &Bit) -> Result<bool, Error> {
        Ok(self.decrypt(bit.block())? == 1)
    }
}
