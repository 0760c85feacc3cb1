//! fhe.rs as the server sees it: its description, its scheme and their sessions.

use crate::params;
use crate::params::Chosen;
use crate::session::FheSession;
use fathom_drivers::library::Library;
use fathom_drivers::protocol::{
    LibraryInfo, ParamsInfo, ParamsRequest, Prepare, Refusal, SchemeInfo,
};
use fathom_drivers::served::{Served, serving};
use fathom_drivers::session::vector_names;

/// Largest number of threads accepted.
const MOST_THREADS: usize = 1024;

/// The library; it has no state of its own.
pub(crate) struct FheRs;

impl Library for FheRs {
    fn info(&self) -> LibraryInfo {
        LibraryInfo {
            name: "fhe-rs".into(),
            version: env!("LIBRARY_VERSION").into(),
            build: env!("DRIVER_BUILD").into(),
            isa_used: isa().into(),
        }
    }

    fn schemes(&self) -> Vec<SchemeInfo> {
        vec![SchemeInfo {
            scheme: "bfv".into(),
            params: Vec::new(),
            ops: vector_names::<FheSession>(),
        }]
    }

    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
        if request.scheme != "bfv" {
            return Err(Refusal::unsupported(format!("fhe.rs has no scheme {}", request.scheme)));
        }
        let ParamsRequest::For(purpose) = &request.params else {
            return Err(Refusal::unsupported("fhe.rs has no presets here: ask for a depth"));
        };
        if request.seed.is_some() {
            return Err(Refusal::unsupported("fhe.rs draws seeds of its own, from the system"));
        }
        if request.threads > MOST_THREADS {
            let message = format!("{} threads are over the limit", request.threads);
            return Err(Refusal::unsupported(message));
        }
        let Chosen { bfv, info } = params::choose(purpose)?;
        Ok((serving(FheSession::new(bfv), request.threads), info))
    }
}

/// Returns the instruction set that `tfhe-ntt`, the NTT of fhe.rs, uses here on a stable compiler.
fn isa() -> &'static str {
    if std::is_x86_feature_detected!("avx2") { "avx2" } else { "scalar" }
}
