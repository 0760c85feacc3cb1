//! Evaluation keys of exact integers, which have no slots to rotate.

use super::{EvaluationKeys, SecretKey};
use crate::Error;
use crate::rlwe::Rotations;
use fathom_ring::SecretRng;

impl SecretKey {
    /// Generates a relinearisation key and an encryption of zero.
    ///
    /// # Errors
    /// None that checked parameters can cause.
    pub fn evaluation_keys(&self, rng: &mut SecretRng) -> Result<EvaluationKeys, Error> {
        self.all_keys(&Rotations::none(), rng)
    }
}
