//! Encryption and decryption of small integers.

use super::ShortInt;
use crate::tfhe::integer::Clear;
use crate::tfhe::{Block, ClientKey, Decrypt, Encrypt, Error};
use fathom_ring::SecretRng;

impl Encrypt for ShortInt {
    type Message = Clear;

    fn encrypt_under(
        client: &ClientKey,
        message: Clear,
        rng: &mut SecretRng,
    ) -> Result<Self, Error> {
        Ok(ShortInt::new(Block::encrypt_under(client, message, rng)?))
    }
}

/// Returns the integer modulo `2^message_bits`.
impl Decrypt for ShortInt {
    type Message = u32;

    fn decrypt_under(&self, client: &ClientKey) -> Result<u32, Error> {
        let raw = client.decrypt_message_and_carry(self)?;
        // The modulus is a power of two, so a mask takes constant time; a division could depend on
        // the value.
        Ok((raw & (client.params().message_modulus() - 1)).unsigned_abs())
    }
}

impl ClientKey {
    /// Decrypts the integer in the block, carries included.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_message_and_carry(&self, value: &ShortInt) -> Result<i32, Error> {
        self.decrypt_block(value.block())
    }
}
