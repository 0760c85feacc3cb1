//! The testbed as its users call it, and its documents: one program.
//!
//! Each program would link the library and compile the generic code that it uses once more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod applications;
mod bootstraps;
mod cli;
mod closed_pipes;
mod engine;
mod hostile;
mod kept;
mod peers;
mod plan;
mod report_browser;
mod reproduce;
mod runs;
mod support;
mod torus;
mod words;
