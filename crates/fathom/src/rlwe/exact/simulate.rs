//! Simulated computations on integers modulo `t`.

use super::Scheme;
use crate::Error;
use crate::rlwe::{Ciphertext, Encryption, Evaluator, Level, Params};

impl<S: Scheme> Evaluator<S> {
    /// Makes an evaluator that computes without data: every operation takes the same path through
    /// the same code, on polynomials of 64 coefficients in place of `N`. Noise bounds, levels,
    /// refusals, numbers of transforms ([`Params::transform_count`]) and bytes
    /// ([`Ciphertext::byte_len`]) are those of a real computation; nothing can be decrypted.
    ///
    /// It has every key. Operands come from [`Evaluator::simulated_encryption`]; plaintexts are
    /// encoded under [`Evaluator::params`] of this evaluator. Real objects are refused with
    /// [`Error::Simulated`].
    ///
    /// # Errors
    /// [`Error::Ring`] if the variable `FATHOM_KERNEL` names a kernel that cannot serve the set.
    pub fn simulated(params: &Params<S>) -> Result<Evaluator<S>, Error> {
        Evaluator::without_data(params)
    }

    /// Creates a simulated fresh encryption of an unknown message at a level. Every call simulates
    /// another encryption. Under the public key only the top level exists.
    ///
    /// # Errors
    /// [`Error::Simulated`] unless the evaluator is simulated; [`Error::NoSuchLevel`].
    pub fn simulated_encryption(
        &self,
        encryption: Encryption,
        level: impl Into<Level>,
    ) -> Result<Ciphertext<S>, Error> {
        self.stand_in(encryption, level.into())
    }
}
