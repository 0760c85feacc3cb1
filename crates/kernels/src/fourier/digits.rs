//! Accumulators as sources of digits and as sinks of products.

use super::fetch::Fetch;
use super::lanes::{Complex, Doubles, Line, Octet};
use super::transform::Sink;

/// Adding and subtracting it rounds to the nearest integer, for magnitudes up to `2^51`.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The nearest integers.
#[inline(always)]
pub(super) fn round<D: Doubles>(d: D, x: D::Vector) -> D::Vector {
    let rounder = d.splat(ROUNDER);
    d.sub(d.add(x, rounder), rounder)
}

/// Torus elements in units of `q / B`.
#[derive(Clone, Copy)]
pub(super) struct Base {
    base: f64,
    inverse: f64,
}

impl Base {
    pub(super) fn new(base: f64) -> Base {
        Base { base, inverse: base.recip() }
    }

    /// What remains of `x` in `[-B/2, B/2]`.
    #[inline(always)]
    fn reduce<D: Doubles>(self, d: D, x: D::Vector) -> D::Vector {
        let rounder = d.splat(ROUNDER);
        let turns = d.sub(d.add_mul(rounder, x, d.splat(self.inverse)), rounder);
        d.sub_mul(x, turns, d.splat(self.base))
    }

    /// The digit of `x` below `above` others, an integer.
    #[inline(always)]
    pub(super) fn digit<D: Doubles>(self, d: D, x: D::Vector, above: usize) -> D::Vector {
        let rest = (0..above).fold(x, |rest, _| self.next(d, rest, round(d, rest)));
        round(d, rest)
    }

    /// What is left of `x` without its digit, in units of the next one.
    #[inline(always)]
    fn next<D: Doubles>(self, d: D, x: D::Vector, digit: D::Vector) -> D::Vector {
        d.mul(d.sub(x, digit), d.splat(self.base))
    }
}

/// Cuts polynomials into digits, folded to the lines of a spectrum for each level.
#[derive(Clone, Copy)]
pub(super) struct Cut<'a> {
    base: Base,
    /// Of the lines of a spectrum.
    log_count: u32,
    fetch: &'a Fetch<'a>,
}

impl<'a> Cut<'a> {
    /// Asks for the next key by the octet.
    pub(super) fn new(base: Base, degree: usize, fetch: &'a Fetch<'a>) -> Cut<'a> {
        Cut { base, log_count: degree.ilog2() - 4, fetch }
    }

    /// The digits of `X^exponent - 1` times a polynomial, for an exponent below `2 N`.
    #[inline(always)]
    pub(super) fn difference<D: Doubles>(
        self,
        d: D,
        exponent: u32,
        polynomial: &[Octet],
        spectra: &mut [Line],
    ) {
        let values = polynomial.as_flattened();
        let turn = exponent as usize & (values.len() - 1);
        let sign = if exponent as usize == turn { 1.0 } else { -1.0 };
        // What was turned across the end, the octet at the seam, and the rest.
        let (start, end) = values.split_at(values.len() - turn);
        let (end, first) = end.as_chunks();
        let (last, start) = start.split_at((8 - first.len()) % 8);
        let mut seam = [[0.0; 8]];
        let across = first.iter().map(|x| -x).chain(last.iter().copied());
        seam[0].iter_mut().zip(across).for_each(|(out, x)| *out = x);
        let seam = if first.is_empty() { &[][..] } else { &seam };
        let mut octets = polynomial.iter().enumerate();
        for (turned, sign) in [(end, -sign), (seam, sign), (start.as_chunks().0, sign)] {
            let sign = d.splat(-sign);
            for (turned, (place, octet)) in turned.iter().zip(&mut octets) {
                let difference = d.neg_mul(d.load(octet), sign, d.load(turned));
                self.lay(d, place, self.base.reduce(d, difference), spectra);
            }
        }
    }

    /// The digits of octet `place` of a polynomial.
    #[inline(always)]
    fn lay<D: Doubles>(self, d: D, place: usize, x: D::Vector, spectra: &mut [Line]) {
        self.fetch.advance(d, 1);
        let count = 1 << self.log_count;
        let (half, line) = (place >> self.log_count, place & (count - 1));
        let (first, others) = spectra.split_at_mut(count);
        let mut digit = round(d, x);
        d.store(&mut first[line][half], digit);
        let mut rest = x;
        for spectrum in others.chunks_exact_mut(count) {
            rest = self.base.next(d, rest, digit);
            digit = round(d, rest);
            d.store(&mut spectrum[line][half], digit);
        }
    }
}

/// An accumulator polynomial to be added to, modulo `q`.
pub(super) struct Accumulate<'a> {
    pub(super) re: &'a mut [Octet],
    pub(super) im: &'a mut [Octet],
    pub(super) base: Base,
}

impl<D: Doubles> Sink<D> for Accumulate<'_> {
    #[inline(always)]
    fn put(&mut self, d: D, index: usize, x: Complex<D>) {
        for (line, x) in [(&mut self.re[index], x.0), (&mut self.im[index], x.1)] {
            d.store(line, self.base.reduce(d, d.add(d.load(line), x)));
        }
    }
}
