//! The key pair: the secret key, which decrypts, and the public key, which others encrypt with.
//!
//! The secret key holds `s` over all primes. Decryption computes the phase `c0 + c1 s + c2 s^2`
//! modulo as few primes as hold twice the noise bound. The public key is an encryption of zero,
//! `(b, a)` with `b = -a s + f e` for the error factor `f`, whose uniform half is expanded from a
//! seed.

use super::{Ciphertext, Encoding, LimbCount, Params, encryption_of_zero};
use crate::{Error, KeyId};
use fathom_ring::{Eval, Poly, SecretPoly, SecretRng, Seed, uniform_eval};

/// The secret key. Wiped when dropped; never printed.
#[derive(Debug)]
pub struct SecretKey<S: Encoding> {
    pub(crate) params: Params<S>,
    pub(crate) id: KeyId,
    /// Over all primes, special ones included.
    pub(crate) s: SecretPoly,
}

impl<S: Encoding> SecretKey<S> {
    /// Generates a secret key, drawn from the distribution of the parameters.
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

impl<S: Encoding> SecretKey<S> {
    /// Refuses a ciphertext of other parameters or another key.
    pub(crate) fn check_key(&self, ciphertext: &Ciphertext<S>) -> Result<(), Error> {
        self.params.same(&ciphertext.params)?;
        same_key(self.id, ciphertext.key)
    }

    /// Returns the least number of primes whose product exceeds twice the noise bound.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`] if the bound is past the limit, as only a ciphertext from outside
    /// can be.
    pub(crate) fn limbs_needed(&self, ciphertext: &Ciphertext<S>) -> Result<LimbCount, Error> {
        let budget =
            |limbs: &LimbCount| self.params.context().model.budget_bits(ciphertext.noise, *limbs);
        let present = ciphertext.limb_count();
        present.up_to().find(|limbs| budget(limbs) >= 0.0).ok_or_else(|| Error::NoiseExhausted {
            operation: "decrypt",
            level: ciphertext.level(),
            needed_bits: 0.0,
            left_bits: budget(&present),
            remedy: ciphertext.remedy(),
        })
    }

    /// Returns `c0 + c1 s + c2 s^2` modulo the first primes.
    pub(crate) fn phase(&self, ciphertext: &Ciphertext<S>, limbs: LimbCount) -> SecretPoly {
        let limbs = limbs.chain();
        let s = self.s.expose();
        // Horner: (c2 s + c1) s + c0.
        let (last, rest) = ciphertext.parts.split_last().expect("a ciphertext has components");
        let mut phase = SecretPoly::new(last.restricted(limbs));
        for part in rest.iter().rev() {
            phase.expose_mut().mul_assign(s);
            phase.expose_mut().add_assign(part);
        }
        phase
    }
}

/// The public key: encrypts, cannot decrypt.
#[derive(Clone, Debug)]
pub struct PublicKey<S: Encoding> {
    pub(crate) params: Params<S>,
    /// The identifier of the secret key that the key was made from.
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

    /// Returns the identifier of the secret key that the key was made from.
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

/// Refuses objects of different secret keys.
///
/// # Errors
/// [`Error::KeyMismatch`].
pub fn same_key(left: KeyId, right: KeyId) -> Result<(), Error> {
    if left == right { Ok(()) } else { Err(Error::KeyMismatch { left, right }) }
}
