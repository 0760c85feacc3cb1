//! Evaluation keys: the union of an evaluator's keys.

use super::{
    Ciphertext, Encoding, Galois, GaloisKeys, KeyUse, Level, Params, RelinearizationKey,
    SwitchingKey,
};
use crate::{Error, KeyId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The keys of an evaluator: a relinearisation key, Galois keys and an encryption of zero, each
/// optional. Cheap to clone.
///
/// `SecretKey::evaluation_keys` makes all of them. Keys that were generated or sent one by one are
/// joined with [`EvaluationKeys::with_relinearization_key`] and its siblings.
#[derive(Clone, Debug)]
pub struct EvaluationKeys<S: Encoding> {
    pub(crate) params: Params<S>,
    /// The secret key they belong to; none if there are no keys.
    pub(crate) key: Option<KeyId>,
    pub(crate) relinearization: Option<Arc<SwitchingKey>>,
    pub(crate) galois: BTreeMap<usize, Arc<Galois>>,
    /// An encryption of zero, to mask results that would need no key to be read.
    pub(crate) zero: Option<Arc<Ciphertext<S>>>,
}

impl<S: Encoding> EvaluationKeys<S> {
    /// Returns the empty set of keys.
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

    /// Returns the parameters of the keys.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the identifier of the secret key they were made from, or `None` if there are no
    /// keys.
    pub fn key_id(&self) -> Option<KeyId> {
        self.key
    }

    /// Returns the Galois elements for which there are keys.
    pub fn galois_elements(&self) -> impl Iterator<Item = usize> + '_ {
        self.galois.keys().copied()
    }

    /// Returns what there are keys for, each with the highest level of ciphertexts that it serves.
    pub fn uses(&self) -> impl Iterator<Item = (KeyUse, Level)> + '_ {
        let relinearization = self.relinearization.iter();
        let relinearization = relinearization.map(|key| (KeyUse::Relinearization, key.level()));
        let galois = self.galois.iter();
        relinearization.chain(galois.map(|(&e, galois)| (KeyUse::Galois(e), galois.key.level())))
    }

    /// Returns the relinearisation key, if there is one.
    pub fn relinearization_key(&self) -> Option<RelinearizationKey<S>> {
        let (switching, params) = (Arc::clone(self.relinearization.as_ref()?), self.params.clone());
        Some(RelinearizationKey { params, key: self.key?, switching })
    }

    /// Returns the Galois keys, if there are any keys.
    pub fn galois_keys(&self) -> Option<GaloisKeys<S>> {
        let (params, keys) = (self.params.clone(), self.galois.clone());
        Some(GaloisKeys { params, key: self.key?, keys })
    }

    /// Adds a relinearisation key, in place of the one that is there.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn with_relinearization_key(self, key: &RelinearizationKey<S>) -> Result<Self, Error> {
        let id = self.check_object(&key.params, key.key)?;
        let relinearization = Some(Arc::clone(&key.switching));
        Ok(EvaluationKeys { key: Some(id), relinearization, ..self })
    }

    /// Adds Galois keys to those that are there, in place of those for the same elements.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn with_galois_keys(self, keys: &GaloisKeys<S>) -> Result<Self, Error> {
        let id = self.check_object(&keys.params, keys.key)?;
        let mut galois = self.galois;
        galois.extend(keys.keys.iter().map(|(&exponent, key)| (exponent, Arc::clone(key))));
        Ok(EvaluationKeys { key: Some(id), galois, ..self })
    }

    /// Adds an encryption of zero, with which the evaluator masks results that would need no key
    /// to be read. Without it, it refuses such results with [`Error::Transparent`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::LevelMismatch`] and
    /// [`Error::Components`] unless it has two components at the top level.
    pub fn with_zero(self, zero: Ciphertext<S>) -> Result<Self, Error> {
        let id = self.check_object(&zero.params, zero.key)?;
        zero.pair("with_zero")?;
        let (left, right) = (self.params.top_level(), zero.level());
        if left != right {
            return Err(Error::LevelMismatch { left, right });
        }
        Ok(EvaluationKeys { key: Some(id), zero: Some(Arc::new(zero)), ..self })
    }

    /// Removes the encryption of zero, which saves its bytes.
    #[must_use]
    pub fn without_zero(self) -> Self {
        EvaluationKeys { zero: None, ..self }
    }

    /// Checks that an object of these parameters and this secret key fits, and returns the key's
    /// identifier.
    fn check_object(&self, params: &Params<S>, key: KeyId) -> Result<KeyId, Error> {
        self.params.same(params)?;
        match self.key {
            Some(left) if left != key => Err(Error::KeyMismatch { left, right: key }),
            Some(_) | None => Ok(key),
        }
    }
}
