//! Simulated encryptions of numbers of a known magnitude.

use super::encode::Plaintext;
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Encryption, Evaluator, Fresh, Level};

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Stands for a fresh encryption, at a level, of unknown real numbers of absolute value at most
    /// `magnitude`, one for every slot, as [`Evaluator::simulated_encryption`] does for the
    /// magnitude of the parameters.
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

    /// Stands for a fresh encryption, at a level, of the plaintext: with the same magnitude, error
    /// and slots that no value was given for.
    ///
    /// # Errors
    /// As [`Evaluator::simulated_encryption_within`]; [`Error::ParamsMismatch`] unless the
    /// plaintext was encoded under the parameters of the evaluator.
    pub fn simulated_encryption_like(
        &self,
        encryption: Encryption,
        plaintext: &Plaintext<M>,
        level: impl Into<Level>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let (params, level) = (self.params(), level.into());
        params.same(plaintext.params())?;
        params.check_level(level)?;
        let meta = params.level_scale(level);
        plaintext.fitting_bound("encrypt", meta)?;
        let noise = plaintext.fresh_noise(meta, encryption);
        self.stand_in(encryption, level, Fresh { meta, noise, facts: plaintext.facts })
    }
}
