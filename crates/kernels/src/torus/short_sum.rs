//! Sums of rows of 32-bit words.

use super::lanes::Doubles;

/// Number of words that are summed without a branch: four cache lines.
const BLOCK: usize = 64;

/// Alignment at which the store of an octet never crosses a cache line.
const ALIGNMENT: usize = 64;

/// Computes [`super::TorusKernel::short_sum`].
///
/// For rows in the second-level cache, the time is that of the memory transfers: two operands, and
/// the lines of the sum, which are fetched and written back. Stores of 32 bytes within a line were
/// the fastest variant measured, also on a CPU with AVX-512 (docs/maths/fourier.md).
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

/// Sums words one by one.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn add_each(sum: &mut [u32], a: &[u32], b: &[u32]) {
    for (sum, (a, b)) in sum.iter_mut().zip(a.iter().zip(b)) {
        *sum = a.wrapping_add(*b);
    }
}
