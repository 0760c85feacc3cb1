//! Encryption under the secret key and under the public key.

use super::ciphertext::source;
use super::{Ciphertext, Params, Plaintext, PublicKey, Scheme, SecretKey};
use crate::Error;
use crate::rlwe::{Lineage, Noise};
use fathom_ring::{Limbs, Masked, Poly, SecretRng, ternary, uniform_eval};

impl<S: Scheme> SecretKey<S> {
    /// Encrypts at the top level. The result is seeded: its wire form holds one polynomial instead
    /// of two.
    ///
    /// Noise: `t e` with `e` of standard deviation 3.19.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
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
    /// [`Error::ParamsMismatch`], [`Error::NoSuchLevel`].
    pub fn encrypt_at(
        &self,
        plaintext: &Plaintext<S>,
        level: usize,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        self.params.same(plaintext.params())?;
        self.params.check_level(level)?;
        let context = self.params.context();
        let t = self.params.plain_modulus();
        let factor = S::fresh_factor(&self.params, level);
        let limbs = Limbs::chain(level + 1);
        let seed = rng.next_seed();
        let c1 = uniform_eval(&context.ring, limbs, &seed);
        let hidden =
            context.sample_error(rng).scaled(t as i64).plus(plaintext.scaled(factor).expose());
        let mut c0 = Poly::product(&c1, self.s.expose(), limbs);
        c0.neg_assign();
        c0.add_assign(hidden.to_eval(&context.ring, limbs).expose());
        Ok(Ciphertext {
            params: self.params.clone(),
            key: self.id,
            factor,
            noise: self.params.secret_key_noise(),
            lineage: Lineage::of(source(&c1)),
            fresh: true,
            seed: Some(seed),
            parts: vec![c0, c1],
        })
    }
}

impl<S: Scheme> PublicKey<S> {
    /// Encrypts at the top level: modulo all primes, then divided by the special ones, which leaves
    /// only the noise of rounding. Without special primes the noise is that of the public key.
    ///
    /// Transforms at `l` limbs with `K` special primes: `3 (l + K)`.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn encrypt(
        &self,
        plaintext: &Plaintext<S>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        self.params.same(plaintext.params())?;
        let context = self.params.context();
        let factor = S::fresh_factor(&self.params, self.params.top_level());
        let message = plaintext.scaled(factor);
        let u = ternary(rng, context.degree());
        let [first, second] = [(); 2].map(|()| context.sample_encryption_error(rng));
        let masked = [
            Masked { key: &self.b, error: &first, message: Some(&message) },
            Masked { key: &self.a, error: &second, message: None },
        ];
        let parts = context.masked_product.apply(&u, masked);
        Ok(Ciphertext {
            params: self.params.clone(),
            key: self.key,
            factor,
            noise: self.params.public_key_noise(),
            lineage: Lineage::of(source(&parts[1])),
            fresh: true,
            seed: None,
            parts: parts.into(),
        })
    }
}

impl<S: Scheme> Params<S> {
    /// The noise of a fresh encryption under the secret key.
    pub(crate) fn secret_key_noise(&self) -> Noise {
        self.context().secret_key_noise(self.message_bound())
    }

    /// The noise of a fresh encryption under the public key.
    pub(crate) fn public_key_noise(&self) -> Noise {
        self.context().public_key_noise(self.message_bound())
    }

    pub(crate) fn check_level(&self, level: usize) -> Result<(), Error> {
        let top = self.top_level();
        if level > top { Err(Error::NoSuchLevel { from: top, to: level }) } else { Ok(()) }
    }
}
