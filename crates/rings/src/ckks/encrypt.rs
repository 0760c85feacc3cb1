//! Encryption of real and complex numbers, and the stand-ins of encryptions in simulations.

use super::encode::{Plaintext, rounding_error, transform_error};
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{
    Bounds, Ciphertext, Encryption, Evaluator, Fresh, Level, Noise, Params, PublicKey, SecretKey,
};
use fathom_ring::{Message, SecretRng, WideCoefficients};

/// The mean of a coefficient that is rounded at random to a neighbouring integer is off by no more
/// than this.
pub(super) const DITHER_BIAS: f64 = 1.0 / 8_589_934_592.0;

/// Encrypts under the secret key, coefficients rounded at random. The caller checks level and
/// noise.
pub(super) fn encrypt_sk<M: Mode>(
    secret: &SecretKey<Ckks<M>>,
    plaintext: &Plaintext<M>,
    level: Level,
    rng: &mut SecretRng,
) -> Result<Ciphertext<Ckks<M>>, Error> {
    let params = &secret.params;
    params.same(plaintext.params())?;
    let scale = params.level_scale(level);
    let rounded = plaintext.dithered(scale, rng)?;
    let (context, limbs) = (params.context(), level.limbs().chain());
    let noise = plaintext.fresh_noise(scale, Encryption::SecretKey);
    let fresh = Fresh { meta: scale, noise, facts: plaintext.facts };
    Ok(secret.encrypt_hidden(fresh, level, rng, |error| {
        rounded.plus(error.expose()).to_eval(&context.ring, limbs)
    }))
}

/// Encrypts under the public key, coefficients rounded at random. The caller checks the noise.
pub(super) fn encrypt_pk<M: Mode>(
    public: &PublicKey<Ckks<M>>,
    plaintext: &Plaintext<M>,
    rng: &mut SecretRng,
) -> Result<Ciphertext<Ckks<M>>, Error> {
    let params = &public.params;
    params.same(plaintext.params())?;
    let scale = params.level_scale(params.top_level());
    let digits = plaintext.dithered(scale, rng)?.into_digits();
    let noise = plaintext.fresh_noise(scale, Encryption::PublicKey);
    let fresh = Fresh { meta: scale, noise, facts: plaintext.facts };
    Ok(public.encrypt_with(fresh, Message::Wide(&digits), rng))
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
    let noise = encryption.noise(&params.context().model, Bounds::of_root_values(size));
    let noise = noise.plus_independent(params.context().model.dither_error());
    let error = transform_error(params, count, size).plus(rounding_error(count, DITHER_BIAS));
    Noise { rest: noise.rest.plus(error), ..noise }
}

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Returns a simulated fresh encryption, at a level, of unknown real numbers of absolute value
    /// at most `magnitude`, one for every slot. A circuit on messages that leave slots without a
    /// value is planned on [`Evaluator::simulated_encryption_like`].
    /// [`Evaluator::simulated_encryption`] does the same for the magnitude of the parameters.
    ///
    /// # Errors
    /// [`Error::Simulated`] unless the evaluator is simulated; [`Error::NoSuchLevel`];
    /// [`Error::NoiseExhausted`] if the magnitude is too large for the modulus.
    pub fn simulated_encryption_within(
        &self,
        encryption: Encryption,
        magnitude: f64,
        level: impl Into<Level>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let (params, level) = (self.params(), level.into());
        params.check_level(level)?;
        let (plaintext, scale) =
            (params.encode_within(&[0.0], magnitude)?, params.level_scale(level));
        plaintext.fitting_bound("encrypt", scale)?;
        let noise = plaintext.fresh_noise(scale, encryption);
        self.stand_in(encryption, level, Fresh::of_noise(params, level, noise))
    }

    /// Returns a simulated fresh encryption, at a level, of the plaintext: with the same magnitude,
    /// error and slots without a value.
    ///
    /// # Errors
    /// As [`Evaluator::simulated_encryption_within`]; [`Error::ParamsMismatch`] unless the
    /// plaintext was encoded under the parameters of the evaluator, simulated or real.
    pub fn simulated_encryption_like(
        &self,
        encryption: Encryption,
        plaintext: &Plaintext<M>,
        level: impl Into<Level>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let (params, level) = (self.params(), level.into());
        // The plaintext may be one of the real parameters: nothing is read but what is known of it.
        if params.id() != plaintext.params().id() {
            params.same(plaintext.params())?;
        }
        params.check_level(level)?;
        let meta = params.level_scale(level);
        plaintext.fitting_bound("encrypt", meta)?;
        let noise = plaintext.fresh_noise(meta, encryption);
        self.stand_in(encryption, level, Fresh { meta, noise, facts: plaintext.facts })
    }
}
