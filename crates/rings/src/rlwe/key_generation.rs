//! Generation of all keys of an evaluator together, and the keys of rotations among them.

use super::{
    Ciphertext, EvaluationKeys, Galois, GaloisKeys, KeyPlan, KeyUse, Mechanics, Params, Rotations,
    SecretKey, Slotted, selected,
};
use crate::Error;
use fathom_ring::SecretRng;
use std::collections::BTreeMap;
use std::sync::Arc;

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
        let galois = self.galois_keys_like(Some(tables), &self.elements_of(rotations), rng);
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
        self.galois_keys_like(None, &self.elements_of(rotations), rng)
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

impl<S: Mechanics> EvaluationKeys<S> {
    /// Returns those of these keys that a plan names, each for its level, with the encryption of
    /// zero: the keys that [`SecretKey::keys_for`] would make, without the secret key.
    ///
    /// # Errors
    /// [`Error::MissingRelinearizationKey`], [`Error::MissingGaloisKey`] or [`Error::KeyLevel`] if
    /// there is no key to take one from.
    pub fn restricted(&self, plan: &KeyPlan) -> Result<EvaluationKeys<S>, Error> {
        let mut restricted =
            EvaluationKeys { relinearization: None, galois: BTreeMap::new(), ..self.clone() };
        for (key, level) in plan.iter() {
            match key {
                KeyUse::Relinearization => {
                    let key = self.relinearization.as_deref();
                    let key = key.ok_or(Error::MissingRelinearizationKey)?;
                    key.check_level(level, format_args!("a product"))?;
                    restricted.relinearization = Some(Arc::new(key.restricted(level)));
                }
                KeyUse::Galois(exponent) => {
                    let rotation = || "restriction to a plan".to_owned();
                    let missing = || Error::MissingGaloisKey { exponent, rotation: rotation() };
                    let galois = self.galois.get(&exponent).ok_or_else(missing)?;
                    galois.key.check_level(level, format_args!("Galois element {exponent}"))?;
                    let (automorphism, key) =
                        (galois.automorphism.clone(), galois.key.restricted(level));
                    restricted.galois.insert(exponent, Arc::new(Galois { automorphism, key }));
                }
            }
        }
        Ok(restricted)
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

impl<S: Mechanics> SecretKey<S> {
    /// Generates the keys of a plan, and an encryption of zero.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] for a level that the parameters do not have; [`Error::Spec`] for a
    /// Galois element that is not odd or not between 1 and `2N`.
    pub fn keys_for(
        &self,
        plan: &KeyPlan,
        rng: &mut SecretRng,
    ) -> Result<EvaluationKeys<S>, Error> {
        let mut galois = BTreeMap::new();
        let mut products = None;
        for (key, level) in plan.iter() {
            self.params.check_level(level)?;
            match key {
                KeyUse::Relinearization => products = Some(level),
                KeyUse::Galois(exponent) => {
                    check_exponent(&self.params, exponent)?;
                    galois.insert(exponent, level);
                }
            }
        }
        let mut keys = EvaluationKeys::empty(&self.params);
        if let Some(level) = products {
            keys = keys.with_relinearization_key(&self.relinearization_key_at(level, rng))?;
        }
        let tables = keys.relinearization.as_ref().map(|key| &key.vector);
        let galois: GaloisKeys<S> = self.galois_keys_like(tables, &galois, rng);
        keys.with_galois_keys(&galois)?.with_zero(self.zero_encryption(rng))
    }
}

fn check_exponent<S: Mechanics>(params: &Params<S>, exponent: usize) -> Result<(), Error> {
    let order = 2 * params.degree();
    if exponent % 2 == 1 && (2..order).contains(&exponent) {
        return Ok(());
    }
    let reason = format!("{exponent} is not odd and between 1 and {order}");
    Err(Error::Spec { field: "Galois element", reason })
}
