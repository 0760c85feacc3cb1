//! The Fathom testbed: runs the same operations on every library of one machine and verifies the
//! results.
//!
//! The engine and its peers run as driver processes that speak one protocol ([`drivers`]). The
//! harness chooses cases from suites, times them in interleaved rounds, decrypts every result
//! outside the timer, compares it with the computation on clear values, and writes records, a table
//! and a report.

#![forbid(unsafe_code)]

pub mod benches;
pub mod case_run;
pub mod claims;
pub mod cli;
pub mod compare;
pub mod drivers;
pub mod libraries;
pub mod machine;
pub mod measure;
pub mod ops;
pub mod output;
pub mod peers;
pub mod plan_run;
pub mod question;
pub mod ratio;
pub mod record;
mod record_figures;
pub mod report;
pub mod self_comparison;
pub mod stats;
pub mod suite;
pub mod table;
pub mod table_ratios;
pub mod table_verified;
pub mod torus;
mod torus_security;
pub mod verify;
pub mod workbench;
