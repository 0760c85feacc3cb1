//! Simulated encryptions of integers of a known width.

use super::{Ciphertext, Evaluator};
use crate::Error;
use crate::rlwe::{Encryption, Fresh};

impl Evaluator {
    /// Stands for a fresh encryption of an unknown integer whose type has `bits` bits, as
    /// [`Evaluator::simulated_encryption`] does for integers of any width: narrow integers have
    /// less noise in products.
    ///
    /// # Errors
    /// [`Error::Simulated`] unless the evaluator is simulated;
    /// [`WideError::TooWide`](crate::wide::WideError::TooWide) for more than `N - 1` bits.
    pub fn simulated_encryption_of_width(
        &self,
        encryption: Encryption,
        bits: u32,
    ) -> Result<Ciphertext, Error> {
        let params = self.params();
        params.check_bits(bits)?;
        let noise = encryption.noise(&params.context().model, params.bound_of_width(bits));
        let level = params.top_level();
        let fresh = Fresh::of_noise(params, level, noise);
        let meta = params.fresh_content(level, bits);
        Ok(Ciphertext { meta, ..self.stand_in(encryption, level, fresh)? })
    }
}
