//! The tests of TFHE through its public interface, as one program.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

// Tests speak of `fathom`, as users do, and build without the other wing.
extern crate fathom_torus as fathom;

mod tfhe;
mod tfhe_integers;
mod tfhe_mixed;
