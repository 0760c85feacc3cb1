//! Whole programs of CKKS as applications write them: every result is right, and its error bound
//! is near the largest error over all runs.
//!
//! `FATHOM_PROGRAM_SEEDS` is the number of runs of each program, 2 unless it is set; the figures of
//! docs/maths/ckks.md are those of 100. They run in the release profile alone, where the library is
//! optimised.
#![cfg(not(debug_assertions))]

mod batch;
mod compare;
mod network;
mod numbers;
mod sums;
mod support;
