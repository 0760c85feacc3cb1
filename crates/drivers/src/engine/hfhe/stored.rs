//! The forms that store what the reference stores: edges and decoys, merged or not.

use fathom::SecretRng;
use fathom_hfhe::compat::{self, Compat, Decorator, LayeredCiphertext, UnmergedCiphertext};
use fathom_hfhe::{Error, Fp, Workers};

use super::form::Form;
use super::plain::Keyed;
use crate::protocol::{CiphertextBytes, KeyBytes};

/// Ciphertexts with edges and decoys, as the reference stores them.
pub(super) struct Decoys;

impl Form for Decoys {
    const NAME: &'static str = "compat-decoys";
    const ASSUMPTION: &'static str = <Compat as Keyed>::ASSUMPTION;
    type Key = compat::SecretKey;
    type Ciphertext = LayeredCiphertext;

    fn generate(rng: &mut SecretRng) -> Result<compat::SecretKey, Error> {
        Compat::generate(rng)
    }

    fn encrypt(
        key: &compat::SecretKey,
        value: Fp,
        rng: SecretRng,
    ) -> Result<LayeredCiphertext, Error> {
        Decorator::new(key.public(), &Workers::one(), rng).encrypt(key, value)
    }

    fn decrypt(key: &compat::SecretKey, x: &LayeredCiphertext) -> Result<Fp, Error> {
        key.decrypt_any_circuit(x.ciphertext())
    }

    fn add(x: &LayeredCiphertext, y: &LayeredCiphertext) -> Result<LayeredCiphertext, Error> {
        x.add(y)
    }

    fn mul_scalar(x: &LayeredCiphertext, factor: Fp) -> LayeredCiphertext {
        x.mul_scalar(factor)
    }

    fn mul(
        key: &compat::SecretKey,
        [x, y]: [&LayeredCiphertext; 2],
        rng: SecretRng,
    ) -> Result<LayeredCiphertext, Error> {
        Decorator::new(key.public(), &Workers::one(), rng).mul(x, y)
    }

    fn add_scalar(
        x: &LayeredCiphertext,
        _: Fp,
        encrypted: &LayeredCiphertext,
    ) -> Result<LayeredCiphertext, Error> {
        x.add(encrypted)
    }

    fn bytes(x: &LayeredCiphertext) -> CiphertextBytes {
        file_bytes(x.reference_len(), x.ciphertext().information_len())
    }

    fn key_bytes(key: &compat::SecretKey) -> KeyBytes {
        stored_key_bytes(key)
    }
}

/// Ciphertexts with every layer and edge of the computation, as the reference computes them.
pub(super) struct Unmerged;

impl Form for Unmerged {
    const NAME: &'static str = "compat-unmerged";
    const ASSUMPTION: &'static str = <Compat as Keyed>::ASSUMPTION;
    type Key = compat::SecretKey;
    type Ciphertext = UnmergedCiphertext;

    fn generate(rng: &mut SecretRng) -> Result<compat::SecretKey, Error> {
        Compat::generate(rng)
    }

    fn encrypt(
        key: &compat::SecretKey,
        value: Fp,
        rng: SecretRng,
    ) -> Result<UnmergedCiphertext, Error> {
        Decoys::encrypt(key, value, rng).map(UnmergedCiphertext::from)
    }

    fn decrypt(key: &compat::SecretKey, x: &UnmergedCiphertext) -> Result<Fp, Error> {
        key.decrypt_any_circuit(&x.ciphertext(key.public())?)
    }

    fn add(x: &UnmergedCiphertext, y: &UnmergedCiphertext) -> Result<UnmergedCiphertext, Error> {
        x.add(y)
    }

    fn mul_scalar(x: &UnmergedCiphertext, factor: Fp) -> UnmergedCiphertext {
        x.mul_scalar(factor)
    }

    fn mul(
        key: &compat::SecretKey,
        [x, y]: [&UnmergedCiphertext; 2],
        rng: SecretRng,
    ) -> Result<UnmergedCiphertext, Error> {
        Decorator::new(key.public(), &Workers::one(), rng).mul_unmerged(x, y)
    }

    fn square(
        key: &compat::SecretKey,
        x: &UnmergedCiphertext,
        rng: SecretRng,
    ) -> Result<UnmergedCiphertext, Error> {
        Decorator::new(key.public(), &Workers::one(), rng).square_unmerged(x)
    }

    fn add_scalar(
        x: &UnmergedCiphertext,
        _: Fp,
        encrypted: &UnmergedCiphertext,
    ) -> Result<UnmergedCiphertext, Error> {
        x.add(encrypted)
    }

    fn bytes(x: &UnmergedCiphertext) -> CiphertextBytes {
        file_bytes(x.reference_len(), x.information_len())
    }

    fn key_bytes(key: &compat::SecretKey) -> KeyBytes {
        stored_key_bytes(key)
    }
}

/// Returns the size of a file of the reference with one ciphertext, and what decryption needs.
fn file_bytes(stored: usize, needed: usize) -> CiphertextBytes {
    let packed = (compat::REFERENCE_HEADER_BYTES + stored) as u64;
    CiphertextBytes { packed, seeded: None, theory: needed as u64 }
}

/// Returns the size of the key as the reference stores it, including everything derived.
fn stored_key_bytes(key: &compat::SecretKey) -> KeyBytes {
    KeyBytes { pk: compat::PublicKey::REFERENCE_BYTES as u64, ..Compat::key_bytes(key) }
}
