//! The whole programs of the engine.

use fathom_workloads::{Implementation, Workload};

use super::Engine;
use crate::drivers::library::Library;
use crate::drivers::protocol::LibraryInfo;
use crate::drivers::roles::Offer;

impl Offer for Engine {
    fn info(&self) -> LibraryInfo {
        Library::info(self)
    }

    fn implementations(&self, workload: &str) -> Vec<Box<dyn Implementation>> {
        let workload = fathom_workloads::find(workload);
        workload.map(Workload::implementations).unwrap_or_default()
    }
}
