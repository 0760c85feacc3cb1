//! The relinearisation key.

use super::{Encoding, Level, Params, SecretKey, SwitchingKey};
use crate::KeyId;
use fathom_ring::{Poly, SecretPoly, SecretRng};
use std::sync::Arc;

/// The key that reduces a product of three components to a ciphertext of two. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RelinearizationKey<S: Encoding> {
    pub(crate) params: Params<S>,
    /// The secret key it belongs to.
    pub(crate) key: KeyId,
    pub(crate) switching: Arc<SwitchingKey>,
}

impl<S: Encoding> RelinearizationKey<S> {
    /// Returns the parameters it belongs to.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the identifier of the secret key it belongs to.
    pub fn key_id(&self) -> KeyId {
        self.key
    }

    /// Returns the highest level of ciphertexts that it serves.
    pub fn level(&self) -> Level {
        self.switching.level()
    }
}

impl<S: Encoding> SecretKey<S> {
    /// Generates a relinearisation key, which products need.
    pub fn relinearization_key(&self, rng: &mut SecretRng) -> RelinearizationKey<S> {
        self.relinearization_key_at(self.params.top_level(), rng)
    }

    /// Generates a relinearisation key for products at a level of the parameters and below.
    pub(crate) fn relinearization_key_at(
        &self,
        level: Level,
        rng: &mut SecretRng,
    ) -> RelinearizationKey<S> {
        let limbs = self.s.expose().limbs();
        let square = SecretPoly::new(Poly::product(self.s.expose(), self.s.expose(), limbs));
        let context = self.params.context();
        let switching = SwitchingKey::generate(context, level, &self.s, &square, None, rng);
        let params = self.params.clone();
        RelinearizationKey { params, key: self.id, switching: Arc::new(switching) }
    }
}
