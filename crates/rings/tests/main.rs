//! The tests of ring schemes through their public interface, as one program.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

// Tests speak of `fathom`, as users do, and build without the other wing.
extern crate fathom_rings as fathom;

mod calls;
mod ckks;
mod common;
mod mixing;
mod noise_search;
mod ring;
mod verbs;
