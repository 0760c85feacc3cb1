//! Libraries under test, each behind a process that speaks the driver protocol.
//!
//! | module | content |
//! |---|---|
//! | [`ops`] | the table of operations, and the kinds of schemes |
//! | [`protocol`] | the messages, and [`limits`] of what a driver may answer |
//! | [`client`], [`process`] | the side of the testbed: a child process that is not trusted |
//! | [`library`], [`session`], [`server`], [`served`] | the side of a driver |
//! | [`roles`] | whole programs, with client and server in processes of their own |
//! | [`engine`], [`plain`] | the engine as a library under test, and one that does not encrypt |

#![forbid(unsafe_code)]

pub mod client;
pub mod engine;
mod integer_type;
pub mod library;
pub mod limits;
pub mod memory;
pub mod ops;
pub mod plain;
pub mod process;
mod process_usage;
pub mod protocol;
pub mod random;
pub mod refusal;
mod reply_checks;
pub mod roles;
mod scheme;
pub mod served;
pub mod server;
pub mod session;
mod stopwatch;

use std::sync::LazyLock;

pub use process_usage::{available_bytes, peak_rss, resident_bytes, restart_peak};

/// The compiler and the target of this build, and the level of optimisation of the engine, which
/// the testbed around it does not share.
pub static BUILD: LazyLock<String> =
    LazyLock::new(|| format!("{}, opt-level {}", env!("FATHOM_BUILD"), fathom::OPT_LEVEL));
