//! Inversion of cumulative distributions.

use super::lines_mut;
use crate::lanes::Lanes;

/// See [`crate::Kernel::count_above_assign`]. The compiler makes one vector comparison of the inner
/// loop, since the caller has enabled the instruction set.
#[inline(always)]
pub(crate) fn count_above_assign<L: Lanes>(_: L, words: &mut [u64], thresholds: &[u64]) {
    for line in lines_mut(words) {
        let mut count = [0; 8];
        for &threshold in thresholds {
            for (count, &word) in count.iter_mut().zip(&*line) {
                *count += u64::from(word < threshold);
            }
        }
        *line = count;
    }
}
