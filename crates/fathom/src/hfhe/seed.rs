//! Seeds: the public names of masks.

/// The public name of one mask: the secret key maps it to the mask itself.
///
/// Under `compat` the words are the tag of the layer and the two words of its nonce; under `native`
/// all three are random. A seed must never serve two encryptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seed(pub [u64; 3]);

/// The public name of a secret key, which its ciphertexts carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId(pub(crate) [u8; 32]);

impl KeyId {
    /// Its bytes, as they stand in the header of a frame.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}
