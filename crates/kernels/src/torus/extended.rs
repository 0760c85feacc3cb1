//! The product of a step with several selectors, for accumulators of a higher degree than the key.
//!
//! `X^a P_j`, where `P_j` are the products of the accumulator's components with key `j`, moves each
//! of them to another component. Every product therefore enters two components: the target, times a
//! power of `Y = X^E`, and with negative sign its own.

use super::fetch::Fetch;
use super::lanes::{Complex, Doubles, load, store};
use super::monomials::Monomials;
use super::octet::{GroupPart, Line, LinePart};
use super::product::{MAX_EXTENSION, MAX_SELECTORS};
use super::shared::{Group, Places};
use super::step::Step;
use super::sums_of_keys::{Bounds, Product, add_products};

/// The components to which the selectors of a step move those of an accumulator.
struct Moves {
    extension: usize,
    selectors: usize,
    /// The number of components by which each selector moves.
    by: [usize; MAX_SELECTORS],
    /// Powers of `Y`, for components that do not wrap around and for those that do.
    exponents: [[u32; MAX_SELECTORS]; 2],
}

impl Moves {
    /// Computes the moves for the exponents of a ciphertext, each below `2 E N`.
    fn new(step: &Step<'_>, ciphertext: usize) -> Moves {
        let (extension, selectors) = (step.shape.extension, step.shape.selectors);
        let (mut by, mut exponents) = ([0; MAX_SELECTORS], [[0; MAX_SELECTORS]; 2]);
        for (selector, &exponent) in step.exponents(ciphertext).iter().enumerate() {
            by[selector] = exponent as usize % extension;
            // X^a with a = b + E c moves a component by b places and multiplies it by Y^c; a
            // component that wraps around the E of them gains one more factor of Y.
            let power = exponent / extension as u32;
            [exponents[0][selector], exponents[1][selector]] = [power, power + 1];
        }
        Moves { extension, selectors, by, exponents }
    }

    /// Returns the powers at the places of one part of a group of 64.
    #[cfg_attr(optimized, inline(always))]
    fn powers<'a, D: Doubles>(
        &'a self,
        d: D,
        step: &Step<'a>,
        place: GroupPart,
    ) -> [Monomials<'a, D>; 2] {
        let of = |wrapped: usize| &self.exponents[wrapped][..self.selectors];
        [Monomials::new(d, step.table, of(0), place), Monomials::new(d, step.table, of(1), place)]
    }
}

/// The factors of a line of digits.
struct Factors<'a, D: Doubles, const C: usize> {
    /// Rows of the key of each selector.
    key: &'a [[Line; C]],
    /// One part of the powers, see [`Moves::powers`].
    powers: &'a [[Complex<D>; MAX_SELECTORS]; 2],
}

/// The products of one part of a line, for each component of the accumulator.
type Sums<D, const C: usize> = [[Complex<D>; C]; MAX_EXTENSION];

impl<const C: usize> Product<C> {
    /// Computes one part of a line of `sum_j (X^(a_j) - 1) (K_j * F)` for all components of an
    /// accumulator; the result replaces the digits.
    #[cfg_attr(optimized, inline(always))]
    fn line_of_all<D: Doubles>(
        self,
        d: D,
        spectra: &mut Group<'_>,
        LinePart { line, part }: LinePart,
        moves: &Moves,
        Factors { key, powers }: Factors<'_, D, C>,
        sums: &mut Sums<D, C>,
    ) {
        let zeros = [(d.splat(0.0), d.splat(0.0)); C];
        let sums = &mut sums[..moves.extension];
        sums.fill(zeros);
        // Two components are computed together, so that fewer operations wait for each other.
        for first in (0..sums.len()).step_by(2) {
            for (selector, key) in key.chunks_exact(self.rows).enumerate() {
                let mut products = [zeros; 2];
                for (row, key) in key.iter().enumerate() {
                    let mut keys = zeros;
                    for (copy, key) in keys.iter_mut().zip(key) {
                        *copy = load(d, key, part);
                    }
                    for (from, product) in (first..).zip(&mut products) {
                        let digits = load(d, &spectra.row(from * self.rows + row)[line], part);
                        add_products(d, product, digits, &keys, row == 0);
                    }
                }
                // (X^a - 1) P: the product enters its target with the power, and its own component
                // with the opposite sign.
                for (from, product) in (first..).zip(&products) {
                    let to = from + moves.by[selector];
                    let wrapped = usize::from(to >= sums.len());
                    let to = to - wrapped * sums.len();
                    add_products(d, &mut sums[to], powers[wrapped][selector], product, false);
                    for (sum, x) in sums[from].iter_mut().zip(product) {
                        *sum = (d.sub(sum.0, x.0), d.sub(sum.1, x.1));
                    }
                }
            }
        }
        for (from, sums) in sums.iter().enumerate() {
            for (row, &sum) in self.outputs.into_iter().zip(sums) {
                store(d, &mut spectra.row(from * self.rows + row)[line], part, sum);
            }
        }
    }
}

/// See [`super::SharedParts::multiply_extended`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply_extended<D: Doubles>(
    d: D,
    step: &Step<'_>,
    fetch: &Fetch<'_>,
    places: &mut Places<'_>,
) {
    let shape = step.shape;
    match (shape.rank, shape.rows(), shape.selectors) {
        // The loop bounds of common parameters are literals, so that the compiler unrolls the
        // loops.
        (1, 3, 3) if D::UNROLL => {
            multiply_spectra::<D, 2>(d, step, fetch, &Bounds { rows: 3, selectors: 3 }, places);
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

/// Computes `sum_j (X^(a_j) - 1) (K_j * F)` for all ciphertexts; each component replaces the first
/// spectrum of its column. Processes one group of 64 places after the other, as without extension.
#[cfg_attr(optimized, inline(always))]
fn multiply_spectra<D: Doubles, const C: usize>(
    d: D,
    step: &Step<'_>,
    fetch: &Fetch<'_>,
    &Bounds { rows, selectors }: &Bounds,
    places: &mut Places<'_>,
) {
    let product = Product::new(&step.shape, rows);
    let extension = step.shape.extension;
    let zero = (d.splat(0.0), d.splat(0.0));
    let mut sums = [[zero; C]; MAX_EXTENSION];
    let key: &[[Line; C]] = places.part_of(step.key).as_chunks().0;
    for (group, key) in places.range().zip(key.chunks_exact(8 * rows * selectors)) {
        for ciphertext in 0..places.products() / extension {
            let moves = Moves::new(step, ciphertext);
            let products = ciphertext * extension..(ciphertext + 1) * extension;
            let mut spectra = places.group(products, group, rows);
            for part in 0..D::PARTS {
                let monomials = moves.powers(d, step, GroupPart { group, part });
                for (pair, key) in key.chunks_exact(2 * rows * selectors).enumerate() {
                    let mut even = [[zero; MAX_SELECTORS]; 2];
                    let mut odd = even;
                    for selector in 0..selectors {
                        for i in 0..2 {
                            [even[i][selector], odd[i][selector]] =
                                monomials[i].of_lines(d, selector, pair);
                        }
                    }
                    let (even_key, odd_key) = key.split_at(rows * selectors);
                    let of_lines = [(even_key, &even), (odd_key, &odd)];
                    for (line, (key, powers)) in (2 * pair..).zip(of_lines) {
                        let (place, factors) = (LinePart { line, part }, Factors { key, powers });
                        product.line_of_all(d, &mut spectra, place, &moves, factors, &mut sums);
                    }
                    fetch.advance(d, 4 * selectors * extension / D::PARTS);
                }
            }
        }
    }
}
