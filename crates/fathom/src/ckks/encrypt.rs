//! Encryption of real and complex numbers.

use super::encode::{Plaintext, rounding_error, transform_error};
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{
    Ciphertext, Encryption, Fresh, Level, Noise, Params, PublicKey, Rest, SecretKey,
};
use fathom_ring::{Message, SecretRng, WideCoefficients};

/// The mean of a coefficient that is rounded at random to a neighbouring integer is off by no more
/// than this.
const DITHER_BIAS: f64 = 1.0 / 8_589_934_592.0;

impl<M: Mode> SecretKey<Ckks<M>> {
    /// Encrypts at the top level. The result is seeded: its wire form holds one polynomial instead
    /// of two.
    ///
    /// Coefficients are rounded at random, so that the bound on the error holds for every message
    /// and reveals nothing about it. Error: that of a Gaussian of deviation 3.23 for each
    /// coefficient.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::NoiseExhausted`] if the magnitude is too large for the
    /// modulus.
    pub fn encrypt(
        &self,
        plaintext: &Plaintext<M>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.encrypt_at(plaintext, self.params.top_level(), rng)
    }

    /// Encrypts at a lower level, where ciphertexts are smaller.
    ///
    /// # Errors
    /// As [`SecretKey::encrypt`]; [`Error::NoSuchLevel`].
    pub fn encrypt_at(
        &self,
        plaintext: &Plaintext<M>,
        level: impl Into<Level>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let level = level.into();
        self.params.same(plaintext.params())?;
        self.params.check_level(level)?;
        let scale = self.params.level_scale(level);
        let rounded = plaintext.dithered(scale, rng)?;
        let context = self.params.context();
        let noise = plaintext.fresh_noise(scale, Encryption::SecretKey);
        let limbs = level.limbs().chain();
        let fresh = Fresh { meta: scale, noise, facts: plaintext.facts };
        let hidden = self.encrypt_hidden(fresh, level, rng, |error| {
            rounded.plus(error.expose()).to_eval(&context.ring, limbs)
        });
        hidden.checked("encrypt", &[])
    }
}

impl<M: Mode> PublicKey<Ckks<M>> {
    /// Encrypts at the top level: modulo all primes, then divided by the special ones, which leaves
    /// only the noise of rounding.
    ///
    /// Transforms at `l` limbs with `K` special primes: `3 (l + K)`.
    ///
    /// # Errors
    /// As [`SecretKey::encrypt`].
    pub fn encrypt(
        &self,
        plaintext: &Plaintext<M>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.params.same(plaintext.params())?;
        let level = self.params.top_level();
        let scale = self.params.level_scale(level);
        let digits = plaintext.dithered(scale, rng)?.into_digits();
        let noise = plaintext.fresh_noise(scale, Encryption::PublicKey);
        let fresh = Fresh { meta: scale, noise, facts: plaintext.facts };
        self.encrypt_with(fresh, Message::Wide(&digits), rng).checked("encrypt", &[])
    }
}

impl<M: Mode> Plaintext<M> {
    fn dithered(&self, scale: f64, rng: &mut SecretRng) -> Result<WideCoefficients, Error> {
        let bound = self.fitting_bound("encrypt", scale)?;
        let rounded = WideCoefficients::dithered(&self.coefficients, scale, bound, rng);
        Ok(rounded.spread(self.stride(), self.params.degree()))
    }

    /// Returns the bound on the coefficients, and refuses one beyond the encodable range.
    pub(crate) fn fitting_bound(&self, operation: &'static str, scale: f64) -> Result<f64, Error> {
        let bound = self.coefficient_bound(scale);
        if bound <= WideCoefficients::LARGEST {
            return Ok(bound);
        }
        let level = self.params.top_level();
        let left_bits = WideCoefficients::LARGEST.log2();
        let remedy = "scale the values down";
        let needed_bits = bound.log2();
        Err(Error::NoiseExhausted { operation, level, needed_bits, left_bits, remedy })
    }

    /// Returns the noise of a fresh encryption, rounding and transform included.
    pub(super) fn fresh_noise(&self, scale: f64, encryption: Encryption) -> Noise {
        fresh_noise(&self.params, encryption, self.coefficients.len(), self.magnitude * scale)
    }
}

/// Returns the noise of a fresh encryption of a message of `count` coefficients, rounded at random,
/// whose values at the roots are up to `size`.
pub(super) fn fresh_noise<M: Mode>(
    params: &Params<Ckks<M>>,
    encryption: Encryption,
    count: usize,
    size: f64,
) -> Noise {
    let noise = encryption.noise(params.context(), Rest::of_root_values(size));
    let noise = noise.plus_independent(params.context().dither_error());
    let error = transform_error(params, count, size).plus(rounding_error(count, DITHER_BIAS));
    Noise { rest: noise.rest.plus(error), ..noise }
}
