//! Decryption of many integers.

use super::super::AnyInteger;
use crate::tfhe::{ClientKey, Error};

impl ClientKey {
    /// Decrypts integers, in order.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_many<T: AnyInteger>(&self, integers: &[T]) -> Result<Vec<T::Value>, Error> {
        integers.iter().map(|integer| self.decrypt(integer)).collect()
    }
}
