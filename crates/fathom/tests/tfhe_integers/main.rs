//! Encrypted integers against clear arithmetic, over all widths, and their counts of bootstraps.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod arithmetic;
mod bits;
mod copies;
mod counts;
mod division;
mod encrypted;
mod errors;
mod harness;
mod operators;
mod order;
mod sets;
