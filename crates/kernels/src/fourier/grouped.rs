//! Steps of several selectors: the product form of the blind rotation.

use super::digits::{Accumulate, Base};
use super::fetch::Fetch;
use super::halves;
use super::lanes::{Complex, Doubles, Line, Octet, lines_mut, load, multiply_add, store};
use super::monomials::Monomials;
use super::product::{ProductShape, Rotation};
use super::step::Step;
use super::table::FourierTable;
use super::transform::{Sink, Source, forward, inverse};

/// The digits of one level of an accumulator polynomial.
#[derive(Clone, Copy)]
struct Digits<'a> {
    re: &'a [Octet],
    im: &'a [Octet],
    /// Levels above this one.
    above: usize,
    base: Base,
    fetch: &'a Fetch<'a>,
}

impl<D: Doubles> Source<D> for Digits<'_> {
    #[inline(always)]
    fn line(self, d: D, index: usize) -> Complex<D> {
        self.fetch.advance(d, 1);
        let digit = |x| self.base.digit(d, d.load(x), self.above);
        (digit(&self.re[index]), digit(&self.im[index]))
    }

    #[inline(always)]
    fn pause(self, d: D) {
        self.fetch.advance(d, 8);
    }
}

/// A sink that asks for the next key as it goes.
struct Fetching<'a, S> {
    sink: S,
    fetch: &'a Fetch<'a>,
}

impl<D: Doubles, S: Sink<D>> Sink<D> for Fetching<'_, S> {
    #[inline(always)]
    fn put(&mut self, d: D, index: usize, x: Complex<D>) {
        self.fetch.advance(d, 1);
        self.sink.put(d, index, x);
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

/// All steps of a batch of blind rotations, several selectors a step.
#[inline(always)]
pub(super) fn rotate<D: Doubles>(
    d: D,
    table: &FourierTable,
    rotation: &Rotation<'_>,
    accumulators: &mut [f64],
    scratch: &mut [f64],
) {
    let ciphertexts = accumulators.len() / rotation.shape.accumulator_len();
    let mut step = Step::first(table, rotation);
    while let Some(current) = step {
        step = current.next();
        let key = step.map_or(&[][..], |next| next.key);
        let fetch = Fetch::new(key, units(&rotation.shape) * ciphertexts);
        one_step(d, current, &fetch, accumulators, scratch);
    }
}

#[inline(always)]
fn one_step<D: Doubles>(
    d: D,
    step: Step<'_>,
    fetch: &Fetch<'_>,
    accumulators: &mut [f64],
    scratch: &mut [f64],
) {
    let shape = step.shape;
    let ciphertexts = accumulators.chunks_exact(shape.accumulator_len());
    for (accumulator, spectra) in ciphertexts.zip(scratch.chunks_exact_mut(shape.scratch_len())) {
        decompose(d, step, fetch, accumulator, spectra);
    }
    // The counts of common parameters are written out, so that the loops over them unroll.
    match (shape.rank, shape.rows(), shape.selectors) {
        (1, 2, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, [2, 3], scratch),
        (3, 4, 3) if D::UNROLL => multiply_spectra::<D, 4>(d, step, fetch, [4, 3], scratch),
        (1, rows, selectors) => {
            multiply_spectra::<D, 2>(d, step, fetch, [rows, selectors], scratch);
        }
        (2, rows, selectors) => {
            multiply_spectra::<D, 3>(d, step, fetch, [rows, selectors], scratch);
        }
        (_, rows, selectors) => {
            multiply_spectra::<D, 4>(d, step, fetch, [rows, selectors], scratch);
        }
    }
    let ciphertexts = accumulators.chunks_exact_mut(shape.accumulator_len());
    for (accumulator, spectra) in ciphertexts.zip(scratch.chunks_exact_mut(shape.scratch_len())) {
        recompose(d, step, fetch, accumulator, spectra);
    }
}

/// The spectra of all digits of an accumulator.
#[inline(always)]
fn decompose<D: Doubles>(
    d: D,
    step: Step<'_>,
    fetch: &Fetch<'_>,
    accumulator: &[f64],
    spectra: &mut [f64],
) {
    let shape = step.shape;
    let mut spectra = spectra.chunks_exact_mut(shape.degree);
    for (column, polynomial) in accumulator.chunks_exact(shape.degree).enumerate() {
        let (re, im) = polynomial.split_at(shape.degree / 2);
        let (re, im) = (re.as_chunks().0, im.as_chunks().0);
        for above in 0..shape.decomposition(column).levels {
            let Some(spectrum) = spectra.next() else { return };
            let digits = Digits { re, im, above, base: step.bases[column], fetch };
            forward(d, &step.table.plan, digits, spectrum);
        }
    }
}

/// Adds the product, which lies in the first spectra, to an accumulator.
#[inline(always)]
fn recompose<D: Doubles>(
    d: D,
    step: Step<'_>,
    fetch: &Fetch<'_>,
    accumulator: &mut [f64],
    spectra: &mut [f64],
) {
    let shape = step.shape;
    let polynomials = accumulator.chunks_exact_mut(shape.degree).enumerate();
    for ((column, polynomial), spectrum) in polynomials.zip(spectra.chunks_exact_mut(shape.degree))
    {
        let (re, im) = halves(polynomial);
        let sink = Accumulate { re, im, base: step.bases[column] };
        let mut sink = Fetching { sink, fetch };
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
    fetch: &Fetch<'_>,
    [rows, selectors]: [usize; 2],
    scratch: &mut [f64],
) {
    let shape = step.shape;
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
                fetch.advance(d, selectors);
                for column in 0..C {
                    store(d, &mut spectra[column * lines + line], out[column]);
                }
            }
        }
    }
}
