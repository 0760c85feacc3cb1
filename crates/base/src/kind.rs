//! The kinds of objects and the version of their format.

use std::fmt;

/// The version of the format that this library writes and reads.
pub const VERSION: u16 = 4;

/// The kind of object in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Parameters.
    Params,
    /// A secret key.
    SecretKey,
    /// A public key.
    PublicKey,
    /// Evaluation keys.
    EvaluationKeys,
    /// A ciphertext.
    Ciphertext,
    /// A plaintext.
    Plaintext,
    /// A BFV ciphertext with the message in the most significant bits of the modulus.
    MsbCiphertext,
    /// Ciphertexts that share a mask.
    CiphertextList,
    /// Ciphertexts that a server packed and rounded to few bits.
    CompressedList,
    /// The key that packs compressed lists.
    PackingKey,
    /// An encrypted integer or truth value in blocks.
    RadixValue,
    /// A relinearisation key.
    RelinearizationKey,
    /// Galois keys.
    GaloisKeys,
    /// Ciphertexts whose masks are given by one seed.
    SeededList,
    /// An encrypted byte string in blocks.
    ByteString,
    /// A matrix prepared to multiply encrypted vectors.
    LinearMap,
    /// The keys of a bootstrapping of CKKS.
    BootstrappingKeys,
    /// The keys of a refresh of BFV or BGV.
    RefreshKeys,
}

/// All kinds; the first has tag 1.
const KINDS: [(Kind, &str); 18] = [
    (Kind::Params, "parameters"),
    (Kind::SecretKey, "a secret key"),
    (Kind::PublicKey, "a public key"),
    (Kind::EvaluationKeys, "evaluation keys"),
    (Kind::Ciphertext, "a ciphertext"),
    (Kind::Plaintext, "a plaintext"),
    (Kind::MsbCiphertext, "a ciphertext in the form of the BFV paper"),
    (Kind::CiphertextList, "a list of ciphertexts"),
    (Kind::CompressedList, "a compressed list of ciphertexts"),
    (Kind::PackingKey, "a packing key"),
    (Kind::RadixValue, "an encrypted integer"),
    (Kind::RelinearizationKey, "a relinearisation key"),
    (Kind::GaloisKeys, "Galois keys"),
    (Kind::SeededList, "a seeded list of ciphertexts"),
    (Kind::ByteString, "an encrypted byte string"),
    (Kind::LinearMap, "a linear map"),
    (Kind::BootstrappingKeys, "keys of a bootstrapping"),
    (Kind::RefreshKeys, "keys of a refresh"),
];

/// The number of kinds, which is the highest tag.
pub(crate) const KIND_COUNT: u64 = KINDS.len() as u64;

impl Kind {
    /// Returns the kind with this tag, if there is one.
    #[doc(hidden)]
    pub fn from_tag(tag: u8) -> Option<Kind> {
        let index = usize::from(tag).checked_sub(1)?;
        KINDS.get(index).map(|row| row.0)
    }

    /// Returns the tag of the kind in the header.
    pub fn tag(self) -> u8 {
        self as u8 + 1
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KINDS[*self as usize].1)
    }
}
