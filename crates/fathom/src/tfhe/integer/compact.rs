//! Public-key encryption of integers.

use super::digits::check_params;
use super::{Clear, Integer, ValueType};
use crate::tfhe::{Block, CompactList, Error, PublicKey};
use fathom_ring::SecretRng;

impl PublicKey {
    /// Encrypts clear values as integers of type `T`, in one list.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold a value; [`Error::ParamsMismatch`] if the
    /// blocks of the key do not have the 2 bits of message and 2 of carry that integers need; the
    /// errors of [`PublicKey::encrypt`].
    pub fn encrypt_integers<T: Integer>(
        &self,
        values: impl IntoIterator<Item = impl Into<Clear>>,
        rng: &mut SecretRng,
    ) -> Result<CompactList, Error> {
        check_params(self.params())?;
        let space = self.params().space();
        let mut digits = Vec::new();
        for value in values {
            T::from_digits(value, |digit| {
                digits.push(digit as u32);
                Block::simulated(space, digit, (0, 3))
            })?;
        }
        Ok(self.encrypt(&digits, rng)?.typed(Some(ValueType::of::<T>())))
    }
}

impl CompactList {
    /// Returns the integers of type `T` that the blocks of the list form, in order.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if the list has another type; [`Error::NotCanonical`] if its length
    /// is not a multiple of the type's, or its blocks are not those of integers.
    pub fn integers<T: Integer>(&self) -> Result<Vec<T>, Error> {
        let (expected, got) = (ValueType::of::<T>(), self.value_type());
        if got != Some(expected) {
            return Err(Error::TypeMismatch { expected, got });
        }
        let length = expected.blocks();
        let blocks = self.expand();
        let (whole, rest) = blocks.split_at(blocks.len() / length * length);
        if !rest.is_empty() {
            return Err(Error::NotCanonical { blocks: length, top: 3, noise_variance: 2 });
        }
        whole.chunks_exact(length).map(|blocks| T::from_blocks(blocks.to_vec())).collect()
    }
}
