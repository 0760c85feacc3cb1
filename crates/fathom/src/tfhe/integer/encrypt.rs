//! Encryption and decryption of integers and truth values.

use super::digits::{self, check_params};
use super::{AnyInteger, FheBool, RadixValue};
use crate::tfhe::{ClientKey, Decrypt, Encrypt, Error};
use fathom_ring::SecretRng;

impl<T: RadixValue> Encrypt for T {
    type Message = T::Message;

    fn encrypt_under(
        client: &ClientKey,
        message: T::Message,
        rng: &mut SecretRng,
    ) -> Result<Self, Error> {
        check_params(client.params())?;
        let bits = T::message_bits(message)?;
        let blocks = digits::of(bits, T::BITS).map(|digit| client.encrypt_block(digit as u32, rng));
        T::from_fresh(blocks.collect::<Result<_, _>>()?)
    }
}

impl<T: AnyInteger> Decrypt for T {
    type Message = T::Value;

    fn decrypt_under(&self, client: &ClientKey) -> Result<T::Value, Error> {
        let digits = self.blocks().iter().map(|block| client.decrypt_block(block));
        let digits: Vec<i32> = digits.collect::<Result<_, _>>()?;
        Ok(self.value(digits::join(digits.into_iter())))
    }
}

impl Decrypt for FheBool {
    type Message = bool;

    fn decrypt_under(&self, client: &ClientKey) -> Result<bool, Error> {
        Ok(client.decrypt_block(self.block())? == 1)
    }
}
