//! The keys of parameters whose ciphertexts are refreshed.

use std::rc::Rc;

use fathom::bfv::Bfv;
use fathom::refresh::Refresher;
use fathom::rlwe::Rotations;
use fathom::{Error, SecretRng};

use super::desk;
use super::party::Party;
use crate::drivers::engine::{bfv_params, describe_bfv};
use crate::drivers::protocol::ParamsInfo;

/// Both sides of a computation with refreshes.
pub(super) struct Refreshing {
    pub(super) party: Party,
    pub(super) server: Refresher<Bfv>,
}

/// Where the programs of one set find their keys.
pub(super) type Desk = Rc<desk::Desk<Refreshing>>;

impl desk::Keys for Refreshing {
    type Set = &'static str;
    const SCHEME: &'static str = "bfv";

    fn name(set: &&'static str) -> &'static str {
        set
    }

    fn wire_len(set: &&'static str) -> Result<u64, Error> {
        Ok(bfv_params(set)?.refresh_keys_byte_len()? as u64)
    }

    fn make(set: &&'static str) -> Result<Self, Error> {
        let mut rng = SecretRng::from_os()?;
        let party = Party::new(bfv_params(set)?, &Rotations::none(), &mut rng)?;
        let server = Refresher::new(party.secret.refresh_keys(&mut rng)?);
        Ok(Self { party, server })
    }

    fn describe(&self) -> ParamsInfo {
        describe_bfv(&self.party.params)
    }
}
