//! The keys of parameters whose ciphertexts are refreshed.

use std::rc::Rc;

use fathom::bfv::Bfv;
use fathom::refresh::{RefreshParams, RefreshSecret, RefreshSet, Refresher};
use fathom::rlwe::Rotations;
use fathom::{Error, SecretRng};
use fathom_cases::program::desk;
use fathom_drivers::engine::{bfv_params, describe_bfv};
use fathom_drivers::protocol::ParamsInfo;

use super::party::Party;

/// Both sides of a computation with refreshes.
pub struct Refreshing {
    /// Both sides without refreshes.
    pub party: Party,
    /// The refreshes of the server.
    pub server: Refresher<Bfv>,
    /// `log2` of the modulus of the keys of a refresh under the secret key.
    back_log2: f64,
}

/// The place where the programs of one set find their keys.
pub type Desk = Rc<desk::Desk<Refreshing>>;

impl desk::Keys for Refreshing {
    /// The parameters of ciphertexts, and what the keys serve.
    type Set = (&'static str, RefreshSet);
    const SCHEME: &'static str = "bfv";

    fn name((name, _): &Self::Set) -> &'static str {
        name
    }

    fn wire_len((name, set): &Self::Set) -> Result<u64, Error> {
        Ok(bfv_params(name)?.refresh_keys_byte_len(*set)? as u64)
    }

    fn make((name, set): &Self::Set) -> Result<Self, Error> {
        let mut rng = SecretRng::from_os()?;
        let party = Party::new(bfv_params(name)?, &Rotations::none(), &mut rng)?;
        let [_, back, _] = party.params.refresh_moduli(*set)?;
        let server = Refresher::new(party.secret.refresh_keys(*set, &mut rng)?);
        Ok(Self { party, server, back_log2: back.log2 })
    }

    /// Keys of a refresh are published under the secret key, too, modulo more than the others.
    fn describe(&self) -> ParamsInfo {
        let own = describe_bfv(&self.party.params);
        ParamsInfo { log_qp: own.log_qp.max(self.back_log2), ..own }
    }
}
