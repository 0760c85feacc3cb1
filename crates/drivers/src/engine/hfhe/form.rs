//! The forms of ciphertexts, as their session sees them.

use crate::protocol::{CiphertextBytes, KeyBytes};
use fathom::SecretRng;
use fathom_hfhe::{Error, Fp};

/// A representation of ciphertexts.
pub(super) trait Form: Send + Sync + 'static {
    const NAME: &'static str;
    const ASSUMPTION: &'static str;
    type Key: Send + Sync;
    type Ciphertext: Clone + Send + Sync;

    fn generate(rng: &mut SecretRng) -> Result<Self::Key, Error>;
    fn encrypt(key: &Self::Key, value: Fp, rng: SecretRng) -> Result<Self::Ciphertext, Error>;
    fn decrypt(key: &Self::Key, x: &Self::Ciphertext) -> Result<Fp, Error>;
    fn add(x: &Self::Ciphertext, y: &Self::Ciphertext) -> Result<Self::Ciphertext, Error>;
    fn mul_scalar(x: &Self::Ciphertext, factor: Fp) -> Self::Ciphertext;
    fn mul(
        key: &Self::Key,
        operands: [&Self::Ciphertext; 2],
        rng: SecretRng,
    ) -> Result<Self::Ciphertext, Error>;
    fn square(
        key: &Self::Key,
        x: &Self::Ciphertext,
        rng: SecretRng,
    ) -> Result<Self::Ciphertext, Error> {
        Self::mul(key, [x, x], rng)
    }
    /// Returns `x + constant`, where `encrypted` is an encryption of the constant.
    fn add_scalar(
        x: &Self::Ciphertext,
        constant: Fp,
        encrypted: &Self::Ciphertext,
    ) -> Result<Self::Ciphertext, Error>;
    fn bytes(x: &Self::Ciphertext) -> CiphertextBytes;
    fn key_bytes(key: &Self::Key) -> KeyBytes;
}
