//! poulpy as the server sees it: its description, its schemes and their sessions.

use crate::backend::ISA;
use crate::bootstrap::{self, BootstrapSession};
use crate::params;
use crate::session::PoulpySession;
use fathom_drivers::library::Library;
use fathom_drivers::protocol::{
    LibraryInfo, ParamsInfo, ParamsRequest, Prepare, Refusal, SchemeInfo,
};
use fathom_drivers::served::{Served, serving};
use fathom_drivers::session::vector_names;

/// Largest number of threads accepted.
const MOST_THREADS: usize = 1024;

/// The library; it has no state of its own.
pub(crate) struct Poulpy;

impl Library for Poulpy {
    fn info(&self) -> LibraryInfo {
        LibraryInfo {
            name: "poulpy".into(),
            version: env!("LIBRARY_VERSION").into(),
            build: env!("DRIVER_BUILD").into(),
            isa_used: ISA.into(),
        }
    }

    fn schemes(&self) -> Vec<SchemeInfo> {
        let presets = bootstrap::presets().unwrap_or_default();
        let mut ops = vector_names::<PoulpySession>();
        ops.extend(vector_names::<BootstrapSession>());
        vec![SchemeInfo {
            scheme: "ckks".into(),
            params: presets.iter().map(|preset| preset.name().to_owned()).collect(),
            ops,
        }]
    }

    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
        if request.scheme != "ckks" {
            return Err(Refusal::unsupported(format!("no scheme {} of poulpy", request.scheme)));
        }
        if request.seed.is_some() {
            return Err(Refusal::unsupported("the driver seeds poulpy from the system only"));
        }
        if request.threads > MOST_THREADS {
            let message = format!("{} threads are over the limit", request.threads);
            return Err(Refusal::unsupported(message));
        }
        if request.op_threads > 1 {
            return Err(Refusal::unsupported("the driver is built with poulpy's serial back ends"));
        }
        match &request.params {
            ParamsRequest::For(purpose) => {
                let shape = params::choose(purpose)?;
                let session = PoulpySession::new(shape);
                Ok((serving(session, request.threads), params::describe(&shape)))
            }
            ParamsRequest::Preset { preset } => {
                let (session, params) = BootstrapSession::open(preset)?;
                Ok((serving(session, request.threads), params))
            }
        }
    }
}
