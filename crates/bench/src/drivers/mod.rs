//! Libraries under test, each behind a process that speaks the driver protocol.

pub mod client;
pub mod engine;
pub mod library;
pub mod limits;
pub mod plain;
pub mod process;
pub mod protocol;
mod reply_checks;
pub mod served;
pub mod server;
pub mod session;
mod stopwatch;
