//! Public identifiers of keys.

use fathom_ring::SecretRng;
use std::fmt;
use std::num::NonZeroU128;

/// A public identifier of a secret key: 16 random bytes, drawn when the key is generated.
///
/// Public keys, evaluation keys, ciphertexts and their frames carry the identifier of the secret
/// key that they belong to, and every operation compares the identifiers of its operands. The bytes
/// are independent of the key's coefficients, so they reveal nothing but that two objects belong
/// together. They authenticate nothing: whoever can change a frame can change its identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// Without the alignment of 128-bit integers, every block of a TFHE ciphertext is 16 bytes shorter.
#[repr(Rust, packed(8))]
pub struct KeyId(NonZeroU128);

impl KeyId {
    /// Draws a new identifier from 32 public bytes of the generator.
    #[doc(hidden)]
    pub fn generate(rng: &mut SecretRng) -> KeyId {
        KeyId::from_digest(&blake3::derive_key("fathom 1 key identifier", &rng.next_seed().0))
    }

    /// Returns the identifier that consists of the first 16 bytes of a digest.
    #[doc(hidden)]
    pub fn from_digest(digest: &[u8; 32]) -> KeyId {
        let (low, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
        // Zero, which stands for "no key" in frames, has probability 2^-128.
        KeyId(NonZeroU128::new(u128::from_le_bytes(*low)).unwrap_or(NonZeroU128::MIN))
    }

    /// Reads the 16 bytes of a frame; returns `None` if they are all zero.
    #[doc(hidden)]
    pub fn from_bytes(bytes: [u8; 16]) -> Option<KeyId> {
        NonZeroU128::new(u128::from_le_bytes(bytes)).map(KeyId)
    }

    /// Returns the identifier as 16 bytes, not all of them zero.
    pub fn to_bytes(self) -> [u8; 16] {
        { self.0 }.get().to_le_bytes()
    }
}

/// The first 8 bytes in hexadecimal: enough to tell keys apart in a message.
impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_bytes()[..8].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_differ_and_survive_bytes() {
        let mut rng = SecretRng::insecure_from_seed(1);
        let [a, b] = [(); 2].map(|()| KeyId::generate(&mut rng));
        assert_ne!(a, b);
        assert_eq!(KeyId::from_bytes(a.to_bytes()), Some(a));
        assert_eq!(KeyId::from_bytes([0; 16]), None);
    }
}
