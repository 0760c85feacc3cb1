//! Steps with several selectors: the product form of the blind rotation.
//!
//! A step processes several key bits at once. For two uniform bits there are three encryptions, of
//! `s_1 (1 - s_2)`, `s_2 (1 - s_1)` and `s_1 s_2`, at most one of which is an encryption of one; a
//! block of a block-binary key has one for each bit. The step is
//!
//! ```text
//! ACC += sum_j (X^(a_j) - 1) (K_j * ACC)
//! ```
//!
//! The monomials come after the product, as values on the spectrum. So the digits do not depend on
//! the selector, and one set of transforms serves all of them:
//!
//! ```text
//! F_row = transform(digit_row(ACC))
//! ACC  += inverse(sum_row F_row sum_j (X^(a_j) - 1) K_(j,row))     modulo q
//! ```
//!
//! *Noise.* Multiplying by `X^a - 1` after the product doubles its variance, compared with a CMUX.
//! The exponents `a_j` are rounded separately, so that the third of a pair need not be the sum of
//! the other two.
//!
//! *Order of the work.* The keys are summed first (`sums_of_keys.rs`): with two rows and two
//! columns this takes four products for each selector and four more, where summing the products
//! would take six for each selector. One sweep adds, reduces, decomposes and starts the next
//! transform, because the last sweep of the inverse transform and the first one of the forward
//! transform use the same places; the values stay in registers between them. Unlike in a CMUX, the
//! levels inside a group of 64 places belong to the transforms: combined with the product they were
//! a fifth slower (docs/maths/fourier.md).
//!
//! Source: Zhou et al., ASIACRYPT 2017, for groups of uniform bits; Lee, Min, Seo, Song, eprint
//! 2023/958, for block-binary keys.

use super::base::Base;
use super::digits::{Accumulate, AccumulateAndCut};
use super::ends::{Fetching, Source};
use super::fetch::Fetch;
use super::lanes::{Complex, Doubles};
use super::monomials::Monomials;
use super::octet::{GroupPart, Line, LinePart, Octet, halves, halves_mut};
use super::product::{MAX_SELECTORS, ProductShape};
use super::shared::{Columns, Places, SharedRotation};
use super::step::Step;
use super::sums_of_keys::{Bounds, Product};
use super::table::FourierTable;
use super::transform::{self, forward, inverse};

/// The digits of one level of an accumulator polynomial.
#[derive(Clone, Copy)]
struct Digits<'a> {
    /// Number of more significant levels.
    above: usize,
    base: Base,
    fetch: &'a Fetch<'a>,
}

impl<D: Doubles> Source<D> for Digits<'_> {
    #[cfg_attr(optimized, inline(always))]
    fn line(self, d: D, [re, im]: [&Octet; 2], part: usize) -> Complex<D> {
        let digit = |x| self.base.digit(d, d.load(x, part), self.above);
        (digit(re), digit(im))
    }

    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        Some(self.fetch)
    }
}

/// Computes a thread's part of all steps of a batch of blind rotations with several selectors per
/// step.
#[cfg_attr(optimized, inline(always))]
pub(super) fn rotate<D: Doubles>(
    d: D,
    table: &FourierTable,
    work: &SharedRotation<'_>,
    mut columns: Columns<'_>,
) {
    let [before, mut step] = Step::around(columns.step(), table, work.rotation());
    d.turn_over_all(&[before, step], &Fetch::new(&[], 0), &mut columns);
    while let Some(done) = step {
        step = done.next();
        let Some(mut places) = columns.hand_over() else { return };
        let key = places.part_of(step.map_or(&[], |next| next.key));
        let fetch = Fetch::new(key, work.products() * units(&done.shape, &places));
        if done.shape.extension > 1 {
            d.multiply_extended(&done, &fetch, &mut places);
        } else {
            d.multiply_groups(&done, &fetch, &mut places);
        }
        let Some(next) = places.hand_over() else { return };
        columns = next;
        d.turn_over_all(&[Some(done), step], &fetch, &mut columns);
    }
}

/// Returns the number of prefetch units of a thread per step: four for each line of a transform,
/// two for each line of a product and selector.
fn units(shape: &ProductShape, places: &Places<'_>) -> usize {
    let columns = places.columns();
    let levels: usize = columns.clone().map(|column| shape.decomposition(column).levels).sum();
    let product = 2 * shape.selectors * places.range().len() * 8;
    product + 4 * (levels + columns.len()) * shape.degree / 16
}

/// See [`super::SharedParts::turn_over_all`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn turn_over_all<D: Doubles>(
    d: D,
    &[done, next]: &[Option<Step<'_>>; 2],
    fetch: &Fetch<'_>,
    columns: &mut Columns<'_>,
) {
    let Some(Step { shape, table, bases, .. }) = next.or(done) else { return };
    let plan = &table.plan;
    for ciphertext in 0..columns.ciphertexts() {
        for column in columns.range() {
            let base = bases[column];
            for component in 0..shape.extension {
                let (polynomials, spectra) = columns.get(ciphertext, column, component);
                let polynomial = &mut polynomials[component * shape.degree..][..shape.degree];
                let product = &mut spectra[..shape.degree];
                match (done, next) {
                    // The last sweep of the inverse transform and the first sweep of the forward
                    // one use the same places: the sums are reduced, decomposed and transformed
                    // without leaving the registers. This computes the first digit of the next step
                    // as well.
                    (Some(_), Some(_)) => {
                        let update = AccumulateAndCut { base, fetch };
                        let folded = halves_mut(polynomial);
                        transform::inverse_forward(d, plan, product, update, folded);
                    }
                    (Some(_), None) => {
                        let sink = Fetching { sink: Accumulate { base }, fetch };
                        inverse(d, plan, product, sink, halves_mut(polynomial));
                    }
                    (None, _) => {}
                }
                if next.is_some() {
                    let folded = halves(polynomial);
                    let levels = spectra.chunks_exact_mut(shape.degree).enumerate();
                    // Further digits start from the stored sums.
                    for (above, spectrum) in levels.skip(usize::from(done.is_some())) {
                        forward(d, plan, Digits { above, base, fetch }, folded, spectrum);
                    }
                }
            }
        }
    }
}

/// See [`super::SharedParts::multiply_groups`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply_groups<D: Doubles>(
    d: D,
    step: &Step<'_>,
    fetch: &Fetch<'_>,
    places: &mut Places<'_>,
) {
    let shape = step.shape;
    // The loop bounds of common parameters are literals, so that the compiler unrolls the loops.
    match (shape.rank, shape.rows(), shape.selectors) {
        (1, 2, 3) if D::UNROLL => {
            multiply_spectra::<D, 2>(d, step, fetch, &Bounds { rows: 2, selectors: 3 }, places);
        }
        (1, 2, 4) if D::UNROLL => {
            multiply_spectra::<D, 2>(d, step, fetch, &Bounds { rows: 2, selectors: 4 }, places);
        }
        (2, 3, 3) if D::UNROLL => {
            multiply_spectra::<D, 3>(d, step, fetch, &Bounds { rows: 3, selectors: 3 }, places);
        }
        (3, 4, 3) if D::UNROLL => {
            multiply_spectra::<D, 4>(d, step, fetch, &Bounds { rows: 4, selectors: 3 }, places);
        }
        (1, rows, selectors) => {
            multiply_spectra::<D, 2>(d, step, fetch, &Bounds { rows, selectors }, places);
        }
        (2, rows, selectors) => {
            multiply_spectra::<D, 3>(d, step, fetch, &Bounds { rows, selectors }, places);
        }
        (_, rows, selectors) => {
            multiply_spectra::<D, 4>(d, step, fetch, &Bounds { rows, selectors }, places);
        }
    }
}

/// Computes `sum_j (X^(a_j) - 1) (K_j * F)` for all ciphertexts; each polynomial replaces the first
/// spectrum of its column. Processes one group of 64 places after the other, so that all
/// ciphertexts but the first read its key from the first-level cache.
#[cfg_attr(optimized, inline(always))]
fn multiply_spectra<D: Doubles, const C: usize>(
    d: D,
    step: &Step<'_>,
    fetch: &Fetch<'_>,
    &Bounds { rows, selectors }: &Bounds,
    places: &mut Places<'_>,
) {
    let product = Product::new(&step.shape, rows);
    let key: &[[Line; C]] = places.part_of(step.key).as_chunks().0;
    for (group, key) in places.range().zip(key.chunks_exact(8 * rows * selectors)) {
        for ciphertext in 0..places.products() {
            let mut spectra = places.group(ciphertext..ciphertext + 1, group, rows);
            for part in 0..D::PARTS {
                let exponents = step.exponents(ciphertext);
                let place = GroupPart { group, part };
                let monomials = Monomials::new(d, step.table, exponents, place);
                // The monomials at lines 2j and 2j + 1 differ by a sign alone, so that they are
                // computed in pairs.
                for (pair, key) in key.chunks_exact(2 * rows * selectors).enumerate() {
                    let mut even = [(d.splat(0.0), d.splat(0.0)); MAX_SELECTORS];
                    let mut odd = even;
                    for selector in 0..selectors {
                        [even[selector], odd[selector]] = monomials.less_one(d, selector, pair);
                    }
                    let (even_key, odd_key) = key.split_at(rows * selectors);
                    let at = |line| LinePart { line, part };
                    product.line(d, &mut spectra, at(2 * pair), even_key, &even);
                    product.line(d, &mut spectra, at(2 * pair + 1), odd_key, &odd);
                    fetch.advance(d, 4 * selectors / D::PARTS);
                }
            }
        }
    }
}
