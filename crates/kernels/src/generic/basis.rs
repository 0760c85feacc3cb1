//! Base conversion and permutation.

use crate::lanes::Lanes;
use crate::line::{Line, debug_assert_rows, lines, lines_mut};
use crate::row::as_words;
use crate::{Constant, Modulus};

/// Number of lines whose sums are kept in registers at the same time.
const STRIP: usize = 4;

/// See [`crate::Kernel::round_quotient`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn round_quotient<L: Lanes>(
    lanes: L,
    out: &mut [u64],
    sources: &[&[u64]],
    inverses: &[f64],
) {
    debug_assert!(sources.len() == inverses.len(), "an inverse is missing");
    for source in sources {
        debug_assert_rows([&*out, source]);
    }
    // The sum starts from 1/2, so that its floor is the nearest integer.
    let half = lanes.floats(0.5);
    for (at, out) in lines_mut(out).iter_mut().enumerate() {
        let mut sum = half;
        for (source, &inverse) in sources.iter().zip(inverses) {
            let words = lanes.load(&lines(source)[at]);
            // Multiplied, then added, never fused: the quotient has to be the same on every kernel.
            sum = lanes.weigh(sum, words, lanes.floats(inverse));
        }
        lanes.store(out, lanes.floor(sum));
    }
}

/// See [`crate::Kernel::base_convert`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn base_convert<L: Lanes>(
    lanes: L,
    m: &Modulus,
    out: &mut [u64],
    sources: &[&[u64]],
    weights: &[u64],
) {
    base_convert_small(lanes, m, out, sources, &[], weights);
}

/// See [`crate::Kernel::base_convert_small`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn base_convert_small<L: Lanes>(
    lanes: L,
    m: &Modulus,
    out: &mut [u64],
    sources: &[&[u64]],
    small: &[&[i64]],
    weights: &[u64],
) {
    debug_assert!(sources.len() + small.len() == weights.len(), "a weight is missing");
    for source in sources.iter().copied().chain(small.iter().map(|row| as_words(row))) {
        debug_assert_rows([&*out, source]);
    }
    let (ring, zero, max_terms) = (lanes.ring(m), lanes.splat(0), L::max_terms(m));
    let (source_weights, small_weights) = weights.split_at(sources.len());
    for (at, out) in out.as_chunks_mut().0.as_chunks_mut::<STRIP>().0.iter_mut().enumerate() {
        let mut sums = [lanes.sum(zero); STRIP];
        let mut room = max_terms;
        for (source, &weight) in sources.iter().zip(source_weights) {
            make_room::<L>(lanes, ring, &mut sums, &mut room, max_terms);
            let weight = lanes.residues(lanes.splat(weight));
            let strip: &[Line; STRIP] = &lines(source).as_chunks().0[at];
            for (sum, line) in sums.iter_mut().zip(strip) {
                *sum = lanes.accumulate(ring, *sum, lanes.residues(lanes.load(line)), weight);
            }
        }
        for (small, &weight) in small.iter().zip(small_weights) {
            make_room::<L>(lanes, ring, &mut sums, &mut room, max_terms);
            let weight = lanes.residues(lanes.splat(weight));
            let strip: &[Line; STRIP] = &lines(as_words(small)).as_chunks().0[at];
            for (sum, line) in sums.iter_mut().zip(strip) {
                // Small integers have a sign; the lift adds the modulus to the negative ones
                // without a branch, because they may be secret.
                let words = lanes.lift(ring, lanes.load(line));
                *sum = lanes.accumulate(ring, *sum, lanes.residues(words), weight);
            }
        }
        for (line, sum) in out.iter_mut().zip(sums) {
            lanes.store(line, lanes.reduce(ring, sum));
        }
    }
}

/// Reduces the sums if one more product would not fit.
#[cfg_attr(optimized, inline(always))]
fn make_room<L: Lanes>(
    lanes: L,
    ring: L::Ring,
    sums: &mut [L::Sum; STRIP],
    room: &mut usize,
    max_terms: usize,
) {
    if *room == 0 {
        for sum in sums {
            *sum = lanes.sum(lanes.reduce(ring, *sum));
        }
        *room = max_terms;
    }
    *room -= 1;
}

/// See [`crate::Kernel::mod_down_assign`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn mod_down_assign<L: Lanes>(
    lanes: L,
    m: &Modulus,
    acc: &mut [u64],
    delta: &[u64],
    inverse: &Constant,
    addend: Option<(&[u64], &Constant)>,
) {
    debug_assert_rows([acc, delta]);
    let (ring, inverse) = (lanes.ring(m), lanes.factor(inverse.pair(L::FORM)));
    let rows = lines_mut(acc).iter_mut().zip(lines(delta));
    let Some((addend, factor)) = addend else {
        for (acc, delta) in rows {
            lanes.store(acc, quotient(lanes, ring, [acc, delta], inverse));
        }
        return;
    };
    let factor = lanes.factor(factor.pair(L::FORM));
    for ((acc, delta), addend) in rows.zip(lines(addend)) {
        let product = lanes.multiply(ring, lanes.residues(lanes.load(addend)), factor);
        // Both summands have to be canonical for the sum to take one conditional subtraction.
        let product = lanes.canonical(ring, lanes.lazy(ring, product));
        let quotient = quotient(lanes, ring, [acc, delta], inverse);
        lanes.store(acc, lanes.add(ring, quotient, product));
    }
}

/// Returns `(acc - delta) inverse`, canonical.
#[cfg_attr(optimized, inline(always))]
fn quotient<L: Lanes>(
    lanes: L,
    ring: L::Ring,
    [acc, delta]: [&Line; 2],
    inverse: L::Factor,
) -> L::Words {
    let acc = lanes.residues(lanes.load(acc));
    // The difference is raised by a multiple of q instead of reduced: the multiplication accepts it
    // as it is.
    let (_, difference) = lanes.split(ring, acc, lanes.residues(lanes.load(delta)));
    let product = lanes.multiply(ring, difference, inverse);
    lanes.canonical(ring, lanes.lazy(ring, product))
}

/// Computes [`crate::Kernel::permute`] with one load per word, because gather instructions are
/// slower.
pub(crate) fn permute(out: &mut [u64], a: &[u64], indices: &[u32]) {
    debug_assert_rows([out, a]);
    debug_assert!(out.len() == indices.len(), "an index is missing");
    for (word, &index) in out.iter_mut().zip(indices) {
        *word = a[index as usize];
    }
}
