//! Randomness: an OS-seeded generator for secrets, and seeds for public polynomials.

use crate::Error;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use zeroize::Zeroize;

/// The generator of everything secret: ChaCha20 (RFC 8439 core), seeded by the operating system.
pub struct SecretRng(ChaCha20Rng);

impl SecretRng {
    /// Seeded with 32 bytes from the operating system.
    ///
    /// # Errors
    /// [`Error::Entropy`] if the operating system has none.
    pub fn from_os() -> Result<SecretRng, Error> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|e| Error::Entropy(e.to_string()))?;
        let rng = SecretRng(ChaCha20Rng::from_seed(seed));
        seed.zeroize();
        Ok(rng)
    }

    /// **Insecure**: a reproducible generator for tests and for `--seed` runs of the testbed.
    pub fn insecure_from_seed(seed: u64) -> SecretRng {
        SecretRng(ChaCha20Rng::seed_from_u64(seed))
    }

    /// Fills `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }

    /// 64 uniform bits.
    pub fn next_word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A fresh seed for a public polynomial.
    pub fn next_seed(&mut self) -> Seed {
        let mut seed = [0; 32];
        self.fill(&mut seed);
        Seed(seed)
    }
}

impl std::fmt::Debug for SecretRng {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretRng(hidden)")
    }
}

/// 32 public bytes from which a uniform polynomial is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// The seed number `index` derived from this one, for objects that hold several polynomials.
    pub fn child(&self, index: u32) -> Seed {
        let mut hasher = blake3::Hasher::new_derive_key("fathom 1 child seed");
        hasher.update(&self.0).update(&index.to_le_bytes());
        Seed(*hasher.finalize().as_bytes())
    }

    /// The stream of bytes for prime `modulus`.
    pub(crate) fn stream(&self, modulus: u64) -> blake3::OutputReader {
        let mut hasher = blake3::Hasher::new_derive_key("fathom 1 uniform polynomial");
        hasher.update(&self.0).update(&modulus.to_le_bytes());
        hasher.finalize_xof()
    }
}
