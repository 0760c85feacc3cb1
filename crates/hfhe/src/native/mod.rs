//! The native mode: additive masks from one keyed hash.
//!
//! A fresh encryption of `v` is `v - F(s) + X_s`, where `F` is BLAKE3 under the secret key and
//! `X_s` stands for `F(s)`: a one-time pad modulo `p`. An encryption has one mask instead of two
//! and needs no inversion and no decoy. Confidentiality against eavesdroppers rests on BLAKE3 being
//! a pseudorandom function. The reference implementation cannot read this mode.

use super::mode::sealed::Sealed;
use super::{Fp, KeyId, Masks, Mode, Polynomial, Secret, Seed};
use fathom_kernels::{wipe_stack_below, wipe_stack_of_short_hash};
use fathom_ring::SecretRng;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The mode with additive masks from a keyed hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Native;

impl Sealed for Native {}

impl Mode for Native {
    const NAME: &'static str = "native";
    const SCHEME: &'static str = "hfhn";
    type Secret = NativeSecret;
}

/// A ciphertext of the native mode.
pub type Ciphertext = super::Ciphertext<Native>;
/// A secret key of the native mode.
pub type SecretKey = super::SecretKey<Native>;

/// The key of the hash. It is on the heap, so that moving it leaves no copy.
#[doc(hidden)]
pub struct NativeSecret {
    pub(crate) key: Box<[u8; 32]>,
}

impl Drop for NativeSecret {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl ZeroizeOnDrop for NativeSecret {}

impl SecretKey {
    /// Generates a fresh key.
    pub fn generate(rng: &mut SecretRng) -> SecretKey {
        let mut secret = NativeSecret { key: Box::new([0; 32]) };
        rng.fill(&mut *secret.key);
        SecretKey::from_secret(secret)
    }

    /// Returns the key for this hash key.
    pub(crate) fn from_secret(secret: NativeSecret) -> SecretKey {
        let id = KeyId(blake3::derive_key("fathom 1 hfhe native key id", &*secret.key));
        wipe_stack_below();
        SecretKey { id, secret }
    }
}

impl NativeSecret {
    /// Computes `F(s)`: 256 bits of the keyed hash of the seed modulo `p`, at a statistical
    /// distance of `2^-128` from uniform.
    fn mask(&self, seed: &Seed) -> Fp {
        let mut message = [0; 24];
        for (bytes, word) in message.as_chunks_mut().0.iter_mut().zip(seed.0) {
            *bytes = word.to_le_bytes();
        }
        let mut hash = blake3::keyed_hash(&self.key, &message);
        let halves = hash.as_bytes().as_chunks::<16>().0;
        let [low, high] = [0, 1].map(|half| Fp::new(u128::from_le_bytes(halves[half])));
        hash.zeroize();
        // 2^128 = 2 modulo p.
        low + high + high
    }
}

impl Secret for NativeSecret {
    fn masks(&self, seeds: &[Seed]) -> Masks {
        let masks = seeds.iter().map(|seed| self.mask(seed)).collect();
        wipe_stack_of_short_hash(); // The hasher's copies of the key.
        masks
    }

    fn encrypt(&self, value: Fp, rng: &mut SecretRng) -> Polynomial {
        let mut seed = Seed([0; 3]);
        rng.fill_words(&mut seed.0);
        let polynomial = Polynomial::linear(value - self.mask(&seed), [(seed, Fp::ONE)]);
        wipe_stack_of_short_hash(); // The hasher's copies of the key.
        polynomial
    }
}
