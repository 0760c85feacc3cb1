//! Programmable bootstrapping, in batches and on several threads.

pub(in crate::tfhe) mod bootstrapper;
pub(in crate::tfhe) mod task;
mod team;

pub(in crate::tfhe) use team::Running;
