//! The noise of blocks, as sums of independent sources.

pub(in crate::tfhe) mod accumulator;
#[cfg(test)]
pub(in crate::tfhe) mod record;
mod sources;

pub(in crate::tfhe) use sources::{Noise, source_name};
