//! Keys: secret, public, and what an evaluator needs.

use super::{Ciphertext, Galois, Params, Scheme, SwitchingKey, encryption_of_zero};
use crate::{Error, KeyId};
use fathom_ring::{
    Eval, GadgetVector, Poly, SecretPoly, SecretRng, Seed, rotation_exponent, row_swap_exponent,
    uniform_eval,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The secret key. Wiped when dropped; never printed.
#[derive(Debug)]
pub struct SecretKey<S: Scheme> {
    pub(crate) params: Params<S>,
    pub(crate) id: KeyId,
    /// Over all primes, special ones included.
    pub(crate) s: SecretPoly,
}

/// The public key: encrypts, cannot decrypt.
#[derive(Clone, Debug)]
pub struct PublicKey<S: Scheme> {
    pub(crate) params: Params<S>,
    /// The secret key it belongs to.
    pub(crate) key: KeyId,
    pub(crate) b: Poly<Eval>,
    pub(crate) a: Poly<Eval>,
    pub(crate) seed: Seed,
}

/// The rotations an evaluator shall be able to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotations {
    /// Steps to the left within the rows; negative ones to the right.
    pub steps: Vec<i64>,
    /// Shall the rows be swapped?
    pub row_swap: RowSwap,
}

/// Whether a key for swapping the rows is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowSwap {
    /// No key.
    #[default]
    Without,
    /// One key.
    With,
}

impl Rotations {
    /// None at all.
    pub fn none() -> Rotations {
        Rotations::default()
    }

    /// These steps, without the row swap.
    pub fn steps(steps: &[i64]) -> Rotations {
        Rotations { steps: steps.to_vec(), row_swap: RowSwap::Without }
    }

    /// All powers of two up to a quarter of `degree`, and the row swap: enough to sum all slots.
    pub fn for_slot_sum(degree: usize) -> Rotations {
        let steps = (0..degree.ilog2().saturating_sub(1)).map(|k| 1 << k).collect();
        Rotations { steps, row_swap: RowSwap::With }
    }

    pub(crate) fn exponents(&self, degree: usize) -> Vec<usize> {
        let rotations = self.steps.iter().map(|&s| rotation_exponent(degree, s));
        let swap = (self.row_swap == RowSwap::With).then(|| row_swap_exponent(degree));
        rotations.chain(swap).filter(|&e| e != 1).collect()
    }
}

/// What an evaluator needs and may know: a relinearisation key and keys for Galois elements. Cheap
/// to clone.
#[derive(Clone, Debug)]
pub struct EvaluationKeys<S: Scheme> {
    pub(crate) params: Params<S>,
    /// The secret key they belong to; none if there are no keys.
    pub(crate) key: Option<KeyId>,
    pub(crate) relinearization: Option<Arc<SwitchingKey>>,
    pub(crate) galois: BTreeMap<usize, Arc<Galois>>,
    /// An encryption of zero, to mask results that would need no key to be read.
    pub(crate) zero: Option<Arc<Ciphertext<S>>>,
}

impl<S: Scheme> SecretKey<S> {
    /// A fresh key.
    pub fn generate(params: &Params<S>, rng: &mut SecretRng) -> SecretKey<S> {
        let ring = &params.context().ring;
        let s = params.context().sample_secret(rng).to_eval(ring, ring.all_limbs());
        SecretKey { params: params.clone(), id: KeyId::generate(rng), s }
    }

    /// The public identifier of the key.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// The parameters it belongs to.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// A public key for this secret.
    pub fn public_key(&self, rng: &mut SecretRng) -> PublicKey<S> {
        let context = self.params.context();
        let seed = rng.next_seed();
        let a = uniform_eval(&context.ring, context.ring.all_limbs(), &seed);
        let b = encryption_of_zero(context, &self.s, &a, rng);
        PublicKey { params: self.params.clone(), key: self.id, b, a, seed }
    }

    /// The relinearisation key and keys for `rotations`.
    ///
    /// # Errors
    /// None that checked parameters can cause.
    pub fn evaluation_keys(
        &self,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<EvaluationKeys<S>, Error> {
        let relinearization = self.relinearization_key(rng);
        let tables = relinearization.vector.clone();
        let exponents = rotations.exponents(self.params.degree());
        let galois = exponents
            .into_iter()
            .map(|e| (e, Arc::new(self.galois_key(e, Some(&tables), rng))))
            .collect();
        let zero = self.encrypt_zero(rng);
        Ok(EvaluationKeys {
            params: self.params.clone(),
            key: Some(self.id),
            relinearization: Some(Arc::new(relinearization)),
            galois,
            zero: Some(Arc::new(zero)),
        })
    }

    pub(crate) fn relinearization_key(&self, rng: &mut SecretRng) -> SwitchingKey {
        let limbs = self.s.expose().limbs();
        let square = SecretPoly::new(Poly::product(self.s.expose(), self.s.expose(), limbs));
        SwitchingKey::generate(self.params.context(), &self.s, &square, None, rng)
    }

    fn galois_key(
        &self,
        exponent: usize,
        tables: Option<&GadgetVector>,
        rng: &mut SecretRng,
    ) -> Galois {
        Galois::generate(self.params.context(), &self.s, exponent, tables, rng)
    }
}

impl<S: Scheme> PublicKey<S> {
    /// The parameters it belongs to.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// The secret key it belongs to.
    pub fn key_id(&self) -> KeyId {
        self.key
    }
}

impl<S: Scheme> EvaluationKeys<S> {
    /// No keys at all.
    pub fn empty(params: &Params<S>) -> EvaluationKeys<S> {
        let galois = BTreeMap::new();
        EvaluationKeys {
            params: params.clone(),
            key: None,
            relinearization: None,
            galois,
            zero: None,
        }
    }

    /// The parameters they belong to.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// The secret key they belong to; none if there are no keys.
    pub fn key_id(&self) -> Option<KeyId> {
        self.key
    }

    /// The Galois elements there are keys for.
    pub fn galois_elements(&self) -> impl Iterator<Item = usize> + '_ {
        self.galois.keys().copied()
    }
}
