//! Encryption of plaintexts modulo `t`.

use super::{Plaintext, Scheme};
use crate::Error;
use crate::rlwe::encrypt::Encoded;
use crate::rlwe::{Ciphertext, Level, PublicKey, SecretKey};
use fathom_ring::SecretRng;

impl<S: Scheme> SecretKey<S> {
    /// Encrypts at the top level. The result is seeded: its wire form holds one polynomial instead
    /// of two.
    ///
    /// Noise: `t e` with `e` of standard deviation 3.19.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::NoiseExhausted`] if the parameters have no noise budget
    /// for it.
    pub fn encrypt(
        &self,
        plaintext: &Plaintext<S>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        self.encrypt_at(plaintext, self.params.top_level(), rng)
    }

    /// Encrypts at a lower level, where ciphertexts are smaller.
    ///
    /// # Errors
    /// As [`SecretKey::encrypt`]; [`Error::NoSuchLevel`].
    pub fn encrypt_at(
        &self,
        plaintext: &Plaintext<S>,
        level: impl Into<Level>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        let level = level.into();
        self.params.same(plaintext.params())?;
        self.params.check_level(level)?;
        let meta = S::fresh_meta(&self.params, level);
        let (coefficients, bound) = (plaintext.scaled(meta), self.params.message_norms());
        let message = Encoded { coefficients: &coefficients, bound, meta };
        self.encrypt_encoded(&message, level, rng).checked("encrypt", &[])
    }
}

impl<S: Scheme> PublicKey<S> {
    /// Encrypts at the top level: modulo all primes, then divided by the special ones, which leaves
    /// only the noise of rounding. Without special primes the noise is that of the public key.
    ///
    /// Transforms at `l` limbs with `K` special primes: `3 (l + K)`.
    ///
    /// # Errors
    /// As [`SecretKey::encrypt`]: parameters that are planned for the secret key may have no budget
    /// for the noise of the public key.
    pub fn encrypt(
        &self,
        plaintext: &Plaintext<S>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        self.params.same(plaintext.params())?;
        let meta = S::fresh_meta(&self.params, self.params.top_level());
        let (coefficients, bound) = (plaintext.scaled(meta), self.params.message_norms());
        let message = Encoded { coefficients: &coefficients, bound, meta };
        self.encrypt_encoded(&message, rng).checked("encrypt", &[])
    }
}
