//! The last six levels of a group of 64 values in vectors of four lanes.
//!
//! Eight of these vectors and their factors exceed 16 registers, so four are processed at a time,
//! for two levels, in three stages through memory. The fourth level acts between the halves of a
//! row before the transposition instead of after it; the arithmetic is the same.

use super::butterflies::{
    broadcast, merge, merge_4, merge_4_odd, merge_odd, split, split_4, split_4_odd, split_odd,
};
use super::lanes::{Complex, Doubles, load, store};
use super::octet::Line;
use super::table::Tail;
use super::tail_rows::{Rows, even_roots, load_rows, odd_roots, store_rows};
use std::hint::black_box;

/// Ends a stage: the next one reads its values and roots from memory. Otherwise the compiler would
/// keep stored values in registers, exceed the available ones, and spill.
#[cfg_attr(optimized, inline(always))]
fn next_stage<'a, 'b>(tail: &'a Tail, group: &'b mut [Line; 8]) -> (&'a Tail, &'b mut [Line; 8]) {
    black_box((tail, group))
}

/// Computes the last six levels of a forward transform in one group.
#[cfg_attr(optimized, inline(always))]
pub(super) fn down<D: Doubles>(d: D, tail: &Tail, group: &mut [Line; 8]) {
    let roots = broadcast(d, &tail.rows);
    for part in 0..2 {
        for i in 0..2 {
            let rows = Rows { first: i, step: 2, part };
            let x = split_4(d, load_rows(d, group, rows), roots);
            store_rows(d, group, rows, x);
        }
    }
    let (tail, group) = next_stage(tail, group);
    let [_, _, _, t, u] = broadcast(d, &tail.rows);
    for (pair, t) in [(0, t), (2, u)] {
        let [a, b, c, e] = load_pair(d, group, pair);
        let ((a, c), (b, e)) = (split(d, a, c, t), split(d, b, e, t));
        store_pair(d, group, pair, split_pair(d, tail, pair, [a, b, c, e]));
        let [a, b, c, e] = load_pair(d, group, pair + 1);
        let ((a, c), (b, e)) = (split_odd(d, a, c, t), split_odd(d, b, e, t));
        store_pair(d, group, pair + 1, split_pair(d, tail, pair + 1, [a, b, c, e]));
    }
    let (tail, group) = next_stage(tail, group);
    // A block at row half `i` and column half `j` moves to row half `j` and column half `i`.
    let x = last_levels(d, tail, load_four(d, group, Quarter::UPPER_LEFT), Quarter::UPPER_LEFT);
    store_four(d, group, Quarter::UPPER_LEFT, x);
    let x = last_levels(d, tail, load_four(d, group, Quarter::LOWER_RIGHT), Quarter::LOWER_RIGHT);
    store_four(d, group, Quarter::LOWER_RIGHT, x);
    let x = last_levels(d, tail, load_four(d, group, Quarter::UPPER_RIGHT), Quarter::LOWER_LEFT);
    let y = load_four(d, group, Quarter::LOWER_LEFT);
    store_four(d, group, Quarter::LOWER_LEFT, x);
    store_four(d, group, Quarter::UPPER_RIGHT, last_levels(d, tail, y, Quarter::UPPER_RIGHT));
}

/// Computes the first six levels of an inverse transform in one group.
#[cfg_attr(optimized, inline(always))]
pub(super) fn up<D: Doubles>(d: D, tail: &Tail, group: &mut [Line; 8]) {
    let x = first_levels(d, tail, load_four(d, group, Quarter::UPPER_LEFT), Quarter::UPPER_LEFT);
    store_four(d, group, Quarter::UPPER_LEFT, x);
    let x = first_levels(d, tail, load_four(d, group, Quarter::LOWER_RIGHT), Quarter::LOWER_RIGHT);
    store_four(d, group, Quarter::LOWER_RIGHT, x);
    let x = first_levels(d, tail, load_four(d, group, Quarter::UPPER_RIGHT), Quarter::UPPER_RIGHT);
    let y = load_four(d, group, Quarter::LOWER_LEFT);
    store_four(d, group, Quarter::LOWER_LEFT, x);
    store_four(d, group, Quarter::UPPER_RIGHT, first_levels(d, tail, y, Quarter::LOWER_LEFT));
    let (tail, group) = next_stage(tail, group);
    let [_, _, _, t, u] = broadcast(d, &tail.rows);
    for (pair, t) in [(0, t), (2, u)] {
        let [a, b, c, e] = merge_pair(d, tail, pair, load_pair(d, group, pair));
        let ((a, c), (b, e)) = (merge(d, a, c, t), merge(d, b, e, t));
        store_pair(d, group, pair, [a, b, c, e]);
        let [a, b, c, e] = merge_pair(d, tail, pair + 1, load_pair(d, group, pair + 1));
        let ((a, c), (b, e)) = (merge_odd(d, a, c, t), merge_odd(d, b, e, t));
        store_pair(d, group, pair + 1, [a, b, c, e]);
    }
    let (tail, group) = next_stage(tail, group);
    let roots = broadcast(d, &tail.rows);
    for part in 0..2 {
        for i in 0..2 {
            let rows = Rows { first: i, step: 2, part };
            let x = merge_4(d, load_rows(d, group, rows), roots);
            store_rows(d, group, rows, x);
        }
    }
}

/// Loads both halves of two rows.
#[cfg_attr(optimized, inline(always))]
fn load_pair<D: Doubles>(d: D, group: &[Line; 8], pair: usize) -> [Complex<D>; 4] {
    let [upper, lower] = &group.as_chunks::<2>().0[pair];
    [load(d, upper, 0), load(d, upper, 1), load(d, lower, 0), load(d, lower, 1)]
}

/// Stores the values that [`load_pair`] loads, at the same places.
#[cfg_attr(optimized, inline(always))]
fn store_pair<D: Doubles>(d: D, group: &mut [Line; 8], pair: usize, [a, b, c, e]: [Complex<D>; 4]) {
    let [upper, lower] = &mut group.as_chunks_mut::<2>().0[pair];
    store(d, upper, 0, a);
    store(d, upper, 1, b);
    store(d, lower, 0, c);
    store(d, lower, 1, e);
}

/// Computes the fourth level of a forward transform, between the halves of two rows.
#[cfg_attr(optimized, inline(always))]
fn split_pair<D: Doubles>(
    d: D,
    tail: &Tail,
    pair: usize,
    [a, b, c, e]: [Complex<D>; 4],
) -> [Complex<D>; 4] {
    let (a, b) = split(d, a, b, row_root(d, tail, 2 * pair));
    let (c, e) = split(d, c, e, row_root(d, tail, 2 * pair + 1));
    [a, b, c, e]
}

/// Inverts [`split_pair`] up to a factor.
#[cfg_attr(optimized, inline(always))]
fn merge_pair<D: Doubles>(
    d: D,
    tail: &Tail,
    pair: usize,
    [a, b, c, e]: [Complex<D>; 4],
) -> [Complex<D>; 4] {
    let (a, b) = merge(d, a, b, row_root(d, tail, 2 * pair));
    let (c, e) = merge(d, c, e, row_root(d, tail, 2 * pair + 1));
    [a, b, c, e]
}

/// Returns the root of the fourth level in one row, in every lane.
#[cfg_attr(optimized, inline(always))]
fn row_root<D: Doubles>(d: D, tail: &Tail, row: usize) -> Complex<D> {
    let root = &tail.lanes[0];
    (d.splat(root.re[row]), d.splat(root.im[row]))
}

/// A block of four by four values: half of the rows, and half of the columns, one part of each row.
#[derive(Clone, Copy)]
struct Quarter {
    half: usize,
    part: usize,
}

impl Quarter {
    const UPPER_LEFT: Quarter = Quarter { half: 0, part: 0 };
    const UPPER_RIGHT: Quarter = Quarter { half: 0, part: 1 };
    const LOWER_LEFT: Quarter = Quarter { half: 1, part: 0 };
    const LOWER_RIGHT: Quarter = Quarter { half: 1, part: 1 };
}

/// Loads a block.
#[cfg_attr(optimized, inline(always))]
fn load_four<D: Doubles>(
    d: D,
    group: &[Line; 8],
    Quarter { half, part }: Quarter,
) -> [Complex<D>; 4] {
    load_rows(d, group, Rows { first: 4 * half, step: 1, part })
}

/// Stores the values that [`load_four`] loads, at the same places.
#[cfg_attr(optimized, inline(always))]
fn store_four<D: Doubles>(
    d: D,
    group: &mut [Line; 8],
    Quarter { half, part }: Quarter,
    x: [Complex<D>; 4],
) {
    store_rows(d, group, Rows { first: 4 * half, step: 1, part }, x);
}

#[cfg_attr(optimized, inline(always))]
fn transpose<D: Doubles>(d: D, [a, b, c, e]: [Complex<D>; 4]) -> [Complex<D>; 4] {
    let [a, b, c, e, f, g, h, i] = d.transpose([a.0, b.0, c.0, e.0, a.1, b.1, c.1, e.1]);
    [(a, f), (b, g), (c, h), (e, i)]
}

/// Computes the last two levels of a forward transform of a block and transposes it, so that it
/// moves to the given quarter.
#[cfg_attr(optimized, inline(always))]
fn last_levels<D: Doubles>(
    d: D,
    tail: &Tail,
    x: [Complex<D>; 4],
    Quarter { half, part }: Quarter,
) -> [Complex<D>; 4] {
    let x = transpose(d, x);
    if half == 0 {
        split_4(d, x, even_roots(d, tail, part))
    } else {
        split_4_odd(d, x, odd_roots(d, tail, part))
    }
}

/// Inverts [`last_levels`] up to a factor.
#[cfg_attr(optimized, inline(always))]
fn first_levels<D: Doubles>(
    d: D,
    tail: &Tail,
    x: [Complex<D>; 4],
    Quarter { half, part }: Quarter,
) -> [Complex<D>; 4] {
    let x = if half == 0 {
        merge_4(d, x, even_roots(d, tail, part))
    } else {
        merge_4_odd(d, x, odd_roots(d, tail, part))
    };
    transpose(d, x)
}
