//! Steps of several selectors: the product form of the blind rotation.

use super::digits::{ROUNDER, round};
use super::fetch::Fetch;
use super::halves;
use super::lanes::{Complex, Doubles, Line, Octet, lines, lines_mut, load, multiply_add, store};
use super::monomials::Monomials;
use super::product::{ProductShape, Rotation};
use super::table::FourierTable;
use super::transform::{Sink, Source, forward, inverse};

/// The digits of one level of an accumulator polynomial.
#[derive(Clone, Copy)]
struct Digits<'a> {
    re: &'a [Octet],
    im: &'a [Octet],
    /// Levels above this one.
    above: usize,
    base: f64,
    fetch: &'a Fetch<'a>,
}

#[inline(always)]
fn digit<D: Doubles>(d: D, x: D::Vector, above: usize, base: D::Vector) -> D::Vector {
    let mut rest = x;
    for _ in 0..above {
        rest = d.mul(d.sub(rest, round(d, rest)), base);
    }
    round(d, rest)
}

impl<D: Doubles> Source<D> for Digits<'_> {
    #[inline(always)]
    fn line(self, d: D, index: usize) -> Complex<D> {
        self.fetch.advance(d, 1);
        let base = d.splat(self.base);
        let (re, im) = (d.load(&self.re[index]), d.load(&self.im[index]));
        (digit(d, re, self.above, base), digit(d, im, self.above, base))
    }

    #[inline(always)]
    fn pause(self, d: D) {
        self.fetch.advance(d, 8);
    }
}

/// An accumulator polynomial to be added to, modulo `q`.
struct Accumulate<'a> {
    re: &'a mut [Octet],
    im: &'a mut [Octet],
    base: f64,
    inverse_base: f64,
    fetch: &'a Fetch<'a>,
}

impl<D: Doubles> Sink<D> for Accumulate<'_> {
    #[inline(always)]
    fn put(&mut self, d: D, index: usize, x: Complex<D>) {
        self.fetch.advance(d, 1);
        let (base, inverse_base) = (d.splat(self.base), d.splat(self.inverse_base));
        for (line, x) in [(&mut self.re[index], x.0), (&mut self.im[index], x.1)] {
            let sum = d.add(d.load(line), x);
            let rounder = d.splat(ROUNDER);
            let turns = d.sub(d.add_mul(rounder, sum, inverse_base), rounder);
            d.store(line, d.sub_mul(sum, turns, base));
        }
    }

    #[inline(always)]
    fn pause(&mut self, d: D) {
        self.fetch.advance(d, 8);
    }
}

/// What a step asks for the next one's key by: two for each line of a transform, one for each line
/// of a product and selector.
fn units(shape: &ProductShape) -> usize {
    let units = 2 * (shape.rows() + shape.columns()) + shape.selectors;
    units * shape.degree / 16
}

/// The part of a rotation that one step needs.
#[derive(Clone, Copy)]
struct Step<'a> {
    table: &'a FourierTable,
    rotation: Rotation<'a>,
    index: usize,
    steps: usize,
    key: &'a [Line],
    fetch: &'a Fetch<'a>,
}

impl Step<'_> {
    #[inline(always)]
    fn exponents(&self, ciphertext: usize) -> &[u32] {
        let selectors = self.rotation.shape.selectors;
        let at = (ciphertext * self.steps + self.index) * selectors;
        &self.rotation.exponents[at..at + selectors]
    }
}

/// All steps of a batch of blind rotations, several selectors a step.
#[inline(always)]
pub(super) fn rotate<D: Doubles>(
    d: D,
    table: &FourierTable,
    rotation: &Rotation<'_>,
    accumulators: &mut [f64],
    scratch: &mut [f64],
) {
    let length = rotation.shape.step_len();
    let steps = rotation.key.len() / length;
    let ciphertexts = accumulators.len() / rotation.shape.accumulator_len();
    for index in 0..steps {
        let key = lines(&rotation.key[index * length..][..length]);
        let next = rotation.key.get((index + 1) * length..).unwrap_or_default();
        let next = next.get(..length).unwrap_or_default().as_chunks().0;
        let fetch = &Fetch::new(next, units(&rotation.shape) * ciphertexts);
        let step = Step { table, rotation: *rotation, index, steps, key, fetch };
        one_step(d, step, accumulators, scratch);
    }
}

#[inline(always)]
fn one_step<D: Doubles>(d: D, step: Step<'_>, accumulators: &mut [f64], scratch: &mut [f64]) {
    let shape = step.rotation.shape;
    let ciphertexts = accumulators.chunks_exact(shape.accumulator_len());
    for (accumulator, spectra) in ciphertexts.zip(scratch.chunks_exact_mut(shape.scratch_len())) {
        decompose(d, step, accumulator, spectra);
    }
    // The counts of common parameters are written out, so that the loops over them unroll.
    match (shape.rank, shape.rows(), shape.selectors) {
        (1, 2, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, [2, 3], scratch),
        (1, 3, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, [3, 3], scratch),
        (3, 4, 3) if D::UNROLL => multiply_spectra::<D, 4>(d, step, [4, 3], scratch),
        (1, rows, selectors) => multiply_spectra::<D, 2>(d, step, [rows, selectors], scratch),
        (2, rows, selectors) => multiply_spectra::<D, 3>(d, step, [rows, selectors], scratch),
        (_, rows, selectors) => multiply_spectra::<D, 4>(d, step, [rows, selectors], scratch),
    }
    let ciphertexts = accumulators.chunks_exact_mut(shape.accumulator_len());
    for (accumulator, spectra) in ciphertexts.zip(scratch.chunks_exact_mut(shape.scratch_len())) {
        recompose(d, step, accumulator, spectra);
    }
}

/// The spectra of all digits of an accumulator.
#[inline(always)]
fn decompose<D: Doubles>(d: D, step: Step<'_>, accumulator: &[f64], spectra: &mut [f64]) {
    let shape = step.rotation.shape;
    let mut spectra = spectra.chunks_exact_mut(shape.degree);
    for (column, polynomial) in accumulator.chunks_exact(shape.degree).enumerate() {
        let (re, im) = polynomial.split_at(shape.degree / 2);
        let (re, im) = (re.as_chunks().0, im.as_chunks().0);
        let digits = shape.decomposition(column);
        for above in 0..digits.levels {
            let Some(spectrum) = spectra.next() else { return };
            let digits = Digits { re, im, above, base: digits.base(), fetch: step.fetch };
            forward(d, &step.table.plan, digits, spectrum);
        }
    }
}

/// Adds the product, which lies in the first spectra, to an accumulator.
#[inline(always)]
fn recompose<D: Doubles>(d: D, step: Step<'_>, accumulator: &mut [f64], spectra: &mut [f64]) {
    let shape = step.rotation.shape;
    let polynomials = accumulator.chunks_exact_mut(shape.degree).enumerate();
    for ((column, polynomial), spectrum) in polynomials.zip(spectra.chunks_exact_mut(shape.degree))
    {
        let (re, im) = halves(polynomial);
        let base = shape.decomposition(column).base();
        let (inverse_base, fetch) = (base.recip(), step.fetch);
        let mut sink = Accumulate { re, im, base, inverse_base, fetch };
        inverse(d, &step.table.plan, spectrum, &mut sink);
    }
}

/// `sum_j (X^(a_j) - 1) (K_j * F)` for all ciphertexts, in place of their first `C` spectra. A
/// group of 64 places after the other, so that its key is read from the nearest cache by all but
/// the first.
#[inline(always)]
fn multiply_spectra<D: Doubles, const C: usize>(
    d: D,
    step: Step<'_>,
    [rows, selectors]: [usize; 2],
    scratch: &mut [f64],
) {
    let shape = step.rotation.shape;
    let lines = shape.degree / 16;
    let key: &[[Line; C]] = step.key.as_chunks().0;
    for (group, key) in key.chunks_exact(8 * rows * selectors).enumerate() {
        for (ciphertext, spectra) in scratch.chunks_exact_mut(shape.scratch_len()).enumerate() {
            let monomials = Monomials::new(d, step.table, step.exponents(ciphertext), group);
            let spectra = &mut lines_mut(spectra)[group * 8..];
            for (line, key) in key.chunks_exact(rows * selectors).enumerate() {
                let mut out = [(d.splat(0.0), d.splat(0.0)); C];
                for (selector, key) in key.chunks_exact(rows).enumerate() {
                    let mut product = [(d.splat(0.0), d.splat(0.0)); C];
                    for (row, key) in key.iter().enumerate() {
                        let x = load(d, &spectra[row * lines + line]);
                        for column in 0..C {
                            let key = load(d, &key[column]);
                            product[column] = multiply_add(d, product[column], x, key);
                        }
                    }
                    let monomial = monomials.less_one(d, selector, line);
                    for column in 0..C {
                        out[column] = multiply_add(d, out[column], monomial, product[column]);
                    }
                }
                step.fetch.advance(d, selectors);
                for column in 0..C {
                    store(d, &mut spectra[column * lines + line], out[column]);
                }
            }
        }
    }
}
