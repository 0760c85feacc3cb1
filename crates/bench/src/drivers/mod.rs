//! Libraries under test, each behind a process that speaks the driver protocol.

pub mod client;
pub mod fathom_engine;
mod hfhe_engine;
pub mod library;
pub mod plain;
pub mod process;
pub mod protocol;
pub mod server;
mod stopwatch;
