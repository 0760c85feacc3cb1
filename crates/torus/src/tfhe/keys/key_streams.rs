//! The masks of public keys, expanded from their seeds, and the weights of their rows.

use crate::tfhe::{Decomposition, Params};
use fathom_ring::Seed;

/// The streams of the seed for the three parts of an evaluation key.
const ROTATION_STREAM: u32 = 0;
const SWITCH_STREAM: u32 = 1;
const AUTOMORPHISM_STREAM: u32 = 2;

/// The stream of the seed of a list of blocks. Such a seed belongs to no evaluation key.
const LIST_STREAM: u32 = 3;

/// Returns the seed of the masks of row `index` of the bootstrapping key.
pub(in crate::tfhe) fn rotation_seed(seed: &Seed, index: usize) -> Seed {
    seed.child(ROTATION_STREAM).child(index as u32)
}

/// Returns the seed of the masks of the automorphism keys, in an evaluation key or a packing key.
pub(in crate::tfhe) fn automorphism_seed(seed: &Seed) -> Seed {
    seed.child(AUTOMORPHISM_STREAM)
}

/// Returns the masks of a row of the key-switching key, modulo `2^32`.
pub(in crate::tfhe) fn switch_masks(params: &Params, seed: &Seed, row: usize) -> Vec<u32> {
    let seed = seed.child(SWITCH_STREAM).child(row as u32);
    let words = seed.words(params.spec().small_dimension);
    words.into_iter().map(|word| (word >> 32) as u32).collect()
}

/// Returns the mask of block `index` of a list, modulo `2^64`.
pub(in crate::tfhe) fn list_mask(params: &Params, seed: &Seed, index: usize) -> Vec<u64> {
    seed.child(LIST_STREAM).child(index as u32).words(params.big_dimension())
}

/// Returns the gadget weight `q / B^(level + 1)`.
pub(in crate::tfhe) fn gadget_weight(digits: Decomposition, level: usize) -> u64 {
    1 << (64 - digits.base_log as usize * (level + 1))
}
