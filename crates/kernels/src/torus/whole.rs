//! Whole transforms of single polynomials, and products of spectra.

use super::ends::{Add, Plain};
use super::lanes::{self, Doubles, load, store};
use super::octet::{halves, halves_mut, lines, lines_mut};
use super::table::FourierTable;
use super::transform;

/// See [`super::TorusKernel::forward`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn forward<D: Doubles>(
    d: D,
    table: &FourierTable,
    polynomial: &[f64],
    spectrum: &mut [f64],
) {
    transform::forward(d, &table.plan, Plain, halves(polynomial), spectrum);
}

/// See [`super::TorusKernel::inverse_add`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn inverse_add<D: Doubles>(
    d: D,
    table: &FourierTable,
    spectrum: &mut [f64],
    polynomial: &mut [f64],
) {
    transform::inverse(d, &table.plan, spectrum, Add, halves_mut(polynomial));
}

/// See [`super::TorusKernel::multiply_add`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply_add<D: Doubles>(d: D, sum: &mut [f64], a: &[f64], b: &[f64]) {
    let terms = lines(a).iter().zip(lines(b));
    for (sum, (a, b)) in lines_mut(sum).iter_mut().zip(terms) {
        for part in 0..D::PARTS {
            let (x, a, b) = (load(d, sum, part), load(d, a, part), load(d, b, part));
            store(d, sum, part, lanes::multiply_add(d, x, a, b));
        }
    }
}
