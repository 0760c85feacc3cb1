//! The tests of the library through its public interface, as one program.
//!
//! Each program would link the library and compile the generic code that it uses once more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod api;
mod examples;
mod kernels;
mod remedies;
mod serde;
mod simulated;
mod wire;

/// Keys and random messages of ring schemes, as the tests of that wing have them.
#[path = "../../rings/tests/common/mod.rs"]
mod common;
