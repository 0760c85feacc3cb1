//! Sums of products, accumulated without reduction and reduced once.
//!
//! Rows are walked in strips of four lines whose sums stay in registers while the terms go by.
//! Where there are more terms than a sum can hold ([`Lanes::max_terms`]), it is reduced in between.

use super::{debug_assert_rows, lines};
use crate::lanes::{Lanes, Line};
use crate::{Modulus, TensorRows};

/// Lines of a strip.
const STRIP: usize = 4;
type Strip = [Line; STRIP];

/// The strips of a row.
#[inline(always)]
fn strips(row: &[u64]) -> &[Strip] {
    row.as_chunks().0.as_chunks().0
}

#[inline(always)]
fn strips_mut(row: &mut [u64]) -> &mut [Strip] {
    row.as_chunks_mut().0.as_chunks_mut().0
}

/// See [`crate::Kernel::dot`].
#[inline(always)]
pub(crate) fn dot<L: Lanes>(lanes: L, m: &Modulus, out: &mut [u64], x: &[&[u64]], k: &[&[u64]]) {
    debug_assert!(x.len() == k.len(), "a factor is missing");
    fused(lanes, m, [out], x, [k]);
}

/// See [`crate::Kernel::dot_pair`].
#[inline(always)]
pub(crate) fn dot_pair<L: Lanes>(
    lanes: L,
    m: &Modulus,
    out: [&mut [u64]; 2],
    x: &[&[u64]],
    k: [&[&[u64]]; 2],
) {
    debug_assert!(k.iter().all(|k| k.len() == x.len()), "a factor is missing");
    fused(lanes, m, out, x, k);
}

/// `H` sums of products with the same left factors.
#[inline(always)]
fn fused<L: Lanes, const H: usize>(
    lanes: L,
    m: &Modulus,
    out: [&mut [u64]; H],
    x: &[&[u64]],
    k: [&[&[u64]]; H],
) {
    let len = out[0].len();
    for row in x.iter().chain(k.iter().copied().flatten()) {
        debug_assert_rows([&*out[0], row]);
    }
    let (ring, zero, max_terms) = (lanes.ring(m), lanes.splat(0), L::max_terms(m));
    let mut out = out.map(strips_mut);
    for at in 0..len / (8 * STRIP) {
        let mut sums = [[lanes.sum(zero); STRIP]; H];
        let mut room = max_terms;
        for j in 0..x.len() {
            if room == 0 {
                for sum in sums.as_flattened_mut() {
                    *sum = lanes.sum(lanes.reduce(ring, *sum));
                }
                room = max_terms;
            }
            room -= 1;
            let strip = &strips(x[j])[at];
            for (sums, k) in sums.iter_mut().zip(&k) {
                let factors = &strips(k[j])[at];
                for i in 0..STRIP {
                    let a = lanes.residues(lanes.load(&strip[i]));
                    let b = lanes.residues(lanes.load(&factors[i]));
                    sums[i] = lanes.accumulate(ring, sums[i], a, b);
                }
            }
        }
        for (out, sums) in out.iter_mut().zip(&sums) {
            for (line, &sum) in out[at].iter_mut().zip(sums) {
                lanes.store(line, lanes.canonical(ring, lanes.reduce(ring, sum)));
            }
        }
    }
}

/// See [`crate::Kernel::tensor`].
#[inline(always)]
pub(crate) fn tensor<L: Lanes>(
    lanes: L,
    m: &Modulus,
    out: [&mut [u64]; 3],
    pairs: &[TensorRows<'_>],
) {
    for TensorRows { a, b } in pairs {
        debug_assert_rows([&*out[0], &*out[1], &*out[2], a[0], a[1], b[0], b[1]]);
    }
    let (ring, zero, max_terms) = (lanes.ring(m), lanes.splat(0), L::max_terms(m));
    let [out0, out1, out2] = out.map(|row| row.as_chunks_mut().0);
    for (at, ((out0, out1), out2)) in out0.iter_mut().zip(out1).zip(out2).enumerate() {
        let mut sums = [lanes.sum(zero); 3];
        let mut room = max_terms;
        for TensorRows { a, b } in pairs {
            // The middle component gains two products.
            if room < 2 {
                for sum in &mut sums {
                    *sum = lanes.sum(lanes.reduce(ring, *sum));
                }
                room = max_terms;
            }
            room -= 2;
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
