//! The keys of a set that can be bootstrapped.

use fathom::ckks::{
    BootstrapParams, BootstrapSecret, BootstrapSet, Bootstrapper, Params, SecretKey,
};
use fathom::{Error, SecretRng};
use fathom_cases::program::desk;
use fathom_drivers::engine::describe_ckks;
use fathom_drivers::protocol::ParamsInfo;

/// Both sides of a bootstrapping.
pub(super) struct Parties {
    pub(super) params: Params,
    pub(super) secret: SecretKey,
    pub(super) server: Bootstrapper,
}

/// The place where the programs of one set find their keys.
pub(super) type Desk = desk::Desk<Parties>;

impl desk::Keys for Parties {
    type Set = BootstrapSet;
    const SCHEME: &'static str = "ckks";

    fn name(set: &BootstrapSet) -> &str {
        set.name()
    }

    fn wire_len(set: &BootstrapSet) -> Result<u64, Error> {
        Ok(Params::bootstrappable(*set)?.bootstrapping_keys_byte_len()? as u64)
    }

    fn make(set: &BootstrapSet) -> Result<Self, Error> {
        let mut rng = SecretRng::from_os()?;
        let params = Params::bootstrappable(*set)?;
        let secret = SecretKey::generate(&params, &mut rng);
        let server = Bootstrapper::new(secret.bootstrapping_keys(&mut rng)?);
        Ok(Self { params, secret, server })
    }

    fn describe(&self) -> ParamsInfo {
        describe_ckks(&self.params)
    }
}
