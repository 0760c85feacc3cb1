//! Libraries under test, each behind a process that speaks the driver protocol.

pub mod client;
pub mod engine;
pub mod library;
pub mod limits;
pub(crate) mod memory;
pub mod plain;
pub mod process;
mod process_usage;
pub mod protocol;
mod reply_checks;
pub mod roles;
pub mod served;
pub mod server;
pub mod session;
mod stopwatch;

pub use process_usage::available_bytes;
pub(crate) use process_usage::{peak_rss, resident_bytes, restart_peak};
