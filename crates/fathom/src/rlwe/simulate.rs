//! Simulated computations: the code of an evaluator without ciphertext data.

use super::simulation::Simulation;
use super::{
    Ciphertext, EvaluationKeys, Evaluator, Galois, Level, Lineage, Params, Scheme, SwitchingKey,
    source,
};
use crate::{Error, KeyId};
use fathom_ring::{Automorphism, Seed, rotation_exponent, uniform_eval};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The key under which a simulated ciphertext is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// The secret key.
    SecretKey,
    /// The public key.
    PublicKey,
}

impl<S: Scheme> Evaluator<S> {
    /// Creates the evaluator of [`Evaluator::simulated`].
    pub(crate) fn without_data(params: &Params<S>) -> Result<Evaluator<S>, Error> {
        let params = params.simulated()?;
        let context = params.context();
        let (ring, limbs) = (&context.ring, context.ring.all_limbs());
        let seed = Seed(blake3::derive_key("fathom 1 simulation", params.id()));
        let digits = context.gadget.digit_count(ring, ring.chain_len());
        let halves = (0..digits).map(|g| uniform_eval(ring, limbs, &seed.child(g as u32)));
        let key = SwitchingKey::from_halves(context, seed, halves.collect(), None);
        let exponent = rotation_exponent(ring.degree(), 1);
        let automorphism = Automorphism::new(ring.degree(), exponent);
        let galois = Arc::new(Galois { automorphism, key: key.clone() });
        let simulation = Simulation { galois, encryptions: AtomicU32::new(0), seed };
        let keys = EvaluationKeys {
            key: Some(simulated_key(&params)),
            relinearization: Some(Arc::new(key)),
            galois: BTreeMap::new(),
            zero: None,
            params: params.clone(),
        };
        let evaluator = Evaluator::with_simulation(keys, simulation);
        let zero = evaluator.stand_in(Encryption::SecretKey, params.top_level())?;
        evaluator.masking_with(zero)
    }

    /// Creates the ciphertext of [`Evaluator::simulated_encryption`].
    pub(crate) fn stand_in(
        &self,
        encryption: Encryption,
        level: Level,
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
        let message = S::message_bound(&self.params);
        Ok(Ciphertext {
            params: self.params.clone(),
            key: simulated_key(&self.params),
            meta: S::fresh_meta(&self.params, level),
            noise: match encryption {
                Encryption::SecretKey => context.secret_key_noise(message),
                Encryption::PublicKey => context.public_key_noise(message),
            },
            lineage: Lineage::of(source(&parts[1])),
            fresh: true,
            seed: (encryption == Encryption::SecretKey).then(|| simulation.seed.child(number)),
            parts: parts.into(),
        })
    }
}

/// Returns the identifier in simulated objects, which belongs to no secret key.
fn simulated_key<S: Scheme>(params: &Params<S>) -> KeyId {
    let digest = blake3::derive_key("fathom 1 simulated key", params.id());
    let (id, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    KeyId::from_bytes(*id).expect("a digest of a constant context is zero with probability 2^-128")
}
