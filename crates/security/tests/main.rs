//! The security of parameters, as one program.
//!
//! Each program would link the library and compile the generic code that it uses once more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod estimates;
mod laws;
mod lwe_keys;
mod rotated_hybrid;
mod tfhe_sets;
