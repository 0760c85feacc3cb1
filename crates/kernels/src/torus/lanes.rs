//! The interface of an instruction set for floating-point arithmetic.

use super::fetch::Prefetch;
use super::octet::{Line, Octet};
use super::shared_parts::SharedParts;

/// Arithmetic on vectors of doubles. A value is proof that the CPU can run it.
///
/// On instruction sets with fused multiply-add, the results are bit-identical for every register
/// width.
pub(crate) trait Doubles: SharedParts + Prefetch {
    /// Eight doubles, or the part of an octet that fits in a register.
    type Vector: Copy;

    /// Number of vectors in an octet: 1 or 2.
    const PARTS: usize;

    /// True if loops with small bounds should have a copy of their code for each common bound.
    const UNROLL: bool;

    /// Loads one part of an octet.
    fn load(self, octet: &Octet, part: usize) -> Self::Vector;
    /// Loads one part of eight integers as doubles.
    fn load_integers(self, octet: &[i32; 8], part: usize) -> Self::Vector;
    /// Stores one part of an octet.
    fn store(self, octet: &mut Octet, part: usize, x: Self::Vector);
    /// Returns copies of `x` in all lanes.
    fn splat(self, x: f64) -> Self::Vector;
    /// Returns `a + b`.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns `a - b`.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns `a b`.
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns `c + a b`, fused if the instruction set can.
    fn add_mul(self, c: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns `c - a b`, fused if the instruction set can.
    fn sub_mul(self, c: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns `-c - a b`, fused if the instruction set can.
    fn neg_mul(self, c: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Transposes square matrices stored one after the other in eight vectors; each matrix has as
    /// many vectors as a vector has lanes.
    fn transpose(self, rows: [Self::Vector; 8]) -> [Self::Vector; 8];
    /// Computes `sum[i] = a[i] + b[i]` modulo `2^32`.
    fn add_short(self, sum: &mut [u32; 8], a: &[u32; 8], b: &[u32; 8]);
}

/// A complex number in each lane.
pub(crate) type Complex<D> = (<D as Doubles>::Vector, <D as Doubles>::Vector);

/// Loads one part of a line of a spectrum.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn load<D: Doubles>(d: D, [re, im]: &Line, part: usize) -> Complex<D> {
    (d.load(re, part), d.load(im, part))
}

/// Stores one part of a line of a spectrum.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn store<D: Doubles>(d: D, [re, im]: &mut Line, part: usize, x: Complex<D>) {
    d.store(re, part, x.0);
    d.store(im, part, x.1);
}

/// Returns `a b`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply<D: Doubles>(d: D, a: Complex<D>, b: Complex<D>) -> Complex<D> {
    let re = d.sub_mul(d.mul(a.0, b.0), a.1, b.1);
    let im = d.add_mul(d.mul(a.0, b.1), a.1, b.0);
    (re, im)
}

/// Returns `sum + a b`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply_add<D: Doubles>(
    d: D,
    sum: Complex<D>,
    a: Complex<D>,
    b: Complex<D>,
) -> Complex<D> {
    let re = d.sub_mul(d.add_mul(sum.0, a.0, b.0), a.1, b.1);
    let im = d.add_mul(d.add_mul(sum.1, a.0, b.1), a.1, b.0);
    (re, im)
}
