//! Small secret integers: drawn from uniform words, and brought to residues.

use super::{debug_assert_rows, lines, lines_mut};
use crate::lanes::Lanes;
use crate::row::as_words;
use crate::{Constant, Modulus};

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

/// See [`crate::Kernel::weight_difference_assign`]. Sums in pairs, fours and bytes on both halves
/// of a word at once: few processors count bits. The compiler vectorizes this loop, since the
/// caller has enabled the instruction set.
#[inline(always)]
pub(crate) fn weight_difference_assign<L: Lanes>(_: L, words: &mut [u64]) {
    for word in words {
        let mut sums = *word & 0x001f_ffff_001f_ffff;
        sums -= sums >> 1 & 0x5555_5555_5555_5555;
        sums = (sums & 0x3333_3333_3333_3333) + (sums >> 2 & 0x3333_3333_3333_3333);
        sums = (sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        sums += sums >> 8;
        sums += sums >> 16;
        *word = (sums & 0xff).wrapping_sub(sums >> 32 & 0xff);
    }
}

/// See [`crate::Kernel::lift`].
#[inline(always)]
pub(crate) fn lift<L: Lanes>(lanes: L, m: &Modulus, out: &mut [u64], small: &[i64]) {
    debug_assert_small(m, out, small);
    let ring = lanes.ring(m);
    for (out, small) in lines_mut(out).iter_mut().zip(lines(as_words(small))) {
        lanes.store(out, lanes.lift(ring, lanes.load(small)));
    }
}

/// See [`crate::Kernel::mul_small_add_assign`].
#[inline(always)]
pub(crate) fn mul_small_add_assign<L: Lanes>(
    lanes: L,
    m: &Modulus,
    acc: &mut [u64],
    small: &[i64],
    c: &Constant,
) {
    debug_assert_small(m, acc, small);
    let (ring, factor) = (lanes.ring(m), lanes.factor(c.pair(L::FORM)));
    for (acc, small) in lines_mut(acc).iter_mut().zip(lines(as_words(small))) {
        let lifted = lanes.lift(ring, lanes.load(small));
        let product = lanes.multiply(ring, lanes.residues(lifted), factor);
        let product = lanes.canonical(ring, lanes.lazy(ring, product));
        lanes.store(acc, lanes.add(ring, lanes.load(acc), product));
    }
}

/// As many integers as residues, all below the modulus in magnitude.
#[inline(always)]
fn debug_assert_small(m: &Modulus, row: &[u64], small: &[i64]) {
    debug_assert_rows([row, as_words(small)]);
    debug_assert!(
        small.iter().all(|c| c.unsigned_abs() < m.value()),
        "a value is not below the modulus"
    );
}
