//! Sums of products, accumulated without reduction and reduced once.
//!
//! Rows are processed in strips of four lines, whose sums stay in registers during the loop over
//! the terms. If there are more terms than a sum can hold ([`Lanes::max_terms`]), it is reduced in
//! between.

use crate::arrays;
use crate::lanes::Lanes;
use crate::line::{Line, debug_assert_rows, lines};
use crate::{Modulus, TensorRows};

/// Number of lines in a strip.
const STRIP: usize = 4;
type Strip = [Line; STRIP];

/// Returns the strips of a row.
#[cfg_attr(optimized, inline(always))]
fn strips(row: &[u64]) -> &[Strip] {
    row.as_chunks().0.as_chunks().0
}

#[cfg_attr(optimized, inline(always))]
fn strips_mut(row: &mut [u64]) -> &mut [Strip] {
    row.as_chunks_mut().0.as_chunks_mut().0
}

/// See [`crate::Kernel::dot`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn dot<L: Lanes>(lanes: L, m: &Modulus, out: &mut [u64], x: &[&[u64]], k: &[&[u64]]) {
    debug_assert!(x.len() == k.len(), "a factor is missing");
    for row in x.iter().chain(k) {
        debug_assert_rows([&*out, row]);
    }
    let (ring, zero, max_terms) = (lanes.ring(m), lanes.splat(0), L::max_terms(m));
    for (at, out) in strips_mut(out).iter_mut().enumerate() {
        // All sums have equally many terms, so that one counter serves them.
        let mut sums = [lanes.sum(zero); STRIP];
        let mut room = max_terms;
        for (x, k) in x.iter().zip(k) {
            if room == 0 {
                for sum in &mut sums {
                    *sum = lanes.sum(lanes.reduce(ring, *sum));
                }
                room = max_terms;
            }
            room -= 1;
            let factors = strips(x)[at].iter().zip(&strips(k)[at]);
            for (sum, (x, k)) in sums.iter_mut().zip(factors) {
                let [x, k] = arrays::map([x, k], |line| lanes.residues(lanes.load(line)));
                *sum = lanes.accumulate(ring, *sum, x, k);
            }
        }
        for (line, sum) in out.iter_mut().zip(sums) {
            lanes.store(line, lanes.canonical(ring, lanes.reduce(ring, sum)));
        }
    }
}

/// Number of lines in a block, which is prefetched at once.
const BLOCK: usize = 8;

/// Number of blocks by which a prefetch is ahead of the arithmetic.
const AHEAD: usize = 2;

/// Number of words in a row from which the rows of two ciphertexts are likely to lie beyond the
/// second cache.
const FAR: usize = 1 << 13;

/// Prefetches block `at` of rows.
#[cfg_attr(optimized, inline(always))]
fn prefetch<'a, L: Lanes>(lanes: L, at: usize, rows: impl Iterator<Item = &'a &'a [u64]>) {
    for row in rows {
        let block = lines(row).as_chunks::<BLOCK>().0.get(at);
        block.into_iter().flatten().for_each(|line| lanes.prefetch(line));
    }
}

/// See [`crate::Kernel::tensor`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn tensor<L: Lanes>(
    lanes: L,
    m: &Modulus,
    out: [&mut [u64]; 3],
    pairs: &[TensorRows<'_>],
) {
    for TensorRows { a, b } in pairs {
        debug_assert_rows([&*out[0], &*out[1], &*out[2], a[0], a[1], b[0], b[1]]);
    }
    // The rows of several pairs are too many streams to prefetch without loss.
    if pairs.len() == 1 && out[0].len() >= FAR {
        tensor_of::<L, true>(lanes, m, out, pairs);
    } else {
        tensor_of::<L, false>(lanes, m, out, pairs);
    }
}

/// Computes [`tensor`], with prefetches of the operands or without.
#[cfg_attr(optimized, inline(always))]
fn tensor_of<L: Lanes, const PREFETCH: bool>(
    lanes: L,
    m: &Modulus,
    out: [&mut [u64]; 3],
    pairs: &[TensorRows<'_>],
) {
    let (ring, zero, max_terms) = (lanes.ring(m), lanes.splat(0), L::max_terms(m));
    let [out0, out1, out2] = out.map(|row| row.as_chunks_mut().0);
    for (at, ((out0, out1), out2)) in out0.iter_mut().zip(out1).zip(out2).enumerate() {
        let mut sums = [lanes.sum(zero); 3];
        let mut room = max_terms;
        for TensorRows { a, b } in pairs {
            // The middle component accumulates two products.
            if room < 2 {
                for sum in &mut sums {
                    *sum = lanes.sum(lanes.reduce(ring, *sum));
                }
                room = max_terms;
            }
            room -= 2;
            if PREFETCH && at.is_multiple_of(BLOCK) {
                // A whole block is requested at once and two blocks ahead. Line by line the
                // requests cost more than they save where the operands are in the second cache.
                prefetch(lanes, at / BLOCK + AHEAD, a.iter().chain(b));
            }
            let [a0, a1] = [
                lanes.residues(lanes.load(&lines(a[0])[at])),
                lanes.residues(lanes.load(&lines(a[1])[at])),
            ];
            let [b0, b1] = [
                lanes.residues(lanes.load(&lines(b[0])[at])),
                lanes.residues(lanes.load(&lines(b[1])[at])),
            ];
            sums[0] = lanes.accumulate(ring, sums[0], a0, b0);
            sums[1] = lanes.accumulate(ring, sums[1], a0, b1);
            sums[1] = lanes.accumulate(ring, sums[1], a1, b0);
            sums[2] = lanes.accumulate(ring, sums[2], a1, b1);
        }
        for (line, sum) in [out0, out1, out2].into_iter().zip(sums) {
            lanes.store(line, lanes.canonical(ring, lanes.reduce(ring, sum)));
        }
    }
}
