//! The laws of rings, bases and samplers, as one program.
//!
//! Each program would link the library and compile the generic code that it uses once more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod common;
mod conversion;
mod errors;
mod gadget;
mod laws;
mod sampling;
mod secret_bits;
mod structure;
