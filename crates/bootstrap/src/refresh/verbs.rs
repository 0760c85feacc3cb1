//! The methods that a refresh adds to parameters and secret keys of BFV and BGV, which themselves
//! do not know it.

use super::codec::payload_len;
use super::keys::{RefreshKeys, refresh_stages};
use super::set::RefreshSet;
use crate::keys::PublishedModulus;
use crate::stages::Stages;
use fathom_base::Error;
use fathom_base::wire::frame::OVERHEAD;
use fathom_ring::SecretRng;
use fathom_rings::internals::ParamsInternals;
use fathom_rings::rlwe::modular::Modular;
use fathom_rings::rlwe::{Params, SecretKey};
use fathom_security::{STANDARD_ERROR_DEVIATION, assess};

/// Security and sizes of the keys of a refresh, by the parameters of BFV and BGV.
pub trait RefreshParams {
    /// Returns every modulus under which keys of a refresh are published, with the security of its
    /// secret: those under the own secret of the refresh, those under the secret key of these
    /// parameters, and the one that leads to the sparse secret.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the degree of the parameters is too small for a refresh.
    fn refresh_moduli(&self, set: RefreshSet) -> Result<[PublishedModulus; 3], Error>;

    /// Returns the length in bytes of the keys of a refresh on the wire, before they are generated.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the degree of the parameters is too small for a refresh.
    fn refresh_keys_byte_len(&self, set: RefreshSet) -> Result<usize, Error>;
}

impl<S: Modular> RefreshParams for Params<S> {
    fn refresh_moduli(&self, set: RefreshSet) -> Result<[PublishedModulus; 3], Error> {
        let Stages { raised, low, capsule, .. } = &*refresh_stages(self, set)?;
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

    fn refresh_keys_byte_len(&self, set: RefreshSet) -> Result<usize, Error> {
        Ok(OVERHEAD + payload_len(&*refresh_stages(self, set)?))
    }
}

/// Generation of the keys of a refresh from a secret key of BFV or BGV.
pub trait RefreshSecret<S: Modular> {
    /// Generates the keys of a refresh, of degree 2^16, and of tables. Takes seconds and gigabytes.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the degree of the parameters is too small for keys of 102 bits and
    /// more at their security level, as below 4096 at 128 bits, or for a security level above 128
    /// bits, which the large ring does not have; [`Error::Spec`] for a degree above
    /// 2^16 and for [`WORST_CASE`](fathom_base::WORST_CASE).
    fn refresh_keys(&self, set: RefreshSet, rng: &mut SecretRng) -> Result<RefreshKeys<S>, Error>;
}

impl<S: Modular> RefreshSecret<S> for SecretKey<S> {
    fn refresh_keys(&self, set: RefreshSet, rng: &mut SecretRng) -> Result<RefreshKeys<S>, Error> {
        let stages = refresh_stages(self.params(), set)?;
        Ok(RefreshKeys::generate(self, set, stages, rng))
    }
}
