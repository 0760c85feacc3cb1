//! The keys of a bootstrapping.

use super::first_factor::FirstKeys;
use super::slot_map::GaloisMap;
use super::stages::Stages;
use fathom_base::KeyId;
use fathom_ring::{
    GadgetVector, Limbs, SecretCoefficients, SecretPoly, SecretRng, row_swap_exponent,
};
use fathom_rings::ckks::{Ckks, Mode};
use fathom_rings::internals::{Context, Galois, SecretKeyInternals, SwitchingKey};
use fathom_rings::rlwe::{Encoding, Level, Params, SecretKey};
use fathom_security::{Assessment, SecretDistribution};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The public keys of a bootstrapping: everything that a server needs for it. Cheap to clone.
///
/// The keys of the map from slots to coefficients are over few primes; one key leads to a sparse
/// secret, which is generated here and forgotten; the keys of the first factor of the map back lead
/// from it.
#[derive(Clone, Debug)]
pub struct BootstrappingKeys<M: Mode> {
    pub(super) params: Params<Ckks<M>>,
    pub(super) key: KeyId,
    pub(super) stages: Arc<Stages>,
    pub(super) parts: Arc<Parts>,
}

/// The keys themselves.
#[derive(Debug)]
pub(super) struct Parts {
    /// The rotations of the map from slots to coefficients.
    pub(super) out: GaloisMap,
    /// The key that switches from the secret key to the sparse secret.
    pub(super) capsule: SwitchingKey,
    /// The first factor of the map from coefficients to slots, back from the sparse secret.
    pub(super) first: FirstKeys,
    /// The rotations of the other factors, and the conjugation.
    pub(super) raised: GaloisMap,
    pub(super) relinearization: SwitchingKey,
}

/// A modulus under which keys of a bootstrapping are published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedModulus {
    /// The purpose of the keys.
    pub purpose: &'static str,
    /// `log2` of the modulus, special primes included.
    pub log2: f64,
    /// Distribution of the secret that its keys are encrypted under.
    pub secret: SecretDistribution,
    /// The security of the secret under which the keys with this modulus are encrypted.
    pub assessment: Assessment,
}

impl PublishedModulus {
    /// Returns the largest modulus of a context.
    pub(super) fn of(purpose: &'static str, context: &Context) -> Self {
        Self {
            purpose,
            log2: context.spec.largest_log2(),
            secret: context.spec.secret,
            assessment: *context.assessment(),
        }
    }
}

/// Returns the coefficients of a secret key.
pub(crate) fn coefficients<S: Encoding>(secret: &SecretKey<S>) -> SecretCoefficients {
    let mut one = secret.secret().expose().restricted(Limbs::chain(1)).into_coeff();
    let integers = one.centered_integers().expect("one prime has fewer than 126 bits");
    one.wipe();
    SecretCoefficients::new(integers.iter().map(|&c| c as i64).collect())
}

impl<M: Mode> BootstrappingKeys<M> {
    /// Generates the keys for these stages.
    pub(crate) fn generate(
        secret: &SecretKey<Ckks<M>>,
        stages: Arc<Stages>,
        rng: &mut SecretRng,
    ) -> BootstrappingKeys<M> {
        let coefficients = coefficients(secret);
        let parts = Arc::new(Parts::generate(&stages, [&coefficients; 2], rng));
        BootstrappingKeys { params: secret.params().clone(), key: secret.id(), stages, parts }
    }

    /// Returns the parameters of the keys.
    pub fn params(&self) -> &Params<Ckks<M>> {
        &self.params
    }

    /// Returns the identifier of the secret key that the keys were made from.
    pub fn key_id(&self) -> KeyId {
        self.key
    }

    /// Returns the number of slots after which messages repeat: all of them, unless the keys come
    /// from [`sparse_bootstrapping_keys`](crate::BootstrapSecret::sparse_bootstrapping_keys).
    pub fn slots(&self) -> usize {
        self.stages.slots()
    }
}

impl Stages {
    /// Returns the exponents of the keys of the map from slots to coefficients, with their levels.
    pub(super) fn out_keys(&self) -> BTreeMap<usize, Level> {
        let level = Level::new(self.low.ring.chain_len() - 1);
        let exponents =
            self.out_steps().into_iter().flat_map(|(steps, _)| steps.exponents(self.low.degree()));
        exponents.map(|exponent| (exponent, level)).collect()
    }

    /// Returns the exponents of the keys of the factors in the raised ring, of the conjugation and
    /// of the projection, with their levels: factors that share a rotation take the key of the
    /// first.
    pub(super) fn raised_keys(&self) -> BTreeMap<usize, Level> {
        let degree = self.raised.degree();
        let mut keys = BTreeMap::from([(row_swap_exponent(degree), self.exponential_level())]);
        let top = self.limbs(self.raised_top()).level();
        keys.extend(self.projection().map(|exponent| (exponent, top)));
        // Steps come from the highest rung down, and a key serves all levels below its own.
        for (steps, rung) in self.raised_steps() {
            for exponent in steps.exponents(degree) {
                keys.entry(exponent).or_insert(self.limbs(rung).level());
            }
        }
        keys
    }
}

impl Parts {
    /// Generates the keys for ciphertexts under one secret, most of them under another one, which
    /// may be the same.
    pub(super) fn generate(
        stages: &Stages,
        [operand, secret]: [&SecretCoefficients; 2],
        rng: &mut SecretRng,
    ) -> Parts {
        let sparse = &stages.capsule.sample_secret(rng);
        let [low, raised] = [&stages.low, &stages.raised].map(|context| in_all(context, secret));
        let capsule = {
            let [from, to] = [operand, sparse].map(|s| in_all(&stages.capsule, s));
            SwitchingKey::generate(&stages.capsule, stages.last_level(), &to, &from, None, rng)
        };
        let context = &stages.raised;
        let relinearization = {
            let mut square = raised.clone();
            square.expose_mut().mul_assign(raised.expose());
            let level = stages.exponential_level();
            SwitchingKey::generate(context, level, &raised, &square, None, rng)
        };
        let tables = Some(&relinearization.vector);
        let in_keys = galois_keys(context, &stages.raised_keys(), &raised, tables, rng);
        let out = galois_keys(&stages.low, &stages.out_keys(), &low, None, rng);
        let first = FirstKeys::generate(stages, &raised, sparse, rng);
        Parts { out, capsule, first, raised: in_keys, relinearization }
    }
}

/// Returns a secret over all primes of a ring.
pub(super) fn in_all(context: &Context, secret: &SecretCoefficients) -> SecretPoly {
    secret.to_eval(&context.ring, context.ring.all_limbs())
}

/// Generates the keys of these exponents, each for its level. All share the conversion tables of
/// `tables`, or of the first of them.
fn galois_keys(
    context: &Context,
    levels: &BTreeMap<usize, Level>,
    secret: &SecretPoly,
    tables: Option<&GadgetVector>,
    rng: &mut SecretRng,
) -> GaloisMap {
    let mut keys = GaloisMap::new();
    for (&exponent, &level) in levels {
        let first = keys.values().next().map(|galois: &Galois| &galois.key.vector);
        let key = Galois::generate(context, level, secret, exponent, tables.or(first), rng);
        keys.insert(exponent, key);
    }
    keys
}
