//! The Fathom testbed: runs the same operations on every library of one machine and verifies the
//! results.
//!
//! The engine and its peers run as driver processes that speak one protocol ([`drivers`]). The
//! harness chooses cases from suites, times them in interleaved rounds, decrypts every result
//! outside the timer, compares it with the computation on clear values, and writes records, a table
//! and a report. The modules follow a case on its way:
//!
//! | module | content |
//! |---|---|
//! | [`ops`] | the table of operations, and the kinds of schemes |
//! | [`plan`] | suites, the questions that libraries are asked, and who is asked |
//! | [`planner`] | predictions of the cost of whole programs, and the choice of a scheme |
//! | [`drivers`] | the protocol, its two sides, and the engine behind it |
//! | [`measure`] | rounds of samples, their statistics, and the machine |
//! | [`verify`] | expected results |
//! | [`record`] | what is stored of a case, and comparisons of records |
//! | [`report`] | tables, files and the page |
//! | [`suites`] | programs of suites that are more than one operation of the protocol |

#![forbid(unsafe_code)]

pub mod applications;
pub mod claims;
pub mod cli;
pub mod drivers;
pub mod measure;
pub mod ops;
pub mod peers;
pub mod plan;
pub mod planner;
pub mod record;
pub mod report;
pub mod suites;
pub mod verify;
