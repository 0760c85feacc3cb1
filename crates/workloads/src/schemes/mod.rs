//! The parts that all programs on one scheme share: keys, encryption, messages, decryption.

pub(crate) mod blocks;
#[cfg(test)]
mod clear;
pub(crate) mod ring;
pub(crate) mod tfhe;
