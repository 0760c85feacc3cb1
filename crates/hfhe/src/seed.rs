//! Seeds, the public names of masks, and the identifiers of keys.

/// The public name of one mask; the secret key maps it to the mask.
///
/// In the mode `compat`, the words are the tag of the layer and the two words of its nonce; in
/// `native`, all three are random. A seed must never be used for two encryptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seed(pub [u64; 3]);

/// The public name of a secret key, which its ciphertexts carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId(pub(crate) [u8; 32]);

impl KeyId {
    /// Returns the first 16 bytes as the identifier that errors name.
    pub(crate) fn short(self) -> fathom_base::KeyId {
        fathom_base::KeyId::from_digest(&self.0)
    }

    /// Returns the bytes in the order in which the header of a frame holds them.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}
