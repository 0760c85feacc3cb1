//! tfhe-rs as the server sees it: its description, its presets and their sessions.

use crate::presets;
use crate::session::TfheSession;
use crate::{blocks, gates, integers};
use fathom_drivers::library::Library;
use fathom_drivers::protocol::{
    LibraryInfo, ParamsInfo, ParamsRequest, Prepare, Refusal, SchemeInfo,
};
use fathom_drivers::served::{Served, serving};
use fathom_drivers::session::vector_names;

/// The library; it has no state of its own.
pub(crate) struct TfheRs;

impl Library for TfheRs {
    fn info(&self) -> LibraryInfo {
        LibraryInfo {
            name: "tfhe-rs".into(),
            version: env!("LIBRARY_VERSION").into(),
            build: env!("DRIVER_BUILD").into(),
            isa_used: isa().into(),
        }
    }

    fn schemes(&self) -> Vec<SchemeInfo> {
        let vectors = vector_names::<TfheSession>();
        let ops = vectors.into_iter().chain(gates::names()).chain(blocks::names());
        vec![SchemeInfo {
            scheme: "tfhe".into(),
            params: presets::all().map(|preset| preset.name.to_owned()).collect(),
            ops: ops.chain(integers::names()).collect(),
        }]
    }

    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
        if request.scheme != "tfhe" {
            return Err(Refusal::unsupported(format!("tfhe-rs has no scheme {}", request.scheme)));
        }
        let ParamsRequest::Preset { preset } = &request.params else {
            return Err(Refusal::unsupported("tfhe has presets only: its depth is not bounded"));
        };
        let unknown = || Refusal::unsupported(format!("tfhe-rs has no preset {preset}"));
        let preset = presets::all().find(|known| known.name == preset).ok_or_else(unknown)?;
        if request.seed.is_some() {
            return Err(Refusal::unsupported("keys of tfhe-rs come from the system's randomness"));
        }
        let info = preset.describe();
        let session = TfheSession::open(preset.set, request)?;
        Ok((serving(session, request.threads), info))
    }
}

/// Returns the instruction set that the transforms of tfhe-rs select here, by the same run-time
/// tests.
fn isa() -> &'static str {
    if std::is_x86_feature_detected!("avx512f") {
        "avx512"
    } else if std::is_x86_feature_detected!("fma") {
        "fma"
    } else {
        "scalar"
    }
}
