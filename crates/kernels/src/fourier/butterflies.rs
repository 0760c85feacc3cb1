//! Butterflies on two, four or eight values held in registers.
//!
//! A node splits `X^(2m) - r^2` into `X^m - r` and `X^m + r`: `(a, b)` becomes
//! `(a + r b, a - r b)`. With `r = re (1 + i ratio)` that is `t = (1 + i ratio) b` and `a +- re t`.
//! The root of an odd node is `i r`.

use super::lanes::{Complex, Doubles};
use super::table::{Root, Tail};

/// A root in every lane, or eight of them.
#[derive(Clone, Copy)]
pub(crate) struct Twiddle<D: Doubles> {
    re: D::Vector,
    ratio: D::Vector,
}

/// The roots of a block, one in every lane.
#[inline(always)]
pub(crate) fn broadcast<D: Doubles>(d: D, roots: &[Root; 4]) -> [Twiddle<D>; 4] {
    let [a, b, c, e] = roots;
    let splat = |root: &Root| Twiddle { re: d.splat(root.re), ratio: d.splat(root.ratio) };
    [splat(a), splat(b), splat(c), splat(e)]
}

/// The first three levels of a group of 64.
#[inline(always)]
pub(crate) fn row_roots<D: Doubles>(d: D, tail: &Tail) -> [Twiddle<D>; 4] {
    let [a, b, c, e, p, q, r, s] = tail.rows;
    [
        Twiddle { re: d.splat(a), ratio: d.splat(p) },
        Twiddle { re: d.splat(b), ratio: d.splat(q) },
        Twiddle { re: d.splat(c), ratio: d.splat(r) },
        Twiddle { re: d.splat(e), ratio: d.splat(s) },
    ]
}

/// The last three levels of a group of 64.
#[inline(always)]
pub(crate) fn lane_roots<D: Doubles>(d: D, tail: &Tail) -> [Twiddle<D>; 4] {
    let [a, b, c, e, p, q, r, s] = &tail.lanes;
    [
        Twiddle { re: d.load(a), ratio: d.load(p) },
        Twiddle { re: d.load(b), ratio: d.load(q) },
        Twiddle { re: d.load(c), ratio: d.load(r) },
        Twiddle { re: d.load(e), ratio: d.load(s) },
    ]
}

/// `(a + r b, a - r b)`.
#[inline(always)]
fn split<D: Doubles>(
    d: D,
    a: Complex<D>,
    b: Complex<D>,
    r: Twiddle<D>,
) -> (Complex<D>, Complex<D>) {
    let t = (d.sub_mul(b.0, r.ratio, b.1), d.add_mul(b.1, r.ratio, b.0));
    let sum = (d.add_mul(a.0, r.re, t.0), d.add_mul(a.1, r.re, t.1));
    let difference = (d.sub_mul(a.0, r.re, t.0), d.sub_mul(a.1, r.re, t.1));
    (sum, difference)
}

/// `(a + i r b, a - i r b)`.
#[inline(always)]
fn split_odd<D: Doubles>(
    d: D,
    a: Complex<D>,
    b: Complex<D>,
    r: Twiddle<D>,
) -> (Complex<D>, Complex<D>) {
    let t = (d.sub_mul(b.0, r.ratio, b.1), d.add_mul(b.1, r.ratio, b.0));
    let sum = (d.sub_mul(a.0, r.re, t.1), d.add_mul(a.1, r.re, t.0));
    let difference = (d.add_mul(a.0, r.re, t.1), d.sub_mul(a.1, r.re, t.0));
    (sum, difference)
}

/// Twice the inverse of [`split`]: `(x + y, (x - y) / r)`, where `1/r` is the conjugate.
#[inline(always)]
fn merge<D: Doubles>(
    d: D,
    x: Complex<D>,
    y: Complex<D>,
    r: Twiddle<D>,
) -> (Complex<D>, Complex<D>) {
    let sum = (d.add(x.0, y.0), d.add(x.1, y.1));
    let q = (d.sub(x.0, y.0), d.sub(x.1, y.1));
    let re = d.mul(r.re, d.add_mul(q.0, r.ratio, q.1));
    let im = d.mul(r.re, d.sub_mul(q.1, r.ratio, q.0));
    (sum, (re, im))
}

/// Twice the inverse of [`split_odd`].
#[inline(always)]
fn merge_odd<D: Doubles>(
    d: D,
    x: Complex<D>,
    y: Complex<D>,
    r: Twiddle<D>,
) -> (Complex<D>, Complex<D>) {
    let sum = (d.add(x.0, y.0), d.add(x.1, y.1));
    let q = (d.sub(x.0, y.0), d.sub(x.1, y.1));
    let re = d.mul(r.re, d.sub_mul(q.1, r.ratio, q.0));
    let im = d.mul(r.re, d.neg_mul(q.0, r.ratio, q.1));
    (sum, (re, im))
}

/// One level down.
#[inline(always)]
pub(crate) fn split_2<D: Doubles>(
    d: D,
    [a, b]: [Complex<D>; 2],
    [r, ..]: [Twiddle<D>; 4],
) -> [Complex<D>; 2] {
    let (a, b) = split(d, a, b, r);
    [a, b]
}

/// Two levels down.
#[inline(always)]
pub(crate) fn split_4<D: Doubles>(
    d: D,
    [a, b, c, e]: [Complex<D>; 4],
    [r, s, ..]: [Twiddle<D>; 4],
) -> [Complex<D>; 4] {
    let ((a, c), (b, e)) = (split(d, a, c, r), split(d, b, e, r));
    let ((a, b), (c, e)) = (split(d, a, b, s), split_odd(d, c, e, s));
    [a, b, c, e]
}

/// Three levels down.
#[inline(always)]
pub(crate) fn split_8<D: Doubles>(
    d: D,
    x: [Complex<D>; 8],
    [r, s, t, u]: [Twiddle<D>; 4],
) -> [Complex<D>; 8] {
    let ((a, e), (b, f)) = (split(d, x[0], x[4], r), split(d, x[1], x[5], r));
    let ((c, g), (h, i)) = (split(d, x[2], x[6], r), split(d, x[3], x[7], r));
    let ((a, c), (b, h)) = (split(d, a, c, s), split(d, b, h, s));
    let ((e, g), (f, i)) = (split_odd(d, e, g, s), split_odd(d, f, i, s));
    let ((a, b), (c, h)) = (split(d, a, b, t), split_odd(d, c, h, t));
    let ((e, f), (g, i)) = (split(d, e, f, u), split_odd(d, g, i, u));
    [a, b, c, h, e, f, g, i]
}

/// One level up.
#[inline(always)]
pub(crate) fn merge_2<D: Doubles>(
    d: D,
    [a, b]: [Complex<D>; 2],
    [r, ..]: [Twiddle<D>; 4],
) -> [Complex<D>; 2] {
    let (a, b) = merge(d, a, b, r);
    [a, b]
}

/// Two levels up.
#[inline(always)]
pub(crate) fn merge_4<D: Doubles>(
    d: D,
    [a, b, c, e]: [Complex<D>; 4],
    [r, s, ..]: [Twiddle<D>; 4],
) -> [Complex<D>; 4] {
    let ((a, b), (c, e)) = (merge(d, a, b, s), merge_odd(d, c, e, s));
    let ((a, c), (b, e)) = (merge(d, a, c, r), merge(d, b, e, r));
    [a, b, c, e]
}

/// Three levels up.
#[inline(always)]
pub(crate) fn merge_8<D: Doubles>(
    d: D,
    x: [Complex<D>; 8],
    [r, s, t, u]: [Twiddle<D>; 4],
) -> [Complex<D>; 8] {
    let ((a, b), (c, h)) = (merge(d, x[0], x[1], t), merge_odd(d, x[2], x[3], t));
    let ((e, f), (g, i)) = (merge(d, x[4], x[5], u), merge_odd(d, x[6], x[7], u));
    let ((a, c), (b, h)) = (merge(d, a, c, s), merge(d, b, h, s));
    let ((e, g), (f, i)) = (merge_odd(d, e, g, s), merge_odd(d, f, i, s));
    let ((a, e), (b, f)) = (merge(d, a, e, r), merge(d, b, f, r));
    let ((c, g), (h, i)) = (merge(d, c, g, r), merge(d, h, i, r));
    [a, b, c, h, e, f, g, i]
}
