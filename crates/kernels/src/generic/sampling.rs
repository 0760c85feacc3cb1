//! Small secret integers: drawn by inversion of a cumulative distribution, and brought to residues.
//!
//! These loops are plain: the compiler vectorizes them, since the caller has enabled the
//! instruction set.

use super::lines_mut;
use crate::Modulus;
use crate::lanes::{Lanes, Line};

/// See [`crate::Kernel::count_above_assign`]. Four lines at a time share the load of a threshold.
#[inline(always)]
pub(crate) fn count_above_assign<L: Lanes>(_: L, words: &mut [u64], thresholds: &[u64]) {
    for lines in lines_mut(words).as_chunks_mut::<4>().0 {
        let mut counts: [Line; 4] = [[0; 8]; 4];
        for &threshold in thresholds {
            for (count, &word) in counts.as_flattened_mut().iter_mut().zip(lines.as_flattened()) {
                *count += u64::from(word < threshold);
            }
        }
        *lines = counts;
    }
}

/// See [`crate::Kernel::lift`].
#[inline(always)]
pub(crate) fn lift<L: Lanes>(_: L, m: &Modulus, out: &mut [u64], small: &[i64]) {
    debug_assert!(out.len() == small.len(), "rows of different lengths");
    let q = m.value();
    debug_assert!(small.iter().all(|c| c.unsigned_abs() < q), "a value is not below the modulus");
    for (word, &c) in out.iter_mut().zip(small) {
        *word = (c as u64).wrapping_add(q & ((c >> 63) as u64));
    }
}
