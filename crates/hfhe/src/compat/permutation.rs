//! The public permutation of decoy bits that the reference stores in its public key file. No
//! operation here applies it.

use super::DECOY_BITS;
use super::hash::{CounterHash, bounded};
use fathom_kernels::BitKernel;

/// A permutation of the bits of a decoy and its inverse.
pub(crate) struct Permutation {
    pub(crate) forward: Vec<u32>,
    pub(crate) inverse: Vec<u32>,
}

impl Permutation {
    /// Derives the permutation for this tag (Fisher-Yates shuffle, from the top).
    pub(crate) fn derive(kernel: &'static dyn BitKernel, tag: u64) -> Permutation {
        let mut forward: Vec<u32> = (0..DECOY_BITS as u32).collect();
        let mut i = DECOY_BITS - 1;
        CounterHash::new(kernel, "UBK", &[tag]).for_each_word(DECOY_BITS, |word| {
            if let Some(j) = bounded(word, i as u64 + 1) {
                forward.swap(i, j as usize);
                i -= 1;
            }
            i > 0
        });
        let mut inverse = vec![0; DECOY_BITS];
        for (i, &image) in (0..).zip(&forward) {
            inverse[image as usize] = i;
        }
        Permutation { forward, inverse }
    }
}
