//! Encrypted columns through the public interface, as one program.
//!
//! Each program would link the library and compile the generic code that it uses once more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod answers;
mod cli;
mod columns;
mod compare;
mod folded;
mod golden;
mod integrity;
mod join;
mod partial;
mod support;
mod values;
