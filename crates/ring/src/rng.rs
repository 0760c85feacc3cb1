//! Randomness: an OS-seeded generator for secrets, and seeds for public polynomials.

use crate::Error;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The generator of everything secret: the output stream of keyed BLAKE3, under a key from the
/// operating system.
///
/// Every call uses its key once and replaces it by the first 32 bytes of the stream, so that
/// earlier output cannot be computed from the state (fast key erasure). BLAKE3 is built for 128
/// bits of security with a 256-bit key; why it serves here:
/// docs/decisions/0004-blake3-for-all-randomness.md.
#[derive(ZeroizeOnDrop)]
pub struct SecretRng {
    key: [u8; 32],
}

impl SecretRng {
    /// Seeded with 32 bytes from the operating system.
    ///
    /// # Errors
    /// [`Error::Entropy`] if the operating system has none.
    pub fn from_os() -> Result<SecretRng, Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|e| Error::Entropy(e.to_string()))?;
        Ok(SecretRng { key })
    }

    /// **Insecure**: a reproducible generator for tests and for `--seed` runs of the testbed.
    pub fn insecure_from_seed(seed: u64) -> SecretRng {
        SecretRng {
            key: blake3::derive_key("fathom 1 insecure test generator", &seed.to_le_bytes()),
        }
    }

    /// Fills `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        let mut stream = blake3::Hasher::new_keyed(&self.key).finalize_xof();
        stream.fill(&mut self.key);
        stream.set_position(64); // Whole blocks are filled fastest.
        stream.fill(bytes);
        stream.zeroize();
    }

    /// Fills `words`, lowest bytes first.
    pub fn fill_words(&mut self, words: &mut [u64]) {
        self.fill(fathom_kernels::as_bytes_mut(words));
        for word in words {
            *word = word.to_le();
        }
    }

    /// 64 uniform bits.
    pub fn next_word(&mut self) -> u64 {
        let mut word = [0];
        self.fill_words(&mut word);
        word[0]
    }

    /// A generator that is independent of this one: for work on several threads.
    pub fn fork(&mut self) -> SecretRng {
        let mut key = [0; 32];
        self.fill(&mut key);
        let fork = SecretRng { key };
        key.zeroize();
        fork
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

    /// Fills `words` with uniform words: the masks of ciphertexts over the torus.
    pub fn fill_words(&self, words: &mut [u64]) {
        let mut stream =
            blake3::Hasher::new_derive_key("fathom 1 torus mask").update(&self.0).finalize_xof();
        let mut bytes = [0; 4096];
        for chunk in words.chunks_mut(bytes.len() / 8) {
            stream.fill(&mut bytes);
            for (word, bytes) in chunk.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
    }

    /// So many words of [`Seed::fill_words`].
    pub fn words(&self, count: usize) -> Vec<u64> {
        let mut words = vec![0; count];
        self.fill_words(&mut words);
        words
    }

    /// The stream of bytes for prime `modulus`.
    pub(crate) fn stream(&self, modulus: u64) -> blake3::OutputReader {
        let mut hasher = blake3::Hasher::new_derive_key("fathom 1 uniform polynomial");
        hasher.update(&self.0).update(&modulus.to_le_bytes());
        hasher.finalize_xof()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_moves_on_and_is_reproducible_only_from_a_seed() {
        let mut rng = SecretRng::insecure_from_seed(5);
        let (first, second) = (rng.next_word(), rng.next_word());
        assert_ne!(first, second);
        assert_eq!(SecretRng::insecure_from_seed(5).next_word(), first);
        let os =
            (SecretRng::from_os().unwrap().next_word(), SecretRng::from_os().unwrap().next_word());
        assert_ne!(os.0, os.1);
    }

    #[test]
    fn words_are_the_bytes_in_order() {
        let [mut bytes, mut words] = [[0; 24]; 2];
        SecretRng::insecure_from_seed(6).fill(&mut bytes);
        let mut filled = [0; 3];
        SecretRng::insecure_from_seed(6).fill_words(&mut filled);
        for (bytes, word) in words.as_chunks_mut().0.iter_mut().zip(filled) {
            *bytes = word.to_le_bytes();
        }
        assert_eq!(bytes, words);
    }

    #[test]
    fn seeds_have_independent_children() {
        let seed = Seed([1; 32]);
        assert_ne!(seed.child(0), seed.child(1));
        assert_eq!(seed.child(3), Seed([1; 32]).child(3));
    }
}
