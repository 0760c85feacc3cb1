//! The blind rotation, and its steps of one selector: CMUX.

use super::digits::{Accumulate, Cut};
use super::fetch::Fetch;
use super::grouped;
use super::halves;
use super::lanes::{Doubles, Line, lines_mut, load, multiply_add, store};
use super::product::Rotation;
use super::step::Step;
use super::table::FourierTable;
use super::transform::{ascend, descend, tail_down, tail_up};

/// All steps of a batch of blind rotations; see [`super::TorusKernel::rotate`].
#[inline(always)]
pub(crate) fn rotate<D: Doubles>(
    d: D,
    table: &FourierTable,
    rotation: &Rotation<'_>,
    accumulators: &mut [f64],
    scratch: &mut [f64],
) {
    if rotation.shape.selectors > 1 {
        return grouped::rotate(d, table, rotation, accumulators, scratch);
    }
    let units = accumulators.len() / rotation.shape.accumulator_len() * table.degree() / 16;
    let mut step = Step::first(table, rotation);
    transform_all(d, None, step, accumulators, scratch);
    while let Some(done) = step {
        step = done.next();
        let fetch = Fetch::new(step.map_or(&[], |next| next.key), units);
        multiply(d, done, &fetch, scratch);
        transform_all(d, Some(done), step, accumulators, scratch);
    }
}

/// Between the products of two steps, all transforms of an accumulator, one polynomial after the
/// other while it lies in the nearest cache.
#[inline(always)]
fn transform_all<D: Doubles>(
    d: D,
    done: Option<Step<'_>>,
    next: Option<Step<'_>>,
    accumulators: &mut [f64],
    scratch: &mut [f64],
) {
    let Some(Step { shape, table, bases, .. }) = next.or(done) else { return };
    let accumulators = accumulators.chunks_exact_mut(shape.accumulator_len());
    let spectra = scratch.chunks_exact_mut(shape.scratch_len());
    for (ciphertext, (accumulator, spectra)) in accumulators.zip(spectra).enumerate() {
        let mut row = shape.rows();
        // Backwards, because the digits of a column take the places of the products of later ones.
        for column in (0..shape.columns()).rev() {
            let at = column * shape.degree;
            let polynomial = &mut accumulator[at..at + shape.degree];
            let base = bases[column];
            if done.is_some() {
                let product = &mut spectra[at..at + shape.degree];
                let (re, im) = halves(polynomial);
                ascend(d, &table.plan, product, &mut Accumulate { re, im, base });
            }
            if let Some(next) = next {
                let levels = shape.decomposition(column).levels;
                row -= levels;
                let digits = &mut spectra[row * shape.degree..][..levels * shape.degree];
                let polynomial = polynomial.as_chunks().0;
                let cut = Cut::new(base, shape.degree);
                cut.difference(d, next.exponents(ciphertext)[0], polynomial, lines_mut(digits));
                for spectrum in digits.chunks_exact_mut(shape.degree) {
                    descend(d, &table.plan, spectrum);
                }
            }
        }
    }
}

/// The product of each ciphertext with the key, in place of its first spectra.
#[inline(always)]
fn multiply<D: Doubles>(d: D, step: Step<'_>, fetch: &Fetch<'_>, scratch: &mut [f64]) {
    let shape = step.shape;
    // The counts of common parameters are written out, so that the loops over them unroll.
    match (shape.rank, shape.rows()) {
        (1, 2) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, 2, scratch),
        (1, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, 3, scratch),
        (1, rows) => multiply_spectra::<D, 2>(d, step, fetch, rows, scratch),
        (2, rows) => multiply_spectra::<D, 3>(d, step, fetch, rows, scratch),
        (_, rows) => multiply_spectra::<D, 4>(d, step, fetch, rows, scratch),
    }
}

/// The products with the key, in place of the first `C` spectra of each ciphertext. A group of 64
/// places after the other: its key is read from the nearest cache by all ciphertexts but the first,
/// and the six levels of the transforms that stay within it are done there and then.
#[inline(always)]
fn multiply_spectra<D: Doubles, const C: usize>(
    d: D,
    step: Step<'_>,
    fetch: &Fetch<'_>,
    rows: usize,
    scratch: &mut [f64],
) {
    let shape = step.shape;
    let key: &[[Line; C]] = step.key.as_chunks().0;
    let groups = key.chunks_exact(8 * rows).zip(&step.table.plan.tails);
    let count = groups.len();
    for (group, (key, tail)) in groups.enumerate() {
        for spectra in scratch.chunks_exact_mut(shape.scratch_len()) {
            let spectra: &mut [[Line; 8]] = lines_mut(spectra).as_chunks_mut().0;
            for row in 0..rows {
                tail_down(d, tail, &mut spectra[row * count + group]);
            }
            for (line, key) in key.chunks_exact(rows).enumerate() {
                fetch.advance(d, 1);
                let mut out = [(d.splat(0.0), d.splat(0.0)); C];
                for (row, key) in key.iter().enumerate() {
                    let x = load(d, &spectra[row * count + group][line]);
                    for column in 0..C {
                        out[column] = multiply_add(d, out[column], x, load(d, &key[column]));
                    }
                }
                for column in 0..C {
                    store(d, &mut spectra[column * count + group][line], out[column]);
                }
            }
            for column in 0..C {
                tail_up(d, tail, &mut spectra[column * count + group]);
            }
        }
    }
}
