//! The methods that a bootstrapping adds to parameters, secret keys and evaluators of CKKS, which
//! itself does not know it.

use crate::bootstrapper::Bootstrapper;
use crate::keys::{BootstrappingKeys, PublishedModulus};
use crate::policy::{Held, Policy};
use crate::stages::{Stages, stages};
use fathom_base::Error;
use fathom_base::error::BootstrapError;
use fathom_base::wire::frame::OVERHEAD;
use fathom_ring::SecretRng;
use fathom_rings::ckks::{Ckks, Mode};
use fathom_rings::internals::{EvaluatorInternals, ParamsInternals, same_key};
use fathom_rings::rlwe::{Evaluator, Params, SecretKey};
use std::sync::Arc;

/// Security and sizes of the keys of a bootstrapping, by the parameters of CKKS.
pub trait BootstrapParams {
    /// Returns every modulus under which keys of a bootstrapping are published, with the security
    /// of its secret: those of the raised ring, which keys of users share, those of the map from
    /// slots to coefficients, and the one that leads to the sparse secret. Keys of the first factor
    /// have a part of the primes of the raised ring.
    ///
    /// # Errors
    /// [`BootstrapError::NoSet`] for parameters that cannot be bootstrapped.
    fn bootstrapping_moduli(&self) -> Result<[PublishedModulus; 3], Error>;

    /// Returns the length in bytes of the keys of a bootstrapping on the wire, before they are
    /// generated.
    ///
    /// # Errors
    /// [`BootstrapError::NoSet`] for parameters that cannot be bootstrapped.
    fn bootstrapping_keys_byte_len(&self) -> Result<usize, Error>;

    /// Returns the length in bytes of the keys of [`BootstrapSecret::sparse_bootstrapping_keys`] on
    /// the wire, before they are generated.
    ///
    /// # Errors
    /// Those of [`BootstrapSecret::sparse_bootstrapping_keys`].
    fn sparse_bootstrapping_keys_byte_len(&self, slots: usize) -> Result<usize, Error>;
}

impl<M: Mode> BootstrapParams for Params<Ckks<M>> {
    fn bootstrapping_moduli(&self) -> Result<[PublishedModulus; 3], Error> {
        let Stages { raised, low, capsule, .. } = &*stages(self)?;
        let rings = [
            ("raised modulus", raised),
            ("slots to coefficients", low),
            ("to the sparse secret", capsule),
        ];
        Ok(rings.map(|(purpose, context)| PublishedModulus::of(purpose, context)))
    }

    fn bootstrapping_keys_byte_len(&self) -> Result<usize, Error> {
        Ok(OVERHEAD + stages(self)?.keys_len())
    }

    fn sparse_bootstrapping_keys_byte_len(&self, slots: usize) -> Result<usize, Error> {
        let stages = stages(self)?.repeating(slots)?;
        Ok(OVERHEAD + stages.keys_meta().len() + stages.keys_len())
    }
}

/// Generation of the keys of a bootstrapping from a secret key of CKKS.
pub trait BootstrapSecret<M: Mode> {
    /// Generates the keys of a bootstrapping. Takes seconds, and gigabytes at degree 2^16;
    /// [`BootstrapParams::bootstrapping_keys_byte_len`] says how many they are on the wire.
    ///
    /// # Errors
    /// [`BootstrapError::NoSet`] for parameters that cannot be bootstrapped.
    fn bootstrapping_keys(&self, rng: &mut SecretRng) -> Result<BootstrappingKeys<M>, Error>;

    /// Generates the keys of a bootstrapping of messages that repeat after this number of slots, as
    /// [`Params::encode_repeated`] makes them. They are smaller than those for all slots, and a
    /// bootstrapping takes less time: one evaluation instead of two for complex numbers, and maps
    /// of fewer layers.
    ///
    /// The result of a bootstrapping with them holds the means of the slots `j, j + slots,
    /// j + 2 slots, ...` in each of these, within the same bound. That is the message itself where
    /// it repeats, and else a projection of it: no promise is needed. A function is applied to
    /// these means.
    ///
    /// # Errors
    /// [`Error::Spec`] for a number that is not a power of two from 8 to half of the slots of the
    /// parameters; [`BootstrapError::NoSet`] for parameters that cannot be bootstrapped.
    fn sparse_bootstrapping_keys(
        &self,
        slots: usize,
        rng: &mut SecretRng,
    ) -> Result<BootstrappingKeys<M>, Error>;
}

impl<M: Mode> BootstrapSecret<M> for SecretKey<Ckks<M>> {
    fn bootstrapping_keys(&self, rng: &mut SecretRng) -> Result<BootstrappingKeys<M>, Error> {
        Ok(BootstrappingKeys::generate(self, stages(self.params())?, rng))
    }

    fn sparse_bootstrapping_keys(
        &self,
        slots: usize,
        rng: &mut SecretRng,
    ) -> Result<BootstrappingKeys<M>, Error> {
        let stages = Arc::new(stages(self.params())?.repeating(slots)?);
        Ok(BootstrappingKeys::generate(self, stages, rng))
    }
}

/// Evaluators of CKKS that bootstrap.
pub trait BootstrapEvaluator<M: Mode> {
    /// Returns the same evaluator with the keys of a bootstrapping, which it uses as the policy
    /// says: [`BootstrappingKeys`](crate::ckks::BootstrappingKeys), whose tables are prepared here
    /// in seconds, or a [`Bootstrapper`](crate::ckks::Bootstrapper) that has them, for instance
    /// with threads.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], and [`Error::KeyMismatch`] if the evaluator has keys of another
    /// secret key; [`BootstrapError::NotByItself`] for [`Policy::Automatic`] and keys of sparse
    /// slots.
    fn with_bootstrapping(
        &self,
        bootstrapper: impl Into<Bootstrapper<M>>,
        policy: Policy,
    ) -> Result<Evaluator<Ckks<M>>, Error>;
}

impl<M: Mode> BootstrapEvaluator<M> for Evaluator<Ckks<M>> {
    fn with_bootstrapping(
        &self,
        bootstrapper: impl Into<Bootstrapper<M>>,
        policy: Policy,
    ) -> Result<Evaluator<Ckks<M>>, Error> {
        let bootstrapper = bootstrapper.into();
        self.params().same(bootstrapper.params())?;
        if let Some(own) = self.keys().key_id() {
            same_key(own, bootstrapper.key_id())?;
        }
        let slots = bootstrapper.slots();
        if policy == Policy::Automatic && slots < self.params().slot_count() {
            return Err(BootstrapError::NotByItself { slots }.into());
        }
        Ok(self.refreshing_with(Arc::new(Held::new(bootstrapper, policy))))
    }
}
