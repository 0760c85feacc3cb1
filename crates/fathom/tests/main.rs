//! The tests of the library through its public interface, as one program.
//!
//! Each program would link the library and compile the generic code that it uses once more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod api;
mod ckks;
mod common;
mod examples;
mod kernels;
mod mixing;
mod noise_search;
mod remedies;
mod ring;
mod serde;
mod simulated;
mod tfhe;
mod tfhe_integers;
mod tfhe_mixed;
mod wire;
