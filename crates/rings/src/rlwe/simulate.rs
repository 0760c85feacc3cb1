//! Simulated computations: the code of an evaluator without ciphertext data.

use super::simulation::{Simulation, stand_in_key};
use super::{
    Ciphertext, Encoding, Encryption, EvaluationKeys, Evaluator, Fresh, KeyPlan, KeyUse, Level,
    Lineage, Mechanics, Params, Rotations, source,
};
use crate::{Error, KeyId};
use fathom_ring::{Seed, uniform_eval};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

impl<S: Mechanics> Evaluator<S> {
    /// Makes an evaluator that computes without data: every operation takes the same path through
    /// the same code, on polynomials of 64 coefficients in place of `N`. Noise bounds, levels,
    /// scales, refusals, numbers of transforms ([`Params::transform_count`]) and bytes
    /// ([`byte_len`](crate::wire::WireObject::byte_len)) are those of a real computation; nothing
    /// can be decrypted.
    ///
    /// It has every key. Operands come from [`Evaluator::simulated_encryption`]; plaintexts are
    /// encoded under [`Evaluator::params`] of this evaluator. Real objects are refused with
    /// [`Error::Simulated`].
    ///
    /// # Errors
    /// [`Error::Ring`] if the variable `FATHOM_KERNEL` names a kernel that cannot serve the set.
    pub fn simulated(params: &Params<S>) -> Result<Evaluator<S>, Error> {
        let params = params.simulated()?;
        let seed = Seed(blake3::derive_key("fathom 1 simulation", params.id()));
        let key = stand_in_key(params.context(), seed, None);
        let simulation = Simulation::new(params.context(), seed, key.vector.clone());
        let keys = EvaluationKeys {
            key: Some(simulated_key(&params)),
            relinearization: Some(Arc::new(key)),
            galois: BTreeMap::new(),
            zero: None,
            params: params.clone(),
        };
        let evaluator = Evaluator::with_simulation(keys, simulation);
        let (noise, top) = (
            params.context().model.secret_key_noise(S::message_bound(&params)),
            params.top_level(),
        );
        let zero = Fresh::of_noise(&params, top, noise);
        let zero = evaluator.stand_in(Encryption::SecretKey, top, zero)?;
        evaluator.masking_with(zero)
    }

    /// Returns a simulated fresh encryption of an unknown message at a level: of any message of
    /// BFV, BGV and exact integers, and of one up to the magnitude of the parameters in CKKS. Every
    /// call stands for another encryption. Under the public key, only the top level is there.
    ///
    /// # Errors
    /// [`Error::Simulated`] unless the evaluator is simulated; [`Error::NoSuchLevel`].
    pub fn simulated_encryption(
        &self,
        encryption: Encryption,
        level: impl Into<Level>,
    ) -> Result<Ciphertext<S>, Error> {
        let level = level.into();
        self.params.check_level(level)?;
        let noise = S::fresh_noise(&self.params, encryption, level);
        self.stand_in(encryption, level, Fresh::of_noise(&self.params, level, noise))
    }

    /// Returns the rotations that a simulated computation has used so far: those that a real one
    /// needs keys for. Another evaluator has used none.
    pub fn used_rotations(&self) -> Rotations {
        let used = self.used_keys();
        let exponents = used.iter().filter_map(|(key, _)| match key {
            KeyUse::Galois(exponent) => Some(exponent),
            KeyUse::Relinearization => None,
        });
        Rotations::of_exponents(self.params.degree(), &exponents.collect())
    }

    /// Returns the keys that a simulated computation has used so far, each with the highest level:
    /// those that [`SecretKey::keys_for`](super::SecretKey::keys_for) makes for a real one. Another
    /// evaluator has used none.
    pub fn used_keys(&self) -> KeyPlan {
        let Some(simulation) = self.simulation() else { return KeyPlan::none() };
        simulation.used.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a simulated fresh encryption with this noise, metadata and facts.
    pub(crate) fn stand_in(
        &self,
        encryption: Encryption,
        level: Level,
        Fresh { meta, noise, facts }: Fresh<S>,
    ) -> Result<Ciphertext<S>, Error> {
        let top = self.params.top_level();
        let refused = Error::Simulated { operation: "an evaluator with keys" };
        let simulation = self.simulation().ok_or(refused)?;
        self.params.check_level(level)?;
        if encryption == Encryption::PublicKey && level != top {
            return Err(Error::NoSuchLevel { from: top, to: level });
        }
        let (context, limbs) = (self.params.context(), level.limbs().chain());
        let number = simulation.encryptions.fetch_add(1, Ordering::Relaxed);
        let parts = [0, 1].map(|part| {
            let seed = simulation.seed.child(number).child(part);
            uniform_eval(&context.ring, limbs, &seed)
        });
        let ciphertext = Ciphertext {
            params: self.params.clone(),
            key: simulated_key(&self.params),
            meta,
            facts,
            noise,
            lineage: Lineage::of(source(&parts[1])),
            fresh: true,
            seed: (encryption == Encryption::SecretKey).then(|| simulation.seed.child(number)),
            parts: parts.into(),
        };
        ciphertext.checked("encrypt", &[])
    }
}

/// Returns the identifier in simulated objects, which belongs to no secret key.
pub(crate) fn simulated_key<S: Encoding>(params: &Params<S>) -> KeyId {
    let digest = blake3::derive_key("fathom 1 simulated key", params.id());
    let (id, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    KeyId::from_bytes(*id).expect("a digest of a constant context is zero with probability 2^-128")
}
