//! The Fathom testbed: the same work on every library, on this machine, verified.
//!
//! The engine and its peers run as driver processes that speak one protocol ([`drivers`]). The
//! harness chooses cases from suites, times them in interleaved rounds, decrypts and compares
//! every result outside the timer, and writes records, a table and a report.

#![forbid(unsafe_code)]

pub mod case_run;
pub mod claims;
pub mod cli;
pub mod compare;
pub mod drivers;
pub mod machine;
pub mod measure;
pub mod ops;
pub mod output;
pub mod peers;
pub mod plan_run;
pub mod record;
pub mod report;
pub mod stats;
pub mod suite;
pub mod table;
pub mod torus;
mod torus_security;
pub mod verify;
pub mod workbench;
