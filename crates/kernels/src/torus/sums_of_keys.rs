//! The product of a step with several selectors, computed with the sum of their keys.
//!
//! `sum_j m_j (sum_row F_row K_(j,row))` equals `sum_row F_row (sum_j m_j K_(j,row))`, which saves
//! one product for each selector and column.

use super::lanes::{Complex, Doubles, load, store};
use super::octet::{Line, LinePart};
use super::product::ProductShape;
use super::shared::{Group, first_row};
use std::array;

/// The numbers of digit rows and of selectors of a step, which bound the loops over its key.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) rows: usize,
    pub(super) selectors: usize,
}

/// Positions of the digits and of the products.
#[derive(Clone, Copy)]
pub(super) struct Product<const C: usize> {
    /// Number of digit rows, and of key rows for each selector.
    pub(super) rows: usize,
    /// The row that the product of each column replaces.
    pub(super) outputs: [usize; C],
}

impl<const C: usize> Product<C> {
    /// Creates the positions; each product replaces the first row of its column.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn new(shape: &ProductShape, rows: usize) -> Self {
        let outputs = array::from_fn(|column| first_row(shape, column));
        assert!(outputs.iter().all(|row| *row < rows));
        Product { rows, outputs }
    }

    /// Computes one part of a line of `sum_row F_row (sum_j m_j K_(j,row))`; it replaces digits.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn line<D: Doubles>(
        self,
        d: D,
        spectra: &mut Group<'_>,
        LinePart { line, part }: LinePart,
        key: &[[Line; C]],
        monomials: &[Complex<D>],
    ) {
        let zeros = [(d.splat(0.0), d.splat(0.0)); C];
        // Four concurrent sums keep the multipliers busy and fit in 16 registers together with
        // their addends.
        let together = if C == 2 { 2 } else { 1 };
        let mut out = zeros;
        for above in (0..self.rows).step_by(together) {
            let mut sums = [zeros; 2];
            let sums = &mut sums[..together.min(self.rows - above)];
            for (selector, key) in key.chunks_exact(self.rows).enumerate() {
                for (sum, key) in sums.iter_mut().zip(&key[above..]) {
                    let mut keys = zeros;
                    for (copy, key) in keys.iter_mut().zip(key) {
                        *copy = load(d, key, part);
                    }
                    add_products(d, sum, monomials[selector], &keys, selector == 0);
                }
            }
            for (row, sum) in (above..).zip(sums) {
                let digits = load(d, &spectra.row(row)[line], part);
                add_products(d, &mut out, digits, sum, row == 0);
            }
        }
        for (row, out) in self.outputs.into_iter().zip(out) {
            store(d, &mut spectra.row(row)[line], part, out);
        }
    }
}

/// Adds `a b` to sums, or initialises them. The first halves of all complex products are computed
/// before the second halves, which depend on them.
#[cfg_attr(optimized, inline(always))]
pub(super) fn add_products<D: Doubles, const C: usize>(
    d: D,
    sums: &mut [Complex<D>; C],
    a: Complex<D>,
    b: &[Complex<D>; C],
    begin: bool,
) {
    for (sum, b) in sums.iter_mut().zip(b) {
        *sum = if begin {
            (d.mul(a.0, b.0), d.mul(a.0, b.1))
        } else {
            (d.add_mul(sum.0, a.0, b.0), d.add_mul(sum.1, a.0, b.1))
        };
    }
    for (sum, b) in sums.iter_mut().zip(b) {
        *sum = (d.sub_mul(sum.0, a.1, b.1), d.add_mul(sum.1, a.1, b.0));
    }
}
