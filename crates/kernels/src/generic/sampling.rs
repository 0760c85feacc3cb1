//! Small secret integers: drawn by inversion of a cumulative distribution, and brought to residues.

use super::lines_mut;
use crate::Modulus;
use crate::lanes::Lanes;

/// See [`crate::Kernel::count_above_assign`]. Eight lines at a time share the load of a threshold.
#[inline(always)]
pub(crate) fn count_above_assign<L: Lanes>(lanes: L, words: &mut [u64], thresholds: &[u64]) {
    for lines in lines_mut(words).as_chunks_mut::<8>().0 {
        let mut words = [lanes.splat(0); 8];
        for (words, line) in words.iter_mut().zip(&*lines) {
            *words = lanes.load(line);
        }
        let mut counts = [lanes.splat(0); 8];
        for &threshold in thresholds {
            let threshold = lanes.splat(threshold);
            for (count, &word) in counts.iter_mut().zip(&words) {
                *count = lanes.count_below(*count, word, threshold);
            }
        }
        for (line, &count) in lines.iter_mut().zip(&counts) {
            lanes.store(line, count);
        }
    }
}

/// See [`crate::Kernel::lift`]. The compiler vectorizes this loop, since the caller has enabled the
/// instruction set.
#[inline(always)]
pub(crate) fn lift<L: Lanes>(_: L, m: &Modulus, out: &mut [u64], small: &[i64]) {
    debug_assert!(out.len() == small.len(), "rows of different lengths");
    let q = m.value();
    debug_assert!(small.iter().all(|c| c.unsigned_abs() < q), "a value is not below the modulus");
    for (word, &c) in out.iter_mut().zip(small) {
        *word = (c as u64).wrapping_add(q & ((c >> 63) as u64));
    }
}
