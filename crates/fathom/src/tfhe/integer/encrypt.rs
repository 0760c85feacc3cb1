//! Encryption and decryption of integers.

use super::digits::{self, check_params};
use super::{AnyInteger, Clear, FheBool, Integer, ValueType};
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
        let bits = value.into().bits_of(ValueType::of::<T>())?;
        let blocks = digits::of(bits, T::BITS).map(|digit| self.encrypt(digit as u32, rng));
        T::from_blocks(blocks.collect::<Result<_, _>>()?)
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
        let digits = integer.blocks().iter().map(|block| self.decrypt(block));
        let digits: Vec<i32> = digits.collect::<Result<_, _>>()?;
        Ok(integer.value(digits::join(digits.into_iter())))
    }

    /// Decrypts a truth value.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_truth(&self, value: &FheBool) -> Result<bool, Error> {
        Ok(self.decrypt(value.block())? == 1)
    }
}
