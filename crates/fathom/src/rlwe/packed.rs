//! Values whose slots are in the layout of a linear map.

/// A plaintext or ciphertext in the layout that a [`LinearMap`](super::LinearMap) of `size` rows
/// takes and gives: a vector of `size` values in each row of slots, repeated to fill it.
///
/// [`LinearMap::pack`](super::LinearMap::pack) makes packed plaintexts, [`Packed::try_map`] packed
/// ciphertexts from them.
#[derive(Clone, Debug)]
pub struct Packed<V> {
    size: usize,
    value: V,
}

impl<V> Packed<V> {
    /// Wraps a value that is known to be in this layout, such as a ciphertext that was received.
    pub fn assume(size: usize, value: V) -> Packed<V> {
        Packed { size, value }
    }

    /// Values of the vector.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the plaintext or ciphertext.
    pub fn value(&self) -> &V {
        &self.value
    }

    /// Unwraps the plaintext or ciphertext.
    pub fn into_value(self) -> V {
        self.value
    }

    /// Applies an operation that keeps the layout: encryption, decryption, a modulus switch, or any
    /// slot-wise operation with a value of the same layout.
    ///
    /// # Errors
    /// The error of the operation.
    pub fn try_map<W, E>(
        &self,
        operation: impl FnOnce(&V) -> Result<W, E>,
    ) -> Result<Packed<W>, E> {
        Ok(Packed { size: self.size, value: operation(&self.value)? })
    }
}
