//! Encryption and decryption of small integers.

use super::ShortInt;
use crate::tfhe::{ClientKey, Error};
use fathom_ring::SecretRng;

impl ClientKey {
    /// Encrypts a small integer.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] unless `value < 2^message_bits`.
    pub fn encrypt_short(&self, value: u32, rng: &mut SecretRng) -> Result<ShortInt, Error> {
        Ok(ShortInt::new(self.encrypt(value, rng)?))
    }

    /// Decrypts the message, which is the integer modulo `2^message_bits`.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_short(&self, value: &ShortInt) -> Result<u32, Error> {
        let raw = self.decrypt_message_and_carry(value)?;
        // The modulus is a power of two, so a mask takes constant time; a division could depend on
        // the value.
        Ok((raw & (self.params().message_modulus() - 1)).unsigned_abs())
    }

    /// Decrypts the integer in the block, carries included.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_message_and_carry(&self, value: &ShortInt) -> Result<i32, Error> {
        self.decrypt(value.block())
    }
}
