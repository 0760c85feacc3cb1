//! The engine as a library under test, through the public API of the crate `fathom` only.

mod ckks;
mod exact;
mod fhew;
mod generators;
mod hfhe;
mod integers;
mod refusal;
mod ring;
mod torus;

use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::ckks::Ckks;
use fathom::exact::Exact;
use fathom::rlwe::exact::{Params, Preset};

use super::library::Library;
use super::protocol::{LibraryInfo, ParamsInfo, Prepare, Refusal, SchemeInfo};
use super::served::Served;
use crate::ops::Scheme;

/// The engine; it has no state of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engine;

impl Library for Engine {
    fn info(&self) -> LibraryInfo {
        let kernel = Params::<Bgv>::preset(Preset::E1);
        LibraryInfo {
            name: "fathom".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            build: env!("FATHOM_BUILD").into(),
            isa_used: kernel.map_or_else(|e| e.to_string(), |p| p.kernel_name().to_owned()),
        }
    }

    fn schemes(&self) -> Vec<SchemeInfo> {
        let ring = [
            ring::scheme::<Bfv>(),
            ring::scheme::<Bgv>(),
            ring::scheme::<Ckks>(),
            ring::scheme::<Exact>(),
        ];
        let others = [hfhe::scheme(), torus::scheme()];
        ring.into_iter().chain(others).chain(fhew::schemes()).collect()
    }

    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
        match Scheme::parse(&request.scheme) {
            Some(Scheme::Bfv) => ring::open::<Bfv>(request),
            Some(Scheme::Bgv) => ring::open::<Bgv>(request),
            Some(Scheme::Ckks) => ring::open::<Ckks>(request),
            Some(Scheme::Exact) => ring::open::<Exact>(request),
            Some(Scheme::Hfhe) => hfhe::open(request),
            Some(Scheme::Tfhe) => torus::open(request),
            Some(scheme @ (Scheme::Fhew | Scheme::BinfheAp)) => fhew::open(scheme, request),
            None => {
                let message = format!("the engine has no scheme {}", request.scheme);
                Err(Refusal::unsupported(message))
            }
        }
    }
}
