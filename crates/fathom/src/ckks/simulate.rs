//! Simulated encryptions of numbers of a known magnitude.

use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Encryption, Evaluator, Level};

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Stands for a fresh encryption, at a level, of unknown numbers of absolute value at most
    /// `magnitude`, as [`Evaluator::simulated_encryption`] does for the magnitude of the
    /// parameters.
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
        let (plaintext, scale) = (params.encode_within(&[0.0], magnitude)?, params.scale(level));
        plaintext.fitting_bound("encrypt", scale)?;
        self.stand_in(encryption, level, plaintext.fresh_noise(scale, encryption))
    }
}
