//! The keys of a refresh.

use super::super::keys::{Parts, PublishedModulus, in_all};
use super::super::stages::Stages;
use crate::ckks::reserved::Security;
use crate::ckks::schedule::RefreshSet;
use crate::rlwe::modular::Modular;
use crate::rlwe::{Level, Params, SecretKey, SwitchingKey};
use crate::{Error, KeyId};
use fathom_ring::{SecretCoefficients, SecretRng};
use fathom_security::{STANDARD_ERROR_DEVIATION, assess};
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

impl<S: Modular> Params<S> {
    /// Makes the rings of a refresh.
    pub(super) fn refresh_stages(&self, set: RefreshSet) -> Result<Arc<Stages>, Error> {
        Stages::for_refresh(self, &set.schedule(), Security::Checked).map(Arc::new)
    }

    /// Returns every modulus under which keys of a refresh are published, with the security of its
    /// secret: those under the own secret of the refresh, those under the secret key of these
    /// parameters, and the one that leads to the sparse secret.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the degree of the parameters is too small for a refresh.
    pub fn refresh_moduli(&self, set: RefreshSet) -> Result<[PublishedModulus; 3], Error> {
        let Stages { raised, low, capsule, .. } = &*self.refresh_stages(set)?;
        let users = &self.context().spec;
        let log2 = low.spec.largest_log2();
        let back = PublishedModulus {
            purpose: "back to the secret key",
            log2,
            secret: users.secret,
            assessment: assess(users.degree, log2, users.secret, STANDARD_ERROR_DEVIATION),
        };
        let raised = PublishedModulus::of("raised modulus", raised);
        Ok([raised, back, PublishedModulus::of("to the sparse secret", capsule)])
    }
}

impl<S: Modular> SecretKey<S> {
    /// Generates the keys of a refresh, of degree 2^16, and of tables. Takes seconds and gigabytes.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the degree of the parameters is too small for keys of 102 bits and
    /// more at their security level, as below 4096 at 128 bits, or for a security level above 128
    /// bits, which the large ring does not have; [`Error::Spec`] for a degree above
    /// 2^16 and for [`WORST_CASE`](crate::WORST_CASE).
    pub fn refresh_keys(
        &self,
        set: RefreshSet,
        rng: &mut SecretRng,
    ) -> Result<RefreshKeys<S>, Error> {
        Ok(self.refresh_keys_in(set, self.params.refresh_stages(set)?, rng))
    }

    /// Generates the keys of a refresh in these rings.
    pub(super) fn refresh_keys_in(
        &self,
        set: RefreshSet,
        stages: Arc<Stages>,
        rng: &mut SecretRng,
    ) -> RefreshKeys<S> {
        let own = stages.raised.sample_secret(rng);
        let users = spread(&self.coefficients(), stages.raised.degree());
        let parts = Arc::new(Parts::generate(&stages, [&users, &own], rng));
        let back = {
            let [from, to] = [&own, &users].map(|secret| in_all(&stages.low, secret));
            SwitchingKey::generate(&stages.low, stages.back_level(), &to, &from, None, rng)
        };
        let (params, back) = (self.params.clone(), Arc::new(back));
        RefreshKeys { params, set, key: self.id, stages, parts, back }
    }
}

impl<S: Modular> RefreshKeys<S> {
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
