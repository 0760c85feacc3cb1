//! Whole programs with the high-level interface of tfhe-rs, as its documentation recommends.

mod arith_compare;
mod client;
mod columns;
mod decision_tree;
mod frames;
mod implementation;
mod private_db;
mod program;
mod server;
mod shortest_paths;
mod sort;
mod transfer;
mod values;
mod width;

use fathom_drivers::library::Library;
use fathom_drivers::protocol::LibraryInfo;
use fathom_drivers::roles::Offer;
use fathom_workloads::Implementation;

use crate::library::TfheRs;
use program::Program;

impl Offer for TfheRs {
    fn info(&self) -> LibraryInfo {
        Library::info(self)
    }

    fn implementations(&self, workload: &str) -> Vec<Box<dyn Implementation>> {
        match program(workload) {
            Some(program) => vec![Box::new(program)],
            None => Vec::new(),
        }
    }
}

/// Returns the program of a workload.
fn program(workload: &str) -> Option<Program> {
    Some(match workload {
        "arith-compare" => arith_compare::PROGRAM,
        "decision-tree" => decision_tree::PROGRAM,
        "private-db" => private_db::PROGRAM,
        "shortest-paths" => shortest_paths::PROGRAM,
        "sort" => sort::PROGRAM,
        "transfer" => transfer::PROGRAM,
        _ => return None,
    })
}
