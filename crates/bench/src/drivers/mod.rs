//! Libraries under test, each behind a process that speaks the driver protocol.

pub mod client;
mod encoding;
pub mod fathom_engine;
mod generators;
mod hfhe_engine;
pub mod library;
pub mod limits;
pub mod plain;
pub mod process;
pub mod protocol;
mod protocol_numbers;
mod protocol_params;
mod protocol_torus;
mod reply_checks;
pub mod server;
mod stopwatch;
mod torus_blocks;
mod torus_engine;
mod torus_fhew;
mod torus_gates;
mod torus_integers;
mod torus_value;
