//! The public key.

use super::{Encoding, Params, SecretKey, encryption_of_zero};
use crate::KeyId;
use fathom_ring::{Eval, Poly, SecretRng, Seed, uniform_eval};

/// The public key: encrypts, cannot decrypt.
#[derive(Clone, Debug)]
pub struct PublicKey<S: Encoding> {
    pub(crate) params: Params<S>,
    /// The secret key it belongs to.
    pub(crate) key: KeyId,
    pub(crate) b: Poly<Eval>,
    pub(crate) a: Poly<Eval>,
    pub(crate) seed: Seed,
}

impl<S: Encoding> PublicKey<S> {
    /// Returns the parameters of the key.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the identifier of the secret key it was made from.
    pub fn key_id(&self) -> KeyId {
        self.key
    }
}

impl<S: Encoding> SecretKey<S> {
    /// Returns a public key for this secret.
    pub fn public_key(&self, rng: &mut SecretRng) -> PublicKey<S> {
        let context = self.params.context();
        let seed = rng.next_seed();
        let a = uniform_eval(&context.ring, context.ring.all_limbs(), &seed);
        let b = encryption_of_zero(context, &self.s, &a, rng);
        PublicKey { params: self.params.clone(), key: self.id, b, a, seed }
    }
}
