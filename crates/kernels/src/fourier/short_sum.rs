//! Sums of rows of short words.

use super::lanes::Doubles;

/// Words that are summed up without a branch in between: four cache lines.
const BLOCK: usize = 64;

/// Where a store of an octet never crosses the border of a cache line.
const ALIGNMENT: usize = 64;

/// See [`crate::TorusKernel::short_sum`].
///
/// Rows that come from the second cache cost as much as moving them: two operands, and the sum,
/// whose lines are fetched and written back. Stores of 32 bytes that stay within a line were the
/// fastest of those tried, on a CPU with AVX-512 too (docs/maths/fourier.md).
#[cfg_attr(optimized, inline(always))]
pub(crate) fn short_sum<D: Doubles>(d: D, sum: &mut [u32], a: &[u32], b: &[u32]) {
    debug_assert!(sum.len() == a.len() && a.len() == b.len(), "rows of different lengths");
    let first = sum.as_ptr().align_offset(ALIGNMENT).min(sum.len());
    let (sum_first, sum) = sum.split_at_mut(first);
    let (a_first, a) = a.split_at(first);
    let (b_first, b) = b.split_at(first);
    let (sum_blocks, sum_last) = sum.as_chunks_mut::<BLOCK>();
    let (a_blocks, a_last) = a.as_chunks::<BLOCK>();
    let (b_blocks, b_last) = b.as_chunks::<BLOCK>();
    add_each(sum_first, a_first, b_first);
    for (sum, (a, b)) in sum_blocks.iter_mut().zip(a_blocks.iter().zip(b_blocks)) {
        let octets = a.as_chunks().0.iter().zip(b.as_chunks().0);
        for (sum, (a, b)) in sum.as_chunks_mut().0.iter_mut().zip(octets) {
            d.add_short(sum, a, b);
        }
    }
    add_each(sum_last, a_last, b_last);
}

/// Sums of single words.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn add_each(sum: &mut [u32], a: &[u32], b: &[u32]) {
    for (sum, (a, b)) in sum.iter_mut().zip(a.iter().zip(b)) {
        *sum = a.wrapping_add(*b);
    }
}
