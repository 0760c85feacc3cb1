//! Values of monomials in the order of a transform.

use super::lanes::{Complex, Doubles, multiply};
use super::octet::GroupPart;
use super::product::MAX_SELECTORS;
use super::table::{FourierTable, Powers};

/// The values of a step's monomials at the places of one part of a group of 64, up to a factor for
/// each line.
pub(super) struct Monomials<'a, D: Doubles> {
    rows: [&'a Powers; MAX_SELECTORS],
    lanes: [Complex<D>; MAX_SELECTORS],
}

impl<'a, D: Doubles> Monomials<'a, D> {
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn new(
        d: D,
        table: &'a FourierTable,
        exponents: &'a [u32],
        GroupPart { group, part }: GroupPart,
    ) -> Self {
        let zero = d.splat(0.0);
        let mut lanes = [(zero, zero); MAX_SELECTORS];
        let mask = table.unity.len() - 1;
        let mut rows = [&table.row_unity[0]; MAX_SELECTORS];
        for ((lane, row), &exponent) in lanes.iter_mut().zip(&mut rows).zip(exponents) {
            let exponent = exponent as usize;
            *row = &table.row_unity[exponent % 8];
            let (re, im) = table.unity[(exponent * table.group_exponents[group] as usize) & mask];
            let powers = &table.lane_unity[exponent % 64];
            let powers = (d.load(&powers.re, part), d.load(&powers.im, part));
            *lane = multiply(d, powers, (d.splat(re), d.splat(im)));
        }
        Monomials { rows, lanes }
    }

    /// Returns `X^a` on lines `2 pair` and `2 pair + 1` of the group; the second is `(-1)^a` times
    /// the first.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn of_lines(&self, d: D, selector: usize, pair: usize) -> [Complex<D>; 2] {
        let row = self.rows[selector];
        let (re, im) = (d.splat(row.re[2 * pair]), d.splat(row.im[2 * pair]));
        let (re, im) = multiply(d, self.lanes[selector], (re, im));
        let sign = d.splat(row.re[1]);
        [(re, im), (d.mul(sign, re), d.mul(sign, im))]
    }

    /// Returns `X^a - 1` on the same lines as [`Monomials::of_lines`].
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn less_one(&self, d: D, selector: usize, pair: usize) -> [Complex<D>; 2] {
        let [even, odd] = self.of_lines(d, selector, pair);
        let one = d.splat(1.0);
        [(d.sub(even.0, one), even.1), (d.sub(odd.0, one), odd.1)]
    }
}
