//! The rows and roots of a group of 64 values.

use super::lanes::{Complex, Doubles, load, store};
use super::octet::Line;
use super::table::Tail;

/// Returns the roots of the fourth level.
#[cfg_attr(optimized, inline(always))]
pub(super) fn fourth_root<D: Doubles>(d: D, tail: &Tail) -> Complex<D> {
    lane_root(d, tail, 0, 0)
}

/// Returns one part of the roots of the last two levels under an even node, for
/// [`super::butterflies::split_4`].
#[cfg_attr(optimized, inline(always))]
pub(super) fn even_roots<D: Doubles>(d: D, tail: &Tail, part: usize) -> [Complex<D>; 3] {
    [lane_root(d, tail, 1, part), lane_root(d, tail, 2, part), lane_root(d, tail, 3, part)]
}

/// Returns one part of the roots of the last two levels under an odd node, for
/// [`super::butterflies::split_4_odd`].
#[cfg_attr(optimized, inline(always))]
pub(super) fn odd_roots<D: Doubles>(d: D, tail: &Tail, part: usize) -> [Complex<D>; 3] {
    [lane_root(d, tail, 1, part), lane_root(d, tail, 4, part), lane_root(d, tail, 5, part)]
}

#[cfg_attr(optimized, inline(always))]
fn lane_root<D: Doubles>(d: D, tail: &Tail, index: usize, part: usize) -> Complex<D> {
    let root = &tail.lanes[index];
    (d.load(&root.re, part), d.load(&root.im, part))
}

/// One part of several rows: row `first` and others in steps of `step`.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) first: usize,
    pub(super) step: usize,
    pub(super) part: usize,
}

/// Loads one part of `R` rows.
#[cfg_attr(optimized, inline(always))]
pub(super) fn load_rows<D: Doubles, const R: usize>(
    d: D,
    group: &[Line; 8],
    Rows { first, step, part }: Rows,
) -> [Complex<D>; R] {
    let zero = d.splat(0.0);
    let mut x = [(zero, zero); R];
    for i in 0..R {
        x[i] = load(d, &group[first + step * i], part);
    }
    x
}

/// Stores the values that [`load_rows`] loads, at the same places.
#[cfg_attr(optimized, inline(always))]
pub(super) fn store_rows<D: Doubles, const R: usize>(
    d: D,
    group: &mut [Line; 8],
    Rows { first, step, part }: Rows,
    x: [Complex<D>; R],
) {
    for i in 0..R {
        store(d, &mut group[first + step * i], part, x[i]);
    }
}
