//! Fathom's TFHE beside tfhe-rs: the same work in turns, in one process.

pub mod bench;
mod engine;
pub mod race;
pub mod report;
pub mod rows;
