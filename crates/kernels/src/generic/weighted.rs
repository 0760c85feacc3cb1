//! Sums of rows with integer weights: many sums of the same rows.
//!
//! A line of as many rows as a sum has room for is brought once into the form in which it is
//! multiplied. It fits the first-level cache and serves all sums, a few at a time.

use crate::Modulus;
use crate::lanes::Lanes;
use crate::line::{Line, debug_assert_rows, lines, lines_mut};

/// Most rows that are prepared at the same time: their parts fill half of a first-level cache.
const ROWS: usize = 128;

/// The parts of one line of a row: see [`Lanes::parts`].
type Parts = [Line; 2];

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
        out.fill(0);
    }
    // Eight vectors of sums are enough to hide the latency of a product.
    if L::is_wide(m) {
        sums_of::<L, 2, true>(lanes, m, out, rows, weights);
    } else {
        sums_of::<L, 4, false>(lanes, m, out, rows, weights);
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
    let carried = |order: u32| {
        let below = (0..order).fold(0, |sum, order| sum + (half << (bits * order)));
        (i128::from(weight) + below) >> (bits * order)
    };
    (carried(order) - (carried(order + 1) << bits)) as i64
}

#[cfg_attr(optimized, inline(always))]
fn sums_of<L: Lanes, const R: usize, const WIDE: bool>(
    lanes: L,
    m: &Modulus,
    out: &mut [&mut [u64]],
    rows: &[&[u64]],
    weights: &[&[i64]],
) {
    let tasks = tasks::<L>(m, weights);
    let room = L::max_weighted(m).min(ROWS);
    let mut parts: [Parts; ROWS] = [[[0; 8]; 2]; ROWS];
    let mut factors = Vec::with_capacity(room * tasks.len().div_ceil(R));
    let count = out.first().map_or(0, |row| lines(row).len());
    for (number, rows) in rows.chunks(room).enumerate() {
        factors.clear();
        for tasks in tasks.chunks(R) {
            for at in (number * room..).take(rows.len()) {
                // The last tasks may be fewer, and are filled up with one of them.
                let mut digits = [0; R];
                for (i, bits) in digits.iter_mut().enumerate() {
                    let Task { sum, order, .. } = tasks[i.min(tasks.len() - 1)];
                    *bits = L::weight(m, digit(weights[sum][at], order, L::digit_bits(m)));
                }
                factors.push(digits);
            }
        }
        for at in 0..count {
            prepare::<L, WIDE>(lanes, (m, at), rows, &mut parts);
            let parts = &parts[..rows.len()];
            for (tasks, factors) in tasks.chunks(R).zip(factors.chunks(rows.len())) {
                add::<L, R, WIDE>(lanes, (m, at), (out, tasks), parts, factors);
            }
        }
    }
}

/// Splits line `at` of some rows into parts, and fetches the next one.
#[cfg_attr(optimized, inline(always))]
fn prepare<L: Lanes, const WIDE: bool>(
    lanes: L,
    (m, at): (&Modulus, usize),
    rows: &[&[u64]],
    parts: &mut [Parts; ROWS],
) {
    let ring = lanes.ring(m);
    for (row, [low, high]) in rows.iter().zip(parts) {
        let row = lines(row);
        if let Some(next) = row.get(at + 1) {
            lanes.prefetch(next);
        }
        let words = lanes.parts::<WIDE>(ring, lanes.load(&row[at]));
        lanes.store(low, words[0]);
        if WIDE {
            lanes.store(high, words[1]);
        }
    }
}

/// Adds the weighted sums of prepared lines to lines of the sums of up to `R` tasks. A sum has room
/// for all of them.
#[cfg_attr(optimized, inline(always))]
fn add<L: Lanes, const R: usize, const WIDE: bool>(
    lanes: L,
    (m, at): (&Modulus, usize),
    (out, tasks): (&mut [&mut [u64]], &[Task]),
    parts: &[Parts],
    factors: &[[u64; R]],
) {
    let (ring, base) = (lanes.ring(m), lanes.factor(m.constant(L::part_base(m)).pair(L::FORM)));
    let mut sums = [[lanes.sum(lanes.splat(0)); 2]; R];
    for ([low, high], factors) in parts.iter().zip(factors) {
        let words = [lanes.load(low), if WIDE { lanes.load(high) } else { lanes.splat(0) }];
        for i in 0..R {
            let factor = lanes.resume(lanes.splat(factors[i]));
            sums[i] = lanes.accumulate_weighted::<WIDE>(ring, sums[i], words, factor);
        }
    }
    for (task, sums) in tasks.iter().zip(sums) {
        let Task { sum, power, .. } = *task;
        let out = &mut lines_mut(out[sum])[at];
        let sum = lanes.canonical(ring, lanes.reduce_weighted::<WIDE>(ring, sums, base));
        let product = lanes.multiply(ring, lanes.residues(sum), lanes.factor(power));
        let product = lanes.canonical(ring, lanes.lazy(ring, product));
        lanes.store(out, lanes.add(ring, lanes.load(out), product));
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
