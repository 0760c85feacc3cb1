//! The Fathom testbed: runs the same operations on every library of one machine and verifies the
//! results.
//!
//! The engine and its peers run as driver processes that speak one protocol ([`fathom_drivers`]).
//! The harness chooses cases from suites, times them in interleaved rounds, decrypts every result
//! outside the timer, compares it with the computation on clear values, and writes records
//! ([`fathom_cases`]), a table and a report. The modules follow a case on its way:
//!
//! | module | content |
//! |---|---|
//! | [`plan`] | suites, and which libraries are asked |
//! | [`planner`] | predictions of the cost of whole programs, and the choice of a scheme |
//! | [`measure`] | rounds of samples on driver processes |
//! | [`suites`] | programs of suites that are more than one operation of the protocol |
//! | [`verify`] | expected results |
//! | [`report`] | tables, files and the page |

#![forbid(unsafe_code)]

pub mod applications;
pub mod cli;
mod format;
pub mod measure;
pub mod peers;
pub mod plan;
pub mod planner;
pub mod report;
pub mod suites;
pub mod verify;
