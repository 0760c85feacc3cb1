//! Encryption under the secret key and under the public key.

use super::{Ciphertext, Params, Plaintext, PublicKey, Scheme, SecretKey};
use crate::Error;
use crate::rlwe::Noise;
use fathom_ring::{Coeff, Limbs, Poly, SecretRng, ternary, uniform_eval};

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
        let hidden = context.sample_error(rng).scaled(t as i64).plus(&plaintext.scaled(factor));
        let mut c0 = Poly::product(&c1, self.s.expose(), limbs);
        c0.neg_assign();
        c0.add_assign(hidden.to_eval(&context.ring, limbs).expose());
        let noise = self.params.secret_key_noise();
        let params = self.params.clone();
        Ok(Ciphertext { params, parts: vec![c0, c1], factor, noise, seed: Some(seed) })
    }
}

impl<S: Scheme> PublicKey<S> {
    /// Encrypts at the top level: modulo all primes, then divided by the special ones, which leaves
    /// only the noise of rounding. Without special primes the noise is that of the public key.
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
        let (ring, all) = (&context.ring, context.ring.all_limbs());
        let level = self.params.top_level();
        let factor = S::fresh_factor(&self.params, level);
        let u = ternary(rng, context.degree()).to_eval(ring, all);
        // The special primes divide P m, so the division by P leaves m as it is.
        let mut message = Poly::<Coeff>::from_signed(ring, all, &plaintext.scaled(factor));
        message.mul_scalar_assign(&context.special_scalar);
        let error = context.sample_encryption_error(rng);
        let mut error = Poly::from_signed(ring, all, error.expose());
        message.mul_scalar_add_assign(&error, &context.error_scalar);
        error.wipe();
        let mut c0 = message.into_eval();
        c0.mul_add_assign(&self.b, u.expose());
        let mut c1 = context.sample_encryption_error(rng).to_eval(ring, all);
        c1.expose_mut().mul_scalar_assign(&context.error_scalar);
        c1.expose_mut().mul_add_assign(&self.a, u.expose());
        let parts = [c0, c1.into_masked()];
        let parts = if ring.special_len() == 0 {
            parts
        } else {
            let down = context.mod_down(all, level + 1);
            parts.map(|p| down.apply(p))
        };
        let noise = self.params.public_key_noise();
        Ok(Ciphertext {
            params: self.params.clone(),
            parts: parts.into(),
            factor,
            noise,
            seed: None,
        })
    }
}

impl<S: Scheme> Params<S> {
    /// Of a fresh encryption under the secret key.
    pub(crate) fn secret_key_noise(&self) -> Noise {
        self.context().secret_key_noise(self.message_bound())
    }

    /// Of a fresh encryption under the public key.
    pub(crate) fn public_key_noise(&self) -> Noise {
        self.context().public_key_noise(self.message_bound())
    }

    pub(crate) fn check_level(&self, level: usize) -> Result<(), Error> {
        let top = self.top_level();
        if level > top { Err(Error::NoSuchLevel { from: top, to: level }) } else { Ok(()) }
    }
}
