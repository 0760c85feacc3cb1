//! The ring schemes: laws of their operations, noise bounds, plans, refusals and known answers.
//!
//! One program, because each test program compiles the generic code of the schemes again.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod any_scheme;
mod chain;
mod counts;
mod errors;
mod identity;
mod known_answers;
mod laws;
mod levels_of_keys;
mod limits;
mod linear_map;
mod lists;
mod noise;
mod plan;
mod polynomial;
mod related;
mod self_tests;
mod shapes;
