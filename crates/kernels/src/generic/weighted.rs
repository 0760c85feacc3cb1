//! Sums of rows with integer weights: many sums of the same rows.
//!
//! A few lines of as many rows as a sum has room for are brought once into the form in which they
//! are multiplied. They fit the first-level cache and serve all sums, a few at a time. Rows of
//! polynomials lie at distances of powers of two, so that no two of their lines can be kept in a
//! cache with many others: each line is read and written once.

use crate::Modulus;
use crate::lanes::Lanes;
use crate::line::{Line, debug_assert_rows, lines, lines_mut};

/// Most rows that are prepared at the same time.
const ROWS: usize = 64;
/// Most lines of a row that are prepared at the same time.
const LINES: usize = 4;

/// Prepared lines: the two parts of each row, see [`Lanes::parts`].
struct Prepared {
    low: [[Line; ROWS]; LINES],
    high: [[Line; ROWS]; LINES],
}

/// See [`crate::Kernel::weighted_sums`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn weighted_sums<L: Lanes>(
    lanes: L,
    m: &Modulus,
    out: &mut [&mut [u64]],
    rows: &[&[u64]],
    weights: &[&[i64]],
) {
    debug_assert!(out.len() == weights.len(), "a list of weights is missing");
    for (out, weights) in out.iter_mut().zip(weights) {
        debug_assert!(weights.len() == rows.len(), "a weight is missing");
        for row in rows {
            debug_assert_rows([&**out, row]);
        }
        // The digits of each order are added to the row separately, each times its power of the
        // base.
        out.fill(0);
    }
    // Eight vectors of sums are enough to hide the latency of a product.
    if L::is_wide(m) {
        sums_of::<L, 2, 2, true>(lanes, m, out, rows, weights);
    } else {
        sums_of::<L, 4, LINES, false>(lanes, m, out, rows, weights);
    }
}

/// The weights' digits of one order, for some rows of one sum.
struct Task {
    /// Index of the sum.
    sum: usize,
    /// The order's power of the base of digits.
    power: [u64; 2],
    /// Index of the order.
    order: u32,
}

/// Lists the orders of digits of every sum, as many as its largest weight has.
fn tasks<L: Lanes>(m: &Modulus, weights: &[&[i64]]) -> Vec<Task> {
    let bits = L::digit_bits(m);
    let mut tasks = Vec::new();
    for (sum, weights) in weights.iter().enumerate() {
        let most = weights.iter().map(|weight| weight.unsigned_abs()).max().unwrap_or(0);
        let mut power = 1;
        for order in 0.. {
            // Digits of lower orders reach up to half of the next power.
            let below = 1_u128 << (bits * order);
            if order > 0 && 2 * u128::from(most) < below {
                break;
            }
            tasks.push(Task { sum, power: m.constant(power).pair(L::FORM), order });
            power = m.mul(power, m.reduce(1 << bits));
        }
    }
    tasks
}

/// Returns the digit of an order of a weight, between plus and minus half of `2^bits`.
fn digit(weight: i64, order: u32, bits: u32) -> i64 {
    let half = 1_i128 << (bits - 1);
    // The lower digits, which are centred, carry where they are at least half of the base.
    // Half of the base at every lower order, added before the shift, is the carry of centred
    // digits.
    let carried = |order: u32| {
        let below = (0..order).fold(0, |sum, order| sum + (half << (bits * order)));
        (i128::from(weight) + below) >> (bits * order)
    };
    (carried(order) - (carried(order + 1) << bits)) as i64
}

/// Returns the digits of the weights of `rows` rows in the order in which they are used: for the
/// `room` rows that a sum has room for, for every `R` tasks, for each row. The last tasks may be
/// fewer, and are filled up with one of them.
fn factors<L: Lanes, const R: usize>(
    m: &Modulus,
    tasks: &[Task],
    weights: &[&[i64]],
    rows: usize,
    room: usize,
) -> Vec<[u64; R]> {
    let mut factors = Vec::with_capacity(rows * tasks.len().div_ceil(R));
    for first in (0..rows).step_by(room) {
        for tasks in tasks.chunks(R) {
            let range = first..rows.min(first + room);
            factors.extend(range.map(|at| {
                std::array::from_fn(|i| {
                    let Task { sum, order, .. } = tasks[i.min(tasks.len() - 1)];
                    L::weight(m, digit(weights[sum][at], order, L::digit_bits(m)))
                })
            }));
        }
    }
    factors
}

#[cfg_attr(optimized, inline(always))]
fn sums_of<L: Lanes, const R: usize, const B: usize, const WIDE: bool>(
    lanes: L,
    m: &Modulus,
    out: &mut [&mut [u64]],
    rows: &[&[u64]],
    weights: &[&[i64]],
) {
    let tasks = tasks::<L>(m, weights);
    // As many rows are prepared as a sum holds without a reduction, so that a reduction falls
    // between two groups of rows.
    let room = L::max_weighted(m).min(ROWS);
    let factors = factors::<L, R>(m, &tasks, weights, rows.len(), room);
    let groups = tasks.len().div_ceil(R);
    let mut prepared = Prepared { low: [[[0; 8]; ROWS]; LINES], high: [[[0; 8]; ROWS]; LINES] };
    let mut sums = vec![[[[0; 8]; R]; B]; groups];
    let count = out.first().map_or(0, |row| lines(row).len());
    for block in 0..count / B {
        sums.fill([[[0; 8]; R]; B]);
        let mut factors = factors.as_slice();
        for rows in rows.chunks(room) {
            prepare::<L, B, WIDE>(lanes, m, block, rows, &mut prepared);
            for sums in &mut sums {
                let (own, rest) = factors.split_at(rows.len());
                let parts = prepared.low.iter().zip(&prepared.high);
                for (sums, (low, high)) in sums.iter_mut().zip(parts) {
                    add::<L, R, WIDE>(lanes, m, sums, [low, high], own);
                }
                factors = rest;
            }
        }
        for (tasks, sums) in tasks.chunks(R).zip(&sums) {
            finish::<L, R, B>(lanes, m, block, out, tasks, sums);
        }
    }
}

/// Splits the lines of a block of some rows into parts.
#[cfg_attr(optimized, inline(always))]
fn prepare<L: Lanes, const B: usize, const WIDE: bool>(
    lanes: L,
    m: &Modulus,
    block: usize,
    rows: &[&[u64]],
    prepared: &mut Prepared,
) {
    let ring = lanes.ring(m);
    for (at, row) in rows.iter().enumerate() {
        let row = &lines(row).as_chunks::<B>().0[block];
        for (line, words) in row.iter().enumerate() {
            let parts = lanes.parts::<WIDE>(ring, lanes.load(words));
            lanes.store(&mut prepared.low[line][at], parts[0]);
            if WIDE {
                lanes.store(&mut prepared.high[line][at], parts[1]);
            }
        }
    }
}

/// Adds the weighted sums of prepared lines to `R` sums, canonical. A sum has room for all of them.
#[cfg_attr(optimized, inline(always))]
fn add<L: Lanes, const R: usize, const WIDE: bool>(
    lanes: L,
    m: &Modulus,
    out: &mut [Line; R],
    [low, high]: [&[Line]; 2],
    factors: &[[u64; R]],
) {
    let (ring, base) = (lanes.ring(m), lanes.factor(m.constant(L::part_base(m)).pair(L::FORM)));
    let mut sums = [[lanes.sum(lanes.splat(0)); 2]; R];
    for ((low, high), factors) in low.iter().zip(high).zip(factors) {
        let words = [lanes.load(low), if WIDE { lanes.load(high) } else { lanes.splat(0) }];
        for i in 0..R {
            let factor = lanes.resume(lanes.splat(factors[i]));
            sums[i] = lanes.accumulate_weighted::<WIDE>(ring, sums[i], words, factor);
        }
    }
    for i in 0..R {
        let sum = lanes.canonical(ring, lanes.reduce_weighted::<WIDE>(ring, sums[i], base));
        let sum = lanes.add(ring, lanes.load(&out[i]), sum);
        lanes.store(&mut out[i], sum);
    }
}

/// Adds the sums of digits, times the power of their order, to the lines of a block of the results.
#[cfg_attr(optimized, inline(always))]
fn finish<L: Lanes, const R: usize, const B: usize>(
    lanes: L,
    m: &Modulus,
    block: usize,
    out: &mut [&mut [u64]],
    tasks: &[Task],
    sums: &[[Line; R]; B],
) {
    let ring = lanes.ring(m);
    for (i, task) in tasks.iter().enumerate() {
        let power = lanes.factor(task.power);
        let out = &mut lines_mut(out[task.sum]).as_chunks_mut::<B>().0[block];
        for (out, sums) in out.iter_mut().zip(sums) {
            let product = lanes.multiply(ring, lanes.residues(lanes.load(&sums[i])), power);
            let product = lanes.canonical(ring, lanes.lazy(ring, product));
            let sum = lanes.add(ring, lanes.load(out), product);
            lanes.store(out, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_make_up_the_weights() {
        for bits in [15, 23] {
            for weight in [0, 1, -1, 1 << 14, -(1 << 22), 1 << 22, i64::MAX / 4, -(1 << 60) + 7] {
                let sum: i128 = (0..5)
                    .map(|order| i128::from(digit(weight, order, bits)) << (bits * order))
                    .sum();
                assert_eq!(sum, i128::from(weight), "{bits}");
                let within = |order| digit(weight, order, bits).abs() <= 1 << (bits - 1);
                assert!((0..5).all(within));
            }
        }
    }
}
