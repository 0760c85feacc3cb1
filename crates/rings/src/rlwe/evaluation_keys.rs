//! The keys of an evaluator: the relinearisation key, Galois keys, and the set that unites them.
//!
//! All of them are switching keys, which bring a ciphertext under another secret back to `s`: the
//! relinearisation key from `s^2`, and the key of a Galois element `g` from `s(X^g)`. Each is made
//! for a level and serves those below. Keys of one set share the conversion tables of the first.

use super::{
    Ciphertext, Encoding, Galois, KeyUse, Level, Params, Rotations, SecretKey, SwitchingKey,
};
use crate::{Error, KeyId};
use fathom_ring::{GadgetVector, Poly, SecretPoly, SecretRng};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The key that reduces a product of three components to a ciphertext of two. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RelinearizationKey<S: Encoding> {
    pub(crate) params: Params<S>,
    /// The identifier of the secret key that the key was made from.
    pub(crate) key: KeyId,
    pub(crate) switching: Arc<SwitchingKey>,
}

impl<S: Encoding> RelinearizationKey<S> {
    /// Returns the parameters that the key belongs to.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the identifier of the secret key that the key was made from.
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

/// The keys that rotations need, one for each Galois element. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GaloisKeys<S: Encoding> {
    pub(crate) params: Params<S>,
    /// The secret key they belong to.
    pub(crate) key: KeyId,
    pub(crate) keys: BTreeMap<usize, Arc<Galois>>,
}

impl<S: Encoding> GaloisKeys<S> {
    /// Returns the parameters they belong to.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the identifier of the secret key that the keys were made from.
    pub fn key_id(&self) -> KeyId {
        self.key
    }

    /// Returns the Galois elements that there are keys for, in ascending order.
    pub fn elements(&self) -> impl Iterator<Item = usize> + '_ {
        self.keys.keys().copied()
    }
}

/// Returns the keys among `keys` that `rotations` need.
pub(crate) fn selected<S: Encoding>(
    keys: &BTreeMap<usize, Arc<Galois>>,
    params: &Params<S>,
    rotations: &Rotations,
) -> Result<BTreeMap<usize, Arc<Galois>>, Error> {
    let find = |exponent| {
        let rotation = "selection".to_owned();
        let missing = Error::MissingGaloisKey { exponent, rotation };
        Ok((exponent, Arc::clone(keys.get(&exponent).ok_or(missing)?)))
    };
    rotations.exponents(params.degree()).into_iter().map(find).collect()
}

impl<S: Encoding> SecretKey<S> {
    /// Generates the keys for these Galois elements, each for its level. All share the conversion
    /// tables of `tables`, or of the first of them.
    pub(crate) fn galois_keys_like(
        &self,
        tables: Option<&GadgetVector>,
        elements: &BTreeMap<usize, Level>,
        rng: &mut SecretRng,
    ) -> GaloisKeys<S> {
        let context = self.params.context();
        let mut first: Option<Arc<Galois>> = None;
        let mut keys = BTreeMap::new();
        for (&exponent, &level) in elements {
            let tables = tables.or(first.as_ref().map(|galois| &galois.key.vector));
            let galois = Arc::new(Galois::generate(context, level, &self.s, exponent, tables, rng));
            first.get_or_insert_with(|| Arc::clone(&galois));
            keys.insert(exponent, galois);
        }
        GaloisKeys { params: self.params.clone(), key: self.id, keys }
    }

    /// Returns the Galois elements of `rotations`, each at the top level.
    pub(crate) fn elements_of(&self, rotations: &Rotations) -> BTreeMap<usize, Level> {
        let (degree, top) = (self.params.degree(), self.params.top_level());
        rotations.exponents(degree).into_iter().map(|exponent| (exponent, top)).collect()
    }
}

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

    /// Returns the identifier of the secret key that the keys were made from; `None` if there are
    /// no keys.
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
