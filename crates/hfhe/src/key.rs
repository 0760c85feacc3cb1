//! Secret keys, which encrypt and decrypt.

use super::circuit::Expected;
use super::{Ciphertext, Error, Fp, KeyId, Mode, Secret, Seed};
use fathom_ring::SecretRng;
use std::collections::HashMap;
use zeroize::Zeroize;

/// The secret key of mode `M`, which is wiped when dropped. Every encryption needs it: there is no
/// public-key encryption.
pub struct SecretKey<M: Mode> {
    pub(crate) id: KeyId,
    pub(crate) secret: M::Secret,
}

impl<M: Mode> SecretKey<M> {
    /// Returns the public name of the key.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// Encrypts a field element.
    pub fn encrypt(&self, value: Fp, rng: &mut SecretRng) -> Ciphertext<M> {
        Ciphertext::new(self.secret.encrypt(value, rng), self.id)
    }

    /// Encrypts an unsigned number.
    pub fn encrypt_u64(&self, value: u64, rng: &mut SecretRng) -> Ciphertext<M> {
        self.encrypt(value.into(), rng)
    }

    /// Encrypts a signed number; a negative one becomes `p - |value|`.
    pub fn encrypt_i64(&self, value: i64, rng: &mut SecretRng) -> Ciphertext<M> {
        self.encrypt(value.into(), rng)
    }

    /// Decrypts the result of a computation that somebody else did, if it is the `expected` one.
    ///
    /// The decryption of a forged polynomial would reveal masks of the key, and with them every
    /// message under these masks. The ciphertext is therefore compared with the expected circuit on
    /// the expected inputs at a random point. This misses a difference with probability at most the
    /// degree divided by 2^126, and takes as many field operations as the circuit has steps.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`]; [`Error::UnexpectedCircuit`] if it is any other ciphertext.
    pub fn decrypt(
        &self,
        ciphertext: &Ciphertext<M>,
        expected: &Expected<'_, M>,
        rng: &mut SecretRng,
    ) -> Result<Fp, Error> {
        expected.check(ciphertext, rng)?;
        self.decrypt_any_circuit(ciphertext)
    }

    /// Decrypts any polynomial.
    ///
    /// **Only for ciphertexts that the caller computed or knows by other means**: whoever may
    /// choose a ciphertext and see this result can read every ciphertext whose seeds it contains.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`].
    pub fn decrypt_any_circuit(&self, ciphertext: &Ciphertext<M>) -> Result<Fp, Error> {
        ciphertext.same_key(self.id)?;
        let masks = self.secret.masks(&ciphertext.polynomial.seeds);
        Ok(ciphertext.polynomial.evaluate(&masks))
    }

    /// Decrypts any polynomial, like [`SecretKey::decrypt_any_circuit`], with masks cached from
    /// earlier calls.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`], also if `cache` was used with another key.
    pub fn decrypt_any_circuit_cached(
        &self,
        ciphertext: &Ciphertext<M>,
        cache: &mut MaskCache,
    ) -> Result<Fp, Error> {
        ciphertext.same_key(self.id)?;
        ciphertext.same_key(*cache.key.get_or_insert(self.id))?;
        let seeds = &ciphertext.polynomial.seeds;
        let unknown: Vec<Seed> =
            seeds.iter().filter(|seed| !cache.masks.contains_key(seed)).copied().collect();
        let fresh = self.secret.masks(&unknown);
        if cache.masks.len() + unknown.len() > cache.capacity {
            cache.clear();
            return self.decrypt_any_circuit(ciphertext);
        }
        cache.masks.extend(unknown.iter().copied().zip(fresh.iter().copied()));
        let mut masks: Vec<Fp> = seeds.iter().map(|seed| cache.masks[seed]).collect();
        let value = ciphertext.polynomial.evaluate(&masks);
        masks.zeroize();
        Ok(value)
    }
}

/// A cache of masks for decryption, which speeds up ciphertexts with common inputs. It is
/// **secret** and wiped when dropped. When it is full, all masks are removed.
pub struct MaskCache {
    key: Option<KeyId>,
    masks: HashMap<Seed, Fp>,
    capacity: usize,
}

impl MaskCache {
    /// The most masks that a cache holds.
    pub const MOST: usize = 1 << 24;

    /// Returns an empty cache for at most `capacity` masks.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than [`MaskCache::MOST`].
    pub fn new(capacity: usize) -> Result<MaskCache, Error> {
        Error::at_most("a cache of", capacity as u64, Self::MOST as u64)?;
        // It is allocated once, since growing would leave copies in memory that are not wiped.
        Ok(MaskCache { key: None, masks: HashMap::with_capacity(capacity), capacity })
    }

    /// Returns the number of masks in the cache.
    pub fn len(&self) -> usize {
        self.masks.len()
    }

    /// Returns whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.masks.is_empty()
    }

    fn clear(&mut self) {
        self.masks.values_mut().for_each(Zeroize::zeroize);
        self.masks.clear();
    }
}

impl Drop for MaskCache {
    fn drop(&mut self) {
        self.clear();
    }
}
