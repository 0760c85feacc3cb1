//! The engine as a library under test, through the public API of the crate `fathom` only.

mod ckks;
mod fhew;
mod generators;
mod hfhe;
mod integers;
mod modular;
mod published;
mod ring;
mod torus;

pub use modular::bits_of_sum;

use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::ckks::Ckks;
use fathom::rlwe::modular::{Params, Preset};
use fathom::wide::Wide;

use fathom::{Error, bfv};
use fathom_workloads::{Implementation, Workload};

use super::library::Library;
use super::protocol::{LibraryInfo, ParamsInfo, Prepare, Refusal, SchemeInfo};
use super::roles::Offer;
use super::served::Served;
use crate::ops::Scheme;

/// The engine; it has no state of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engine;

/// Returns the BFV parameters of a preset or of a published set.
///
/// # Errors
/// [`Error::UnknownPreset`] for a name that neither has, and the errors of the parameters.
pub fn bfv_params(name: &str) -> Result<bfv::Params, Error> {
    if let Some(spec) = published::spec(name) {
        return bfv::Params::new(spec);
    }
    bfv::Params::preset(name.parse::<Preset>()?)
}

/// Returns true for a set of a published document.
pub fn is_published(name: &str) -> bool {
    published::spec(name).is_some()
}

/// Describes BFV parameters as sessions report them.
pub fn describe_bfv(params: &bfv::Params) -> ParamsInfo {
    ring::described(params, None)
}

/// Describes CKKS parameters as sessions report them.
pub fn describe_ckks(params: &fathom::ckks::Params) -> ParamsInfo {
    ring::described(params, None)
}

impl Library for Engine {
    fn info(&self) -> LibraryInfo {
        let kernel = Params::<Bgv>::preset(Preset::E1);
        LibraryInfo {
            name: "fathom".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            build: crate::BUILD.clone(),
            isa_used: kernel.map_or_else(|e| e.to_string(), |p| p.kernel_name().to_owned()),
        }
    }

    fn schemes(&self) -> Vec<SchemeInfo> {
        let ring = [
            ring::scheme::<Bfv>(),
            ring::scheme::<Bgv>(),
            ring::scheme::<Ckks>(),
            ring::scheme::<Wide>(),
        ];
        let others = [hfhe::scheme(), torus::scheme()];
        ring.into_iter().chain(others).chain(fhew::schemes()).collect()
    }

    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
        let name = Scheme::renamed(&request.scheme).unwrap_or(&request.scheme);
        match Scheme::parse(name) {
            Some(Scheme::Bfv) => ring::open::<Bfv>(request),
            Some(Scheme::Bgv) => ring::open::<Bgv>(request),
            Some(Scheme::Ckks) => ring::open::<Ckks>(request),
            Some(Scheme::Wide) => ring::open::<Wide>(request),
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

impl Offer for Engine {
    fn info(&self) -> LibraryInfo {
        Library::info(self)
    }

    fn implementations(&self, workload: &str) -> Vec<Box<dyn Implementation>> {
        let workload = fathom_workloads::find(workload);
        workload.map(Workload::implementations).unwrap_or_default()
    }
}
