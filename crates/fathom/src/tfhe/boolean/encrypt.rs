//! Encryption and decryption of bits.

use super::Bit;
use crate::tfhe::{ClientKey, Decrypt, Encrypt, Error};
use fathom_ring::SecretRng;

impl Encrypt for Bit {
    type Message = bool;

    fn encrypt_under(
        client: &ClientKey,
        message: bool,
        rng: &mut SecretRng,
    ) -> Result<Self, Error> {
        Ok(Bit::new(client.encrypt_block(message.into(), rng)?))
    }
}

impl Decrypt for Bit {
    type Message = bool;

    fn decrypt_under(&self, client: &ClientKey) -> Result<bool, Error> {
        Ok(client.decrypt_block(self.block())? == 1)
    }
}
