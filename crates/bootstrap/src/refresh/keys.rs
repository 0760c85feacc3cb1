//! The keys of a refresh.

use super::set::RefreshSet;
use crate::keys::{Parts, coefficients, in_all};
use crate::stages::Stages;
use fathom_base::{Error, KeyId};
use fathom_ring::{SecretCoefficients, SecretRng};
use fathom_rings::internals::{Security, SwitchingKey};
use fathom_rings::rlwe::modular::Modular;
use fathom_rings::rlwe::{Level, Params, SecretKey};
use std::sync::Arc;

/// The public keys of a refresh: everything that a server needs for it. Cheap to clone.
///
/// The refresh computes under a secret of its own, of degree 2^16, which is generated here and
/// forgotten. One key leads from the secret key of the ciphertexts to a sparse secret, another one
/// back from the own secret.
#[derive(Clone, Debug)]
pub struct RefreshKeys<S: Modular> {
    pub(super) params: Params<S>,
    pub(super) set: RefreshSet,
    pub(super) key: KeyId,
    pub(super) stages: Arc<Stages>,
    pub(super) parts: Arc<Parts>,
    /// The key that switches from the secret of the large ring back to that of the ciphertexts.
    pub(super) back: Arc<SwitchingKey>,
}

/// Makes the rings of a refresh.
pub(super) fn refresh_stages<S: Modular>(
    params: &Params<S>,
    set: RefreshSet,
) -> Result<Arc<Stages>, Error> {
    Stages::for_refresh(params, &set.schedule(), Security::Checked).map(Arc::new)
}

impl<S: Modular> RefreshKeys<S> {
    /// Generates the keys of a refresh in these rings.
    pub(super) fn generate(
        secret: &SecretKey<S>,
        set: RefreshSet,
        stages: Arc<Stages>,
        rng: &mut SecretRng,
    ) -> RefreshKeys<S> {
        let own = stages.raised.sample_secret(rng);
        let users = spread(&coefficients(secret), stages.raised.degree());
        let parts = Arc::new(Parts::generate(&stages, [&users, &own], rng));
        let back = {
            let [from, to] = [&own, &users].map(|coefficients| in_all(&stages.low, coefficients));
            SwitchingKey::generate(&stages.low, stages.back_level(), &to, &from, None, rng)
        };
        let (params, back) = (secret.params().clone(), Arc::new(back));
        RefreshKeys { params, set, key: secret.id(), stages, parts, back }
    }

    /// Returns the parameters of the ciphertexts.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the set, which says what tables they serve.
    pub fn set(&self) -> RefreshSet {
        self.set
    }

    /// Returns the identifier of the secret key that the keys were made from.
    pub fn key_id(&self) -> KeyId {
        self.key
    }
}

impl Stages {
    /// Returns the level of the key that leads back.
    pub(super) fn back_level(&self) -> Level {
        Level::new(self.low.ring.chain_len() - 1)
    }
}

/// Returns the secret of interleaved ciphertexts: `s(X^k)`.
fn spread(secret: &SecretCoefficients, degree: usize) -> SecretCoefficients {
    let stride = degree / secret.expose().len();
    let mut all = vec![0; degree];
    all.iter_mut().step_by(stride).zip(secret.expose()).for_each(|(to, from)| *to = *from);
    SecretCoefficients::new(all)
}
