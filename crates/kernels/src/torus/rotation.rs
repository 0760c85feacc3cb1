//! Blind rotation, and its steps with one selector (CMUX).
//!
//! A blind rotation multiplies an accumulator, a GLWE ciphertext, by `X^(a_i s_i)` for every
//! coefficient `s_i` of a binary LWE key that is known only by encryptions. A step with the
//! encryption `K` of one key bit is the external product
//!
//! ```text
//! ACC += K * ((X^a - 1) ACC)
//! ```
//!
//! The difference of two rotations of the accumulator is decomposed into digits, each digit is
//! transformed, and the spectra are multiplied by the rows of the key and added up:
//!
//! ```text
//! F_row = transform(digit_row((X^a - 1) ACC))
//! ACC  += inverse(sum_row F_row K_row)     modulo q
//! ```
//!
//! *Units.* Accumulators are reals in units of `q / B` for the base `B` of the digits, so that a
//! digit is the nearest integer, `x + 3 * 2^51 - 3 * 2^51`, and the remainder modulo `q` is the
//! same rounding at `B` times the size. Neither takes a conversion to integers. Masks and body have
//! decompositions of their own: the rounding error of a mask is multiplied by the key, that of the
//! body is not.
//!
//! *Order of the work.* A step is cut where memory is. Between two products, all work on one
//! polynomial is done while it is in the first-level cache: the last levels of the inverse
//! transform, the addition, the digits of the next step and the first levels of their transform
//! ([`transform_all`]). The six levels inside a group of 64 places touch nothing outside the group,
//! and so they are computed together with the product of that group ([`multiply_all`]). The key of
//! a step is one stream in the order group, line, row, column, read from memory by the first
//! ciphertext of a batch and from the cache by the others. The key of the next step is prefetched a
//! few lines at a time during both parts; in bursts they would wait for free line buffers.
//!
//! *Error.* The transforms are in double precision. For `N = 2048` and digits of 22 bits the
//! largest error measured in a coefficient is `2^-23.7` of the torus, and a test asserts `2^-22`
//! (docs/maths/fourier.md lists the shapes). It is part of the noise model in
//! `crates/security/src/bootstrap.rs`. AVX2 and AVX-512 execute the same operations in the same
//! order and give the same bits.
//!
//! *Tried and given up* (measured in docs/maths/fourier.md): prefetching each line twice or every
//! second line, reading lines instead of prefetching them, sweeps of three levels (their values lie
//! at distances of a power of two and share a cache set), and complex products with three
//! multiplications, which need more registers than there are.
//!
//! Steps with several selectors take another form: see `grouped.rs`. Source: Chillotti, Gama,
//! Georgieva, Izabachène, ASIACRYPT 2016.

use super::digits::{Accumulate, Cut};
use super::ends::Fetching;
use super::fetch::Fetch;
use super::grouped;
use super::lanes::{self, Complex, Doubles, load, multiply_add, store};
use super::octet::{Line, LinePart, halves_mut, lines_mut};
use super::product::ProductShape;
use super::shared::{Columns, Group, Places, SharedRotation, first_row};
use super::step::Step;
use super::table::FourierTable;
use super::transform::{ascend, descend};

/// Computes a thread's part of all steps of a batch of blind rotations; see
/// [`super::TorusKernel::rotate`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn rotate<D: Doubles>(d: D, table: &FourierTable, work: &SharedRotation<'_>) {
    let Some(mut columns) = work.take_part() else { return };
    let rotation = work.rotation();
    if rotation.shape.selectors > 1 {
        return grouped::rotate(d, table, work, columns);
    }
    // A thread that joins late starts in the middle of the rotation: the product of the step before
    // it waits to be added.
    let [before, mut step] = Step::around(columns.step(), table, rotation);
    d.transform_all(&[before, step], &Fetch::new(&[], 0), &mut columns);
    while let Some(done) = step {
        step = done.next();
        let Some(mut places) = columns.hand_over() else { return };
        // Each thread prefetches only its own part of the next key, so that the key crosses the
        // memory bus once.
        let key = places.part_of(step.map_or(&[], |next| next.key));
        let fetch = Fetch::new(key, work.products() * units(&rotation.shape, &places));
        d.multiply_all(&done, &fetch, &mut places);
        let Some(next) = places.hand_over() else { return };
        columns = next;
        d.transform_all(&[Some(done), step], &fetch, &mut columns);
    }
}

/// Returns the number of prefetch units of a thread per step: four for each line of a product, two
/// for each line of an inverse transform, and one for each octet that is decomposed into digits.
/// Each of the three parts is about a third of the units and of the time.
fn units(shape: &ProductShape, places: &Places<'_>) -> usize {
    4 * 8 * places.range().len() + (2 + 2) * places.columns().len() * shape.degree / 16
}

/// See [`super::SharedParts::transform_all`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn transform_all<D: Doubles>(
    d: D,
    &[done, next]: &[Option<Step<'_>>; 2],
    fetch: &Fetch<'_>,
    columns: &mut Columns<'_>,
) {
    let Some(Step { shape, table, bases, .. }) = next.or(done) else { return };
    for ciphertext in 0..columns.ciphertexts() {
        for column in columns.range() {
            let base = bases[column];
            if done.is_some() {
                let sink = Fetching { sink: Accumulate { base }, fetch };
                for component in 0..shape.extension {
                    let (polynomials, spectra) = columns.get(ciphertext, column, component);
                    let polynomial = &mut polynomials[component * shape.degree..][..shape.degree];
                    // The product stands where the first digit of this column stood, so that it
                    // needs no memory of its own.
                    let product = &mut spectra[..shape.degree];
                    ascend(d, &table.plan, product, sink, halves_mut(polynomial));
                }
            }
            let Some(next) = next else { continue };
            let cut = Cut::new(base, shape.degree, fetch);
            for component in 0..shape.extension {
                let (polynomials, spectra) = columns.get(ciphertext, column, component);
                // The rotated accumulator is never formed: the digits are those of the difference
                // of two places of the same polynomial.
                let exponent = next.exponents(ciphertext)[0];
                cut.difference(d, exponent, polynomials, component, lines_mut(spectra));
                for spectrum in spectra.chunks_exact_mut(shape.degree) {
                    descend(d, &table.plan, spectrum);
                }
            }
        }
    }
}

/// See [`super::SharedParts::multiply_all`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply_all<D: Doubles>(
    d: D,
    step: &Step<'_>,
    fetch: &Fetch<'_>,
    places: &mut Places<'_>,
) {
    let shape = step.shape;
    // The loop bounds of common parameters are literals, so that the compiler unrolls the loops.
    match (shape.rank, shape.rows()) {
        (1, 2) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, 2, places),
        (1, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, fetch, 3, places),
        (1, rows) => multiply_spectra::<D, 2>(d, step, fetch, rows, places),
        (2, rows) => multiply_spectra::<D, 3>(d, step, fetch, rows, places),
        (_, rows) => multiply_spectra::<D, 4>(d, step, fetch, rows, places),
    }
}

/// Multiplies by the key; each product replaces the first spectrum of its column. Processes one
/// group of 64 places after the other: all products but the first read the group's key from the
/// first-level cache, and the six levels of the transforms within the group are computed at the
/// same time.
#[cfg_attr(optimized, inline(always))]
fn multiply_spectra<D: Doubles, const C: usize>(
    d: D,
    step: &Step<'_>,
    fetch: &Fetch<'_>,
    rows: usize,
    places: &mut Places<'_>,
) {
    let shape = step.shape;
    let key: &[[Line; C]] = places.part_of(step.key).as_chunks().0;
    for (group, key) in places.range().zip(key.chunks_exact(8 * rows)) {
        let tail = &step.table.plan.tails[group];
        for product in 0..places.products() {
            let mut spectra = places.group(product..product + 1, group, rows);
            // The last levels of the forward transforms, the products and the first levels of the
            // inverse transforms of these 64 places happen while they are in registers and in the
            // first-level cache.
            d.group_down(tail, &mut spectra, rows);
            for (line, key) in key.chunks_exact(rows).enumerate() {
                fetch.advance(d, 4);
                for part in 0..D::PARTS {
                    let at = LinePart { line, part };
                    let out = product_of_line(d, &mut spectra, at, key);
                    for (column, out) in out.into_iter().enumerate() {
                        store(d, &mut spectra.row(first_row(&shape, column))[line], part, out);
                    }
                }
            }
            d.group_up(tail, &mut spectra, &shape);
        }
    }
}

/// Returns one part of a line of the product of the digits' spectra with the key, for each column.
/// The first row initialises the sums, so that no sum is cleared.
#[cfg_attr(optimized, inline(always))]
fn product_of_line<D: Doubles, const C: usize>(
    d: D,
    spectra: &mut Group<'_>,
    LinePart { line, part }: LinePart,
    key: &[[Line; C]],
) -> [Complex<D>; C] {
    let mut sums = [(d.splat(0.0), d.splat(0.0)); C];
    for (row, key) in key.iter().enumerate() {
        let x = load(d, &spectra.row(row)[line], part);
        for column in 0..C {
            let key = load(d, &key[column], part);
            let sum = sums[column];
            sums[column] =
                if row == 0 { lanes::multiply(d, x, key) } else { multiply_add(d, sum, x, key) };
        }
    }
    sums
}
