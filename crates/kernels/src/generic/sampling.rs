//! Small secret integers: sampling from uniform words, and conversion to residues.

use crate::lanes::Lanes;
use crate::line::{debug_assert_rows, lines, lines_mut};
use crate::row::{as_words, as_words_mut};
use crate::{Constant, Modulus};

/// Computes [`crate::Kernel::count_above_assign`]; eight lines at a time share the load of a
/// threshold.
#[cfg_attr(optimized, inline(always))]
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

/// Computes [`crate::Kernel::weight_differences`]. The compiler vectorises these loops, since the
/// caller has enabled the instruction set.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn weight_differences<L: Lanes>(_: L, row: &mut [u64]) {
    debug_assert_rows([row]);
    let third = row.len().div_ceil(3);
    let (words, others) = row.split_at_mut(2 * third);
    let (first, second) = words.split_at(third);
    for (other, (a, b)) in others.iter_mut().zip(first.iter().zip(second)) {
        *other = weight_difference(a >> 42, b >> 42);
    }
    for word in words {
        *word = weight_difference(*word, *word >> 21);
    }
}

/// Returns the Hamming weight of the low 21 bits of `a` minus that of `b`. Computes both in the
/// halves of one word by sums of pairs, nibbles and bytes, because few vector instruction sets
/// count bits.
#[cfg_attr(optimized, inline(always))]
fn weight_difference(a: u64, b: u64) -> u64 {
    const GROUP: u64 = (1 << 21) - 1;
    let mut sums = a & GROUP | (b & GROUP) << 32;
    sums -= sums >> 1 & 0x5555_5555_5555_5555;
    sums = (sums & 0x3333_3333_3333_3333) + (sums >> 2 & 0x3333_3333_3333_3333);
    sums = (sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    sums += sums >> 8;
    sums += sums >> 16;
    (sums & 0xff).wrapping_sub(sums >> 32 & 0xff)
}

/// Computes [`crate::Kernel::ternary_digits`]; vectorised like [`weight_differences`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn ternary_digits<L: Lanes>(_: L, row: &mut [u64]) {
    const BITS: u32 = 62;
    debug_assert_rows([row]);
    let (lower, upper) = row.split_at_mut(row.len() / 2);
    let (first, second) = lower.split_at_mut(lower.len() / 2);
    let (third, fourth) = upper.split_at_mut(upper.len() / 2);
    for (((a, b), c), d) in first.iter_mut().zip(second).zip(third).zip(fourth) {
        let mut fraction = *a >> (64 - BITS);
        for digit in [a, b, c, d] {
            let tripled = 3 * fraction;
            *digit = (tripled >> BITS).wrapping_sub(1);
            fraction = tripled & ((1 << BITS) - 1);
        }
    }
}

/// Computes [`crate::Kernel::mul_constant_centered`]: with `h = (q - 1) / 2` the representative of
/// `x` is `(x + h mod q) - h`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn mul_constant_centered<L: Lanes>(
    lanes: L,
    m: &Modulus,
    out: &mut [i64],
    a: &[u64],
    c: &Constant,
) {
    debug_assert_rows([as_words(out), a]);
    let (ring, factor) = (lanes.ring(m), lanes.factor(c.pair(L::FORM)));
    let half = lanes.splat(m.value() / 2);
    for (out, a) in lines_mut(as_words_mut(out)).iter_mut().zip(lines(a)) {
        let product = lanes.multiply(ring, lanes.residues(lanes.load(a)), factor);
        let product = lanes.canonical(ring, lanes.lazy(ring, product));
        lanes.store(out, lanes.minus(lanes.add(ring, product, half), half));
    }
}

/// Computes [`crate::Kernel::center_beside_assign`]: the centred representative of `x` is
/// `(x + h mod q) - h` with `h = (q - 1) / 2`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn center_beside_assign<L: Lanes>(
    lanes: L,
    m: &Modulus,
    row: &mut [u64],
    small: &[i64],
) {
    debug_assert_small(m, row, small);
    let (ring, half) = (lanes.ring(m), lanes.splat(m.value() / 2));
    for (line, small) in lines_mut(row).iter_mut().zip(lines(as_words(small))) {
        let small = lanes.load(small);
        let sum = lanes.add(ring, lanes.load(line), lanes.lift(ring, small));
        let centered = lanes.minus(lanes.add(ring, sum, half), half);
        lanes.store(line, lanes.minus(centered, small));
    }
}

/// See [`crate::Kernel::lift`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn lift<L: Lanes>(lanes: L, m: &Modulus, out: &mut [u64], small: &[i64]) {
    debug_assert_small(m, out, small);
    let ring = lanes.ring(m);
    for (out, small) in lines_mut(out).iter_mut().zip(lines(as_words(small))) {
        lanes.store(out, lanes.lift(ring, lanes.load(small)));
    }
}

/// See [`crate::Kernel::mul_small_add_assign`].
#[cfg_attr(optimized, inline(always))]
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

/// Asserts in debug builds that there are as many integers as residues, with absolute values below
/// the modulus.
#[cfg_attr(optimized, inline(always))]
fn debug_assert_small(m: &Modulus, row: &[u64], small: &[i64]) {
    debug_assert_rows([row, as_words(small)]);
    debug_assert!(
        small.iter().all(|c| c.unsigned_abs() < m.value()),
        "a value is not below the modulus"
    );
}
