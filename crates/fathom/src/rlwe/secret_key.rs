//! The secret key.

use super::{Encoding, Params};
use crate::KeyId;
use fathom_ring::{SecretPoly, SecretRng};

/// The secret key. Wiped when dropped; never printed.
#[derive(Debug)]
pub struct SecretKey<S: Encoding> {
    pub(crate) params: Params<S>,
    pub(crate) id: KeyId,
    /// Over all primes, special ones included.
    pub(crate) s: SecretPoly,
}

impl<S: Encoding> SecretKey<S> {
    /// Generates a fresh key.
    pub fn generate(params: &Params<S>, rng: &mut SecretRng) -> SecretKey<S> {
        let ring = &params.context().ring;
        let s = params.context().sample_secret(rng).to_eval(ring, ring.all_limbs());
        SecretKey { params: params.clone(), id: KeyId::generate(rng), s }
    }

    /// Returns the public identifier of the key.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// Returns the parameters of the key.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }
}
