//! The last six levels of a transform, within a group of 64 values.
//!
//! A group is a matrix of eight rows, its lines. Three levels act between rows. The last three act
//! within a row; after a transposition, which is not undone, they act between rows as well.

use super::butterflies::{
    broadcast, merge, merge_4, merge_4_odd, merge_8, split, split_4, split_4_odd, split_8,
};
use super::fetch::{Fetch, advance};
use super::lanes::{Complex, Doubles};
use super::octet::Line;
use super::product::ProductShape;
use super::shared::{Group, first_row};
use super::table::Tail;
use super::tail_by_fours;
use super::tail_rows::{Rows, even_roots, fourth_root, load_rows, odd_roots, store_rows};

/// All rows of a group, whole.
const ALL: Rows = Rows { first: 0, step: 1, part: 0 };

/// See [`super::SharedParts::tails_down`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn tails_down<D: Doubles>(
    d: D,
    tails: &[Tail],
    lines: &mut [Line],
    fetch: Option<&Fetch<'_>>,
) {
    for (group, tail) in lines.as_chunks_mut().0.iter_mut().zip(tails) {
        tail_down(d, tail, group);
        advance(d, fetch, 8);
    }
}

/// See [`super::SharedParts::tails_up`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn tails_up<D: Doubles>(
    d: D,
    tails: &[Tail],
    lines: &mut [Line],
    fetch: Option<&Fetch<'_>>,
) {
    for (group, tail) in lines.as_chunks_mut().0.iter_mut().zip(tails) {
        tail_up(d, tail, group);
        advance(d, fetch, 8);
    }
}

/// See [`super::SharedParts::group_down`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn group_down<D: Doubles>(d: D, tail: &Tail, group: &mut Group<'_>, rows: usize) {
    for row in 0..rows {
        tail_down(d, tail, group.row(row));
    }
}

/// See [`super::SharedParts::group_up`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn group_up<D: Doubles>(d: D, tail: &Tail, group: &mut Group<'_>, shape: &ProductShape) {
    for column in 0..shape.columns() {
        tail_up(d, tail, group.row(first_row(shape, column)));
    }
}

/// Computes the last six levels of a forward transform in one group.
#[cfg_attr(optimized, inline(always))]
fn tail_down<D: Doubles>(d: D, tail: &Tail, group: &mut [Line; 8]) {
    // Four lanes have half of the registers that eight values and their factors take.
    if D::PARTS > 1 {
        return tail_by_fours::down(d, tail, group);
    }
    let x = split_8(d, load_rows(d, group, ALL), broadcast(d, &tail.rows));
    // After the transposition, values that were in one row are in one lane, so that the last three
    // levels act between rows too.
    let [a, b, c, e, f, g, h, i] = transpose(d, x);
    let r = fourth_root(d, tail);
    let ((a, f), (b, g)) = (split(d, a, f, r), split(d, b, g, r));
    let ((c, h), (e, i)) = (split(d, c, h, r), split(d, e, i, r));
    let [a, b, c, e] = split_4(d, [a, b, c, e], even_roots(d, tail, 0));
    let [f, g, h, i] = split_4_odd(d, [f, g, h, i], odd_roots(d, tail, 0));
    store_rows(d, group, ALL, [a, b, c, e, f, g, h, i]);
}

/// Computes the first six levels of an inverse transform in one group.
#[cfg_attr(optimized, inline(always))]
fn tail_up<D: Doubles>(d: D, tail: &Tail, group: &mut [Line; 8]) {
    if D::PARTS > 1 {
        return tail_by_fours::up(d, tail, group);
    }
    let [a, b, c, e, f, g, h, i] = load_rows(d, group, ALL);
    let [a, b, c, e] = merge_4(d, [a, b, c, e], even_roots(d, tail, 0));
    let [f, g, h, i] = merge_4_odd(d, [f, g, h, i], odd_roots(d, tail, 0));
    let r = fourth_root(d, tail);
    let ((a, f), (b, g)) = (merge(d, a, f, r), merge(d, b, g, r));
    let ((c, h), (e, i)) = (merge(d, c, h, r), merge(d, e, i, r));
    let x = transpose(d, [a, b, c, e, f, g, h, i]);
    store_rows(d, group, ALL, merge_8(d, x, broadcast(d, &tail.rows)));
}

#[cfg_attr(optimized, inline(always))]
fn transpose<D: Doubles>(d: D, x: [Complex<D>; 8]) -> [Complex<D>; 8] {
    let re = d.transpose([x[0].0, x[1].0, x[2].0, x[3].0, x[4].0, x[5].0, x[6].0, x[7].0]);
    let im = d.transpose([x[0].1, x[1].1, x[2].1, x[3].1, x[4].1, x[5].1, x[6].1, x[7].1]);
    let [a, b, c, e, f, g, h, i] = re;
    let [p, q, r, s, t, u, v, w] = im;
    [(a, p), (b, q), (c, r), (e, s), (f, t), (g, u), (h, v), (i, w)]
}
