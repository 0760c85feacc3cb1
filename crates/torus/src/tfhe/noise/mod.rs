//! The noise of blocks, as sums of independent sources.

#[cfg(test)]
pub(in crate::tfhe) mod record;
pub(in crate::tfhe) mod sources;

pub(in crate::tfhe) use sources::{Noise, source_name};
