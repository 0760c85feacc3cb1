//! Generation of all keys of an evaluator together.

use super::{Ciphertext, EvaluationKeys, Rotations, Scheme, SecretKey, Slotted};
use crate::Error;
use fathom_ring::SecretRng;

impl<S: Slotted> SecretKey<S> {
    /// Generates a relinearisation key, keys for `rotations` and an encryption of zero.
    ///
    /// # Errors
    /// [`Error::NoSlots`] for rotations under a plaintext modulus without slots.
    pub fn evaluation_keys(
        &self,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<EvaluationKeys<S>, Error> {
        if *rotations != Rotations::none() {
            S::check_slots(&self.params)?;
        }
        self.all_keys(rotations, rng)
    }
}

impl<S: Scheme> SecretKey<S> {
    /// Generates a relinearisation key, keys for `rotations` and an encryption of zero.
    pub(crate) fn all_keys(
        &self,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<EvaluationKeys<S>, Error> {
        let relinearization = self.relinearization_key(rng);
        let tables = &relinearization.switching.vector;
        let galois = self.galois_keys_like(Some(tables), rotations, rng);
        EvaluationKeys::empty(&self.params)
            .with_relinearization_key(&relinearization)?
            .with_galois_keys(&galois)?
            .with_zero(self.zero_encryption(rng))
    }

    /// Encrypts zero at the top level, for [`EvaluationKeys::with_zero`].
    pub fn zero_encryption(&self, rng: &mut SecretRng) -> Ciphertext<S> {
        self.encrypt_zero(rng)
    }
}
