//! Gadget decomposition of accumulators, and the addition of products to them.

use super::base::{Base, ROUNDER};
use super::ends::{Sink, Update};
use super::fetch::Fetch;
use super::lanes::{Complex, Doubles};
use super::octet::{Line, Octet};

/// Rounds to the nearest integers.
#[cfg_attr(optimized, inline(always))]
pub(super) fn round<D: Doubles>(d: D, x: D::Vector) -> D::Vector {
    let rounder = d.splat(ROUNDER);
    d.sub(d.add(x, rounder), rounder)
}

impl Base {
    /// Reduces `x` modulo the base to `[-B/2, B/2]`.
    #[cfg_attr(optimized, inline(always))]
    fn reduce<D: Doubles>(self, d: D, x: D::Vector) -> D::Vector {
        let rounder = d.splat(self.rounder);
        d.sub(x, d.sub(d.add(x, rounder), rounder))
    }

    /// Returns the digit of `x` that follows the `above` most significant ones, an integer.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn digit<D: Doubles>(self, d: D, x: D::Vector, above: usize) -> D::Vector {
        let rest = (0..above).fold(x, |rest, _| self.next(d, rest, round(d, rest)));
        round(d, rest)
    }

    /// Adds to one part of the coefficients that fold to a line, modulo `q`, and returns the sums.
    #[cfg_attr(optimized, inline(always))]
    fn accumulate<D: Doubles>(
        self,
        d: D,
        [re, im]: [&mut Octet; 2],
        part: usize,
        x: Complex<D>,
    ) -> Complex<D> {
        let sums = (d.add(d.load(re, part), x.0), d.add(d.load(im, part), x.1));
        let sums = (self.reduce(d, sums.0), self.reduce(d, sums.1));
        d.store(re, part, sums.0);
        d.store(im, part, sums.1);
        sums
    }

    /// Returns the remainder of `x` after its digit, in units of the next digit.
    #[cfg_attr(optimized, inline(always))]
    fn next<D: Doubles>(self, d: D, x: D::Vector, digit: D::Vector) -> D::Vector {
        d.mul(d.sub(x, digit), d.splat(self.base))
    }
}

/// Decomposes polynomials into digits; the digits of each level are folded to the lines of a
/// spectrum.
#[derive(Clone, Copy)]
pub(super) struct Cut<'a> {
    base: Base,
    /// log2 of the number of lines of a spectrum.
    log_count: u32,
    fetch: &'a Fetch<'a>,
}

impl<'a> Cut<'a> {
    /// Creates the decomposition; it prefetches the next key at a pace counted in octets.
    pub(super) fn new(base: Base, degree: usize, fetch: &'a Fetch<'a>) -> Cut<'a> {
        Cut { base, log_count: degree.ilog2() - 4, fetch }
    }

    /// Computes the digits of component `component` of `X^exponent - 1` times an accumulator
    /// polynomial, given all its components. The exponent is below `2 E N`.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn difference<D: Doubles>(
        self,
        d: D,
        exponent: u32,
        polynomials: &[f64],
        component: usize,
        spectra: &mut [Line],
    ) {
        let degree = 16 << self.log_count;
        let (from, shift) = moved(polynomials.len() / degree, component, exponent as usize);
        let polynomial = &polynomials[component * degree..][..degree];
        let rotated = Rotated::new(&polynomials[from * degree..][..degree], shift % (2 * degree));
        let blocks: &[Block] = polynomial.as_chunks().0.as_chunks().0;
        for (place, block) in blocks.iter().enumerate() {
            self.fetch.advance(d, block.len());
            let (rotated, sign) = rotated.block(place);
            self.lay(d, place, [block, rotated], d.splat(-sign), spectra);
        }
    }

    /// Computes the digits of block `place` of `-x - sign y`, for two polynomials.
    #[cfg_attr(optimized, inline(always))]
    fn lay<D: Doubles>(
        self,
        d: D,
        place: usize,
        [x, y]: [&Block; 2],
        sign: D::Vector,
        spectra: &mut [Line],
    ) {
        let (count, log_blocks) = (1 << self.log_count, self.log_count - 3);
        let (half, place) = (place >> log_blocks, place & ((1 << log_blocks) - 1));
        let (first, others) = spectra.split_at_mut(count);
        let first: &mut [Line; 8] = &mut first.as_chunks_mut().0[place];
        for i in 0..8 {
            for part in 0..D::PARTS {
                let difference = d.neg_mul(d.load(&x[i], part), sign, d.load(&y[i], part));
                // The difference of two reduced numbers may be as large as the modulus; the digits
                // are those of its representative in [-B/2, B/2], in units of q / B.
                let mut rest = self.base.reduce(d, difference);
                let mut digit = round(d, rest);
                d.store(&mut first[i][half], part, digit);
                for spectrum in others.chunks_exact_mut(count) {
                    rest = self.base.next(d, rest, digit);
                    digit = round(d, rest);
                    d.store(&mut spectrum[8 * place + i][half], part, digit);
                }
            }
        }
    }
}

/// Returns the component of an accumulator that a product with `X^exponent` moves to `component`,
/// and the power of the component's variable `X^extension` by which it is multiplied.
#[cfg_attr(optimized, inline(always))]
fn moved(extension: usize, component: usize, exponent: usize) -> (usize, usize) {
    let from = component.wrapping_sub(exponent) & (extension - 1);
    (from, (exponent + from - component) / extension)
}

/// 64 coefficients.
type Block = [Octet; 8];

/// A polynomial times a monomial, block by block. All blocks but one are blocks of the polynomial
/// itself, up to a sign.
struct Rotated<'a> {
    polynomial: &'a [f64],
    exponent: usize,
    /// The block that contains coefficients from both ends of the polynomial.
    seam: Block,
}

impl<'a> Rotated<'a> {
    /// Multiplies by `X^exponent`, for an exponent below `2 N`.
    #[cfg_attr(optimized, inline(always))]
    fn new(polynomial: &'a [f64], exponent: usize) -> Rotated<'a> {
        let degree = polynomial.len();
        let sign = if exponent < degree { 1.0 } else { -1.0 };
        let shift = exponent % degree;
        let (start, end) = polynomial.split_at(degree - shift);
        let across = shift % 64;
        let mut seam = [[0.0; 8]; 8];
        let (first, last) = seam.as_flattened_mut().split_at_mut(across);
        for (out, x) in first.iter_mut().zip(&end[shift - across..]) {
            *out = -sign * x;
        }
        for (out, x) in last.iter_mut().zip(start) {
            *out = sign * x;
        }
        Rotated { polynomial, exponent, seam }
    }

    /// Returns the coefficients from `64 place` on, and the sign by which they must be multiplied.
    #[cfg_attr(optimized, inline(always))]
    fn block(&self, place: usize) -> (&Block, f64) {
        let degree = self.polynomial.len();
        let from = (64 * place).wrapping_sub(self.exponent);
        let sign = if from & degree == 0 { 1.0 } else { -1.0 };
        match self.polynomial[from & (degree - 1)..].as_chunks().0.as_chunks().0.first() {
            Some(block) => (block, sign),
            None => (&self.seam, 1.0),
        }
    }
}

/// A sink that adds to an accumulator polynomial, modulo `q`.
#[derive(Clone, Copy)]
pub(super) struct Accumulate {
    pub(super) base: Base,
}

impl<D: Doubles> Sink<D> for Accumulate {
    #[cfg_attr(optimized, inline(always))]
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>) {
        self.base.accumulate(d, folded, part, x);
    }
}

/// Adds to an accumulator polynomial, modulo `q`, and returns the first digits of the sums.
/// Prefetches the next key meanwhile.
#[derive(Clone, Copy)]
pub(super) struct AccumulateAndCut<'a> {
    pub(super) base: Base,
    pub(super) fetch: &'a Fetch<'a>,
}

impl<D: Doubles> Update<D> for AccumulateAndCut<'_> {
    #[cfg_attr(optimized, inline(always))]
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>) -> Complex<D> {
        self.base.accumulate(d, folded, part, x)
    }

    #[cfg_attr(optimized, inline(always))]
    fn next(self, d: D, x: Complex<D>) -> Complex<D> {
        (self.base.digit(d, x.0, 0), self.base.digit(d, x.1, 0))
    }

    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        Some(self.fetch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_a_rotated_polynomial_are_those_of_its_product_with_the_monomial() {
        let polynomial: Vec<f64> = (1..=256).map(f64::from).collect();
        for exponent in 0..512 {
            let mut product = [0.0; 256];
            for (i, x) in polynomial.iter().enumerate() {
                let place = i + exponent;
                product[place % 256] = if place / 256 % 2 == 0 { *x } else { -x };
            }
            let rotated = Rotated::new(&polynomial, exponent);
            for (place, expected) in product.chunks_exact(64).enumerate() {
                let (block, sign) = rotated.block(place);
                let block: Vec<f64> = block.as_flattened().iter().map(|x| sign * x).collect();
                assert_eq!(block, expected, "block {place}, exponent {exponent}");
            }
        }
    }
}
