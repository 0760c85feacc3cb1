//! Generation of all keys of an evaluator together, and the keys of rotations among them.

use super::{
    Ciphertext, EvaluationKeys, GaloisKeys, Mechanics, Rotations, SecretKey, Slotted, selected,
};
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

impl<S: Mechanics> SecretKey<S> {
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

impl<S: Slotted> SecretKey<S> {
    /// Generates the keys for `rotations`, one for each Galois element among them.
    pub fn galois_keys(&self, rotations: &Rotations, rng: &mut SecretRng) -> GaloisKeys<S> {
        self.galois_keys_like(None, rotations, rng)
    }
}

impl<S: Slotted> EvaluationKeys<S> {
    /// Returns those of these keys that `rotations` need, with the relinearisation key and the
    /// encryption of zero, so that a server need not be sent any others.
    ///
    /// # Errors
    /// [`Error::MissingGaloisKey`] if there is no key for a rotation.
    pub fn select(&self, rotations: &Rotations) -> Result<EvaluationKeys<S>, Error> {
        Ok(EvaluationKeys {
            galois: selected(&self.galois, &self.params, rotations)?,
            ..self.clone()
        })
    }
}

impl<S: Slotted> GaloisKeys<S> {
    /// Returns those of these keys that `rotations` need, so that a server need not be sent any
    /// others.
    ///
    /// # Errors
    /// [`Error::MissingGaloisKey`] if there is no key for a rotation.
    pub fn select(&self, rotations: &Rotations) -> Result<GaloisKeys<S>, Error> {
        Ok(GaloisKeys { keys: selected(&self.keys, &self.params, rotations)?, ..self.clone() })
    }
}
