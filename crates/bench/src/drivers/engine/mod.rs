//! The engine as a library under test, through the public API of the crate `fathom` only.

mod exact;
mod fhew;
mod generators;
mod hfhe;
mod torus;

use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
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
        let exact = [exact::scheme::<Bfv>(Scheme::Bfv), exact::scheme::<Bgv>(Scheme::Bgv)];
        let others = [hfhe::scheme(), torus::scheme()];
        exact.into_iter().chain(others).chain(fhew::schemes()).collect()
    }

    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
        match Scheme::parse(&request.scheme) {
            Some(Scheme::Bfv) => exact::open::<Bfv>(request),
            Some(Scheme::Bgv) => exact::open::<Bgv>(request),
            Some(Scheme::Hfhe) => hfhe::open(request),
            Some(Scheme::Tfhe) => torus::open(request),
            Some(scheme @ (Scheme::Fhew | Scheme::BinfheAp)) => fhew::open(scheme, request),
            Some(Scheme::Ckks | Scheme::Exact) | None => {
                let message = format!("the engine has no scheme {}", request.scheme);
                Err(Refusal::unsupported(message))
            }
        }
    }
}
