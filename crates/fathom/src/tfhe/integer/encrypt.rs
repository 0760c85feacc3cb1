//! Encryption and decryption of integers.

use super::digits::check_params;
use super::{AnyInteger, Clear, FheBool, Integer};
use crate::tfhe::{ClientKey, Error};
use fathom_ring::SecretRng;

impl ClientKey {
    /// Encrypts a clear value as an integer of type `T`.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value; [`Error::ParamsMismatch`] if
    /// the blocks of the key do not have the 2 bits of message and 2 of carry that integers need.
    pub fn encrypt_integer<T: Integer>(
        &self,
        value: impl Into<Clear>,
        rng: &mut SecretRng,
    ) -> Result<T, Error> {
        check_params(self.params())?;
        let mut failure = None;
        let block = |digit: i32| {
            self.encrypt(digit as u32, rng).unwrap_or_else(|error| {
                failure = Some(error);
                crate::tfhe::Block::trivial(self.params().space(), 0)
            })
        };
        let integer = T::from_digits(value, block);
        failure.map_or(integer, Err)
    }

    /// Encrypts a truth value.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if the blocks of the key do not have the 2 bits of message and 2
    /// of carry that integers need.
    pub fn encrypt_truth(&self, value: bool, rng: &mut SecretRng) -> Result<FheBool, Error> {
        check_params(self.params())?;
        FheBool::from_block(self.encrypt(value.into(), rng)?.within(0, 1))
    }

    /// Decrypts an integer to the clear type of its width, [`AnyInteger::Value`].
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_integer<T: AnyInteger>(&self, integer: &T) -> Result<T::Value, Error> {
        let digits: Result<Vec<i32>, Error> =
            integer.blocks().iter().map(|block| self.decrypt(block)).collect();
        let mut digits = digits?.into_iter();
        Ok(integer.to_digits(|_| digits.next().unwrap_or(0)))
    }

    /// Decrypts a truth value.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_truth(&self, value: &FheBool) -> Result<bool, Error> {
        Ok(self.decrypt(value.block())? == 1)
    }
}
