//! Sums, differences and products of rows, word by word.

use crate::arrays;
use crate::lanes::Lanes;
use crate::line::{debug_assert_rows, lines, lines_mut};
use crate::{Constant, Form, Modulus};

/// See [`crate::Kernel::add`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn add<L: Lanes>(lanes: L, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert_rows([out, a, b]);
    let ring = lanes.ring(m);
    for ((out, a), b) in lines_mut(out).iter_mut().zip(lines(a)).zip(lines(b)) {
        lanes.store(out, lanes.add(ring, lanes.load(a), lanes.load(b)));
    }
}

/// See [`crate::Kernel::sub`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn sub<L: Lanes>(lanes: L, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert_rows([out, a, b]);
    let ring = lanes.ring(m);
    for ((out, a), b) in lines_mut(out).iter_mut().zip(lines(a)).zip(lines(b)) {
        lanes.store(out, lanes.sub(ring, lanes.load(a), lanes.load(b)));
    }
}

/// See [`crate::Kernel::neg`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn neg<L: Lanes>(lanes: L, m: &Modulus, out: &mut [u64], a: &[u64]) {
    debug_assert_rows([out, a]);
    let (ring, zero) = (lanes.ring(m), lanes.splat(0));
    for (out, a) in lines_mut(out).iter_mut().zip(lines(a)) {
        lanes.store(out, lanes.sub(ring, zero, lanes.load(a)));
    }
}

/// See [`crate::Kernel::add_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn add_assign<L: Lanes>(lanes: L, m: &Modulus, a: &mut [u64], b: &[u64]) {
    debug_assert_rows([a, b]);
    let ring = lanes.ring(m);
    for (a, b) in lines_mut(a).iter_mut().zip(lines(b)) {
        lanes.store(a, lanes.add(ring, lanes.load(a), lanes.load(b)));
    }
}

/// See [`crate::Kernel::sub_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn sub_assign<L: Lanes>(lanes: L, m: &Modulus, a: &mut [u64], b: &[u64]) {
    debug_assert_rows([a, b]);
    let ring = lanes.ring(m);
    for (a, b) in lines_mut(a).iter_mut().zip(lines(b)) {
        lanes.store(a, lanes.sub(ring, lanes.load(a), lanes.load(b)));
    }
}

/// See [`crate::Kernel::neg_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn neg_assign<L: Lanes>(lanes: L, m: &Modulus, a: &mut [u64]) {
    debug_assert_rows([a]);
    let (ring, zero) = (lanes.ring(m), lanes.splat(0));
    for a in lines_mut(a) {
        lanes.store(a, lanes.sub(ring, zero, lanes.load(a)));
    }
}

/// Returns `start + a b`, canonical.
#[cfg_attr(optimized, inline(always))]
fn product<L: Lanes>(lanes: L, ring: L::Ring, start: L::Words, [a, b]: [L::Words; 2]) -> L::Words {
    let sum = lanes.accumulate(ring, lanes.sum(start), lanes.residues(a), lanes.residues(b));
    lanes.canonical(ring, lanes.reduce(ring, sum))
}

/// See [`crate::Kernel::mul`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn mul<L: Lanes>(lanes: L, m: &Modulus, out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert_rows([out, a, b]);
    let (ring, zero) = (lanes.ring(m), lanes.splat(0));
    for ((out, a), b) in lines_mut(out).iter_mut().zip(lines(a)).zip(lines(b)) {
        lanes.store(out, product(lanes, ring, zero, [lanes.load(a), lanes.load(b)]));
    }
}

/// See [`crate::Kernel::mul_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn mul_assign<L: Lanes>(lanes: L, m: &Modulus, a: &mut [u64], b: &[u64]) {
    debug_assert_rows([a, b]);
    let (ring, zero) = (lanes.ring(m), lanes.splat(0));
    for (a, b) in lines_mut(a).iter_mut().zip(lines(b)) {
        lanes.store(a, product(lanes, ring, zero, [lanes.load(a), lanes.load(b)]));
    }
}

/// See [`crate::Kernel::mul_add_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn mul_add_assign<L: Lanes>(
    lanes: L,
    m: &Modulus,
    acc: &mut [u64],
    a: &[u64],
    b: &[u64],
) {
    debug_assert_rows([acc, a, b]);
    let ring = lanes.ring(m);
    for ((acc, a), b) in lines_mut(acc).iter_mut().zip(lines(a)).zip(lines(b)) {
        let words = [lanes.load(a), lanes.load(b)];
        lanes.store(acc, product(lanes, ring, lanes.load(acc), words));
    }
}

/// See [`crate::Kernel::mul_constant_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn mul_constant_assign<L: Lanes>(lanes: L, m: &Modulus, a: &mut [u64], c: &Constant) {
    debug_assert_rows([a]);
    let (ring, factor) = (lanes.ring(m), lanes.factor(c.pair(L::FORM)));
    for a in lines_mut(a) {
        let product = lanes.multiply(ring, lanes.residues(lanes.load(a)), factor);
        lanes.store(a, lanes.canonical(ring, lanes.lazy(ring, product)));
    }
}

/// See [`crate::Kernel::mul_constant_repeatedly_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn mul_constant_repeatedly_assign<L: Lanes>(
    lanes: L,
    m: &Modulus,
    a: &mut [u64],
    c: &Constant,
    times: usize,
) {
    debug_assert_rows([a]);
    // Eight vectors hide the latency of a product; general registers hold one line only.
    match L::FORM {
        Form::Shoup64 => repeatedly::<L, 1>(lanes, m, a, c, times),
        Form::Shoup52 => repeatedly::<L, 8>(lanes, m, a, c, times),
        Form::Ratio => repeatedly::<L, 4>(lanes, m, a, c, times),
    }
}

/// Multiplies `LINES` lines at a time.
#[cfg_attr(optimized, inline(always))]
fn repeatedly<L: Lanes, const LINES: usize>(
    lanes: L,
    m: &Modulus,
    a: &mut [u64],
    c: &Constant,
    times: usize,
) {
    let (ring, factor) = (lanes.ring(m), lanes.factor(c.pair(L::FORM)));
    for block in lines_mut(a).as_chunks_mut::<LINES>().0 {
        let mut values: [L::Residues; LINES] =
            arrays::from_fn(|at| lanes.residues(lanes.load(&block[at])));
        for _ in 0..times {
            for value in &mut values {
                *value = lanes.multiply(ring, *value, factor);
            }
        }
        for (line, value) in block.iter_mut().zip(values) {
            lanes.store(line, lanes.canonical(ring, lanes.lazy(ring, value)));
        }
    }
}

/// See [`crate::Kernel::mul_constant_add_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn mul_constant_add_assign<L: Lanes>(
    lanes: L,
    m: &Modulus,
    acc: &mut [u64],
    a: &[u64],
    c: &Constant,
) {
    debug_assert_rows([acc, a]);
    let (ring, factor) = (lanes.ring(m), lanes.factor(c.pair(L::FORM)));
    for (acc, a) in lines_mut(acc).iter_mut().zip(lines(a)) {
        let product = lanes.multiply(ring, lanes.residues(lanes.load(a)), factor);
        let product = lanes.canonical(ring, lanes.lazy(ring, product));
        lanes.store(acc, lanes.add(ring, lanes.load(acc), product));
    }
}
