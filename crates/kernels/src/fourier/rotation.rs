//! The blind rotation.

use super::digits::{Accumulate, Base, Cut};
use super::fetch::Fetch;
use super::halves;
use super::lanes::{Complex, Doubles, Line, lines, lines_mut, load, multiply_add, store};
use super::monomials::Monomials;
use super::product::Rotation;
use super::table::FourierTable;
use super::transform::{ascend, descend, tail_down, tail_up};

/// The part of a rotation that one step needs.
#[derive(Clone, Copy)]
struct Step<'a> {
    table: &'a FourierTable,
    rotation: Rotation<'a>,
    index: usize,
    steps: usize,
    key: &'a [Line],
    /// Of each column.
    bases: [Base; 4],
}

impl Step<'_> {
    #[inline(always)]
    fn exponents(&self, ciphertext: usize) -> &[u32] {
        let selectors = self.rotation.shape.selectors;
        let at = (ciphertext * self.steps + self.index) * selectors;
        &self.rotation.exponents[at..at + selectors]
    }
}

/// All steps of a batch of blind rotations; see [`super::TorusKernel::rotate`].
#[inline(always)]
pub(crate) fn rotate<D: Doubles>(
    d: D,
    table: &FourierTable,
    rotation: &Rotation<'_>,
    accumulators: &mut [f64],
    scratch: &mut [f64],
) {
    let shape = rotation.shape;
    let length = shape.step_len();
    let steps = rotation.key.len() / length;
    let bases = std::array::from_fn(|column| Base::new(shape.decomposition(column).base()));
    let ciphertexts = accumulators.len() / shape.accumulator_len();
    let at = |index: usize| {
        let key = rotation.key.get(index * length..(index + 1) * length).unwrap_or_default();
        Step { table, rotation: *rotation, index, steps, key: lines(key), bases }
    };
    transform_all(d, None, (steps > 0).then(|| at(0)), accumulators, scratch);
    for index in 0..steps {
        let (step, next) = (at(index), at(index + 1));
        let fetch = Fetch::new(next.key.as_flattened(), ciphertexts * shape.degree / 16);
        multiply(d, step, &fetch, scratch);
        let next = (index + 1 < steps).then_some(next);
        transform_all(d, Some(step), next, accumulators, scratch);
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
    let Some(Step { rotation: Rotation { shape, .. }, table, bases, .. }) = next.or(done) else {
        return;
    };
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
                match *next.exponents(ciphertext) {
                    [exponent] => cut.difference(d, exponent, polynomial, lines_mut(digits)),
                    _ => cut.digits(d, polynomial, lines_mut(digits)),
                }
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
    let shape = step.rotation.shape;
    // The counts of common parameters are written out, so that the loops over them unroll.
    let counts @ [rows, selectors] = [shape.rows(), shape.selectors];
    match (shape.rank, rows, selectors) {
        (1, 2, 1) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, [2, 1], scratch),
        (1, 2, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, [2, 3], scratch),
        (1, 3, 1) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, [3, 1], scratch),
        (1, 3, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, [3, 3], scratch),
        (3, 4, 1) if D::UNROLL => multiply_spectra::<D, 4>(d, step, fetch, [4, 1], scratch),
        (3, 4, 3) if D::UNROLL => multiply_spectra::<D, 4>(d, step, fetch, [4, 3], scratch),
        (1, ..) => multiply_spectra::<D, 2>(d, step, fetch, counts, scratch),
        (2, ..) => multiply_spectra::<D, 3>(d, step, fetch, counts, scratch),
        _ => multiply_spectra::<D, 4>(d, step, fetch, counts, scratch),
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
    [rows, selectors]: [usize; 2],
    scratch: &mut [f64],
) {
    let shape = step.rotation.shape;
    let key: &[[Line; C]] = step.key.as_chunks().0;
    let groups = key.chunks_exact(8 * rows * selectors).zip(&step.table.plan.tails);
    let count = groups.len();
    for (group, (key, tail)) in groups.enumerate() {
        for (ciphertext, spectra) in scratch.chunks_exact_mut(shape.scratch_len()).enumerate() {
            let spectra: &mut [[Line; 8]] = lines_mut(spectra).as_chunks_mut().0;
            for row in 0..rows {
                tail_down(d, tail, &mut spectra[row * count + group]);
            }
            let monomials = (selectors > 1)
                .then(|| Monomials::new(d, step.table, step.exponents(ciphertext), group));
            for (line, key) in key.chunks_exact(rows * selectors).enumerate() {
                fetch.advance(d);
                let spectrum = |row: usize| load(d, &spectra[row * count + group][line]);
                let out = match &monomials {
                    None => product(d, spectrum, key),
                    Some(monomials) => {
                        let mut sum = [(d.splat(0.0), d.splat(0.0)); C];
                        for (selector, key) in key.chunks_exact(rows).enumerate() {
                            let product = product(d, spectrum, key);
                            sum = monomials.add_times(d, [selector, line], product, sum);
                        }
                        sum
                    }
                };
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

/// `sum_row F_row K_row`, column by column.
#[inline(always)]
fn product<D: Doubles, const C: usize>(
    d: D,
    spectrum: impl Fn(usize) -> Complex<D>,
    key: &[[Line; C]],
) -> [Complex<D>; C] {
    let mut sum = [(d.splat(0.0), d.splat(0.0)); C];
    for (row, key) in key.iter().enumerate() {
        let x = spectrum(row);
        for column in 0..C {
            sum[column] = multiply_add(d, sum[column], x, load(d, &key[column]));
        }
    }
    sum
}
