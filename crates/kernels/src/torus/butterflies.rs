//! Butterflies on two, four or eight values held in registers.
//!
//! A node splits `X^(2m) - r^2` into `X^m - r` and `X^m + r`: `(a, b)` becomes
//! `(a + r b, a - r b)`. The root of an odd node is `i r`, and a multiplication by `i` is a swap of
//! the parts. Two levels are computed together with three complex products instead of four:
//! `(a, b, c, e)` with roots `r` and then `s` becomes `(a + r c) +- (s b + rs e)` and
//! `(a - r c) +- i (s b - rs e)`.

use super::lanes::{Complex, Doubles, multiply};
use super::table::Roots;

/// Broadcasts the first roots of a block to every lane.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn broadcast<D: Doubles, const R: usize>(d: D, roots: &Roots) -> [Complex<D>; R] {
    let zero = d.splat(0.0);
    let mut out = [(zero, zero); R];
    for (out, root) in out.iter_mut().zip(roots) {
        *out = (d.splat(root.0), d.splat(root.1));
    }
    out
}

#[cfg_attr(optimized, inline(always))]
fn add<D: Doubles>(d: D, a: Complex<D>, b: Complex<D>) -> Complex<D> {
    (d.add(a.0, b.0), d.add(a.1, b.1))
}

#[cfg_attr(optimized, inline(always))]
fn sub<D: Doubles>(d: D, a: Complex<D>, b: Complex<D>) -> Complex<D> {
    (d.sub(a.0, b.0), d.sub(a.1, b.1))
}

/// Returns `a + i b`.
#[cfg_attr(optimized, inline(always))]
fn add_i<D: Doubles>(d: D, a: Complex<D>, b: Complex<D>) -> Complex<D> {
    (d.sub(a.0, b.1), d.add(a.1, b.0))
}

/// Returns `a - i b`.
#[cfg_attr(optimized, inline(always))]
fn sub_i<D: Doubles>(d: D, a: Complex<D>, b: Complex<D>) -> Complex<D> {
    (d.add(a.0, b.1), d.sub(a.1, b.0))
}

/// Returns `x / r`; as `|r| = 1`, `1/r` is the conjugate.
#[cfg_attr(optimized, inline(always))]
fn divide<D: Doubles>(d: D, x: Complex<D>, r: Complex<D>) -> Complex<D> {
    (d.add_mul(d.mul(r.0, x.0), r.1, x.1), d.sub_mul(d.mul(r.0, x.1), r.1, x.0))
}

/// Returns `x / (i r)`.
#[cfg_attr(optimized, inline(always))]
fn divide_i<D: Doubles>(d: D, x: Complex<D>, r: Complex<D>) -> Complex<D> {
    (d.sub_mul(d.mul(r.0, x.1), r.1, x.0), d.neg_mul(d.mul(r.0, x.0), r.1, x.1))
}

/// Returns `(a + r b, a - r b)`.
#[cfg_attr(optimized, inline(always))]
pub(super) fn split<D: Doubles>(
    d: D,
    a: Complex<D>,
    b: Complex<D>,
    r: Complex<D>,
) -> (Complex<D>, Complex<D>) {
    let t = multiply(d, r, b);
    (add(d, a, t), sub(d, a, t))
}

/// Returns `(a + i r b, a - i r b)`.
#[cfg_attr(optimized, inline(always))]
pub(super) fn split_odd<D: Doubles>(
    d: D,
    a: Complex<D>,
    b: Complex<D>,
    r: Complex<D>,
) -> (Complex<D>, Complex<D>) {
    let t = multiply(d, r, b);
    (add_i(d, a, t), sub_i(d, a, t))
}

/// Computes twice the inverse of [`split`].
#[cfg_attr(optimized, inline(always))]
pub(super) fn merge<D: Doubles>(
    d: D,
    x: Complex<D>,
    y: Complex<D>,
    r: Complex<D>,
) -> (Complex<D>, Complex<D>) {
    (add(d, x, y), divide(d, sub(d, x, y), r))
}

/// Computes twice the inverse of [`split_odd`].
#[cfg_attr(optimized, inline(always))]
pub(super) fn merge_odd<D: Doubles>(
    d: D,
    x: Complex<D>,
    y: Complex<D>,
    r: Complex<D>,
) -> (Complex<D>, Complex<D>) {
    (add(d, x, y), divide_i(d, sub(d, x, y), r))
}

/// Computes one level of the forward transform.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn split_2<D: Doubles>(
    d: D,
    [a, b]: [Complex<D>; 2],
    [r]: [Complex<D>; 1],
) -> [Complex<D>; 2] {
    let (a, b) = split(d, a, b, r);
    [a, b]
}

/// Computes two levels of the forward transform.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn split_4<D: Doubles>(
    d: D,
    [a, b, c, e]: [Complex<D>; 4],
    [r, s, rs]: [Complex<D>; 3],
) -> [Complex<D>; 4] {
    let (p, q) = split(d, a, c, r);
    let (u, v) = split(d, multiply(d, s, b), e, rs);
    [add(d, p, u), sub(d, p, u), add_i(d, q, v), sub_i(d, q, v)]
}

/// Computes two levels of the forward transform under an odd node, whose root is `i r`.
#[cfg_attr(optimized, inline(always))]
pub(super) fn split_4_odd<D: Doubles>(
    d: D,
    [a, b, c, e]: [Complex<D>; 4],
    [r, s, rs]: [Complex<D>; 3],
) -> [Complex<D>; 4] {
    let (p, q) = split_odd(d, a, c, r);
    let (u, v) = split_odd(d, multiply(d, s, b), e, rs);
    [add(d, p, u), sub(d, p, u), add_i(d, q, v), sub_i(d, q, v)]
}

/// Computes three levels of the forward transform; `t` and `u` are the roots of the third level
/// under the two even nodes.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn split_8<D: Doubles>(
    d: D,
    x: [Complex<D>; 8],
    [r, s, rs, t, u]: [Complex<D>; 5],
) -> [Complex<D>; 8] {
    let [a, c, e, g] = split_4(d, [x[0], x[2], x[4], x[6]], [r, s, rs]);
    let [b, h, f, i] = split_4(d, [x[1], x[3], x[5], x[7]], [r, s, rs]);
    // Of two neighbouring nodes, the second is odd: its root is i times that of the first, so that
    // one root in a register serves both.
    let ((a, b), (c, h)) = (split(d, a, b, t), split_odd(d, c, h, t));
    let ((e, f), (g, i)) = (split(d, e, f, u), split_odd(d, g, i, u));
    [a, b, c, h, e, f, g, i]
}

/// Computes one level of the inverse transform.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn merge_2<D: Doubles>(
    d: D,
    [a, b]: [Complex<D>; 2],
    [r]: [Complex<D>; 1],
) -> [Complex<D>; 2] {
    let (a, b) = merge(d, a, b, r);
    [a, b]
}

/// Computes two levels of the inverse transform.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn merge_4<D: Doubles>(
    d: D,
    [a, b, c, e]: [Complex<D>; 4],
    [r, s, rs]: [Complex<D>; 3],
) -> [Complex<D>; 4] {
    let ((p, u), (q, v)) = ((add(d, a, b), sub(d, a, b)), (add(d, c, e), sub(d, c, e)));
    let (a, c) = merge(d, p, q, r);
    [a, divide(d, sub_i(d, u, v), s), c, divide(d, add_i(d, u, v), rs)]
}

/// Computes two levels of the inverse transform under an odd node, whose root is `i r`.
#[cfg_attr(optimized, inline(always))]
pub(super) fn merge_4_odd<D: Doubles>(
    d: D,
    [a, b, c, e]: [Complex<D>; 4],
    [r, s, rs]: [Complex<D>; 3],
) -> [Complex<D>; 4] {
    let ((p, u), (q, v)) = ((add(d, a, b), sub(d, a, b)), (add(d, c, e), sub(d, c, e)));
    let (a, c) = merge_odd(d, p, q, r);
    [a, divide(d, sub_i(d, u, v), s), c, divide_i(d, add_i(d, u, v), rs)]
}

/// Computes three levels of the inverse transform.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn merge_8<D: Doubles>(
    d: D,
    x: [Complex<D>; 8],
    [r, s, rs, t, u]: [Complex<D>; 5],
) -> [Complex<D>; 8] {
    let ((a, b), (c, h)) = (merge(d, x[0], x[1], t), merge_odd(d, x[2], x[3], t));
    let ((e, f), (g, i)) = (merge(d, x[4], x[5], u), merge_odd(d, x[6], x[7], u));
    let [a, c, e, g] = merge_4(d, [a, c, e, g], [r, s, rs]);
    let [b, h, f, i] = merge_4(d, [b, h, f, i], [r, s, rs]);
    [a, b, c, h, e, f, g, i]
}
