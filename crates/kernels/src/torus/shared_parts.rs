//! The functions of an instruction set that several operations call.

use super::fetch::Fetch;
use super::octet::Line;
use super::product::ProductShape;
use super::shared::{Columns, Group, Places};
use super::step::Step;
use super::table::{Pass, Tail};

/// Parts that several transforms share, compiled once for an instruction set as separate functions.
pub(crate) trait SharedParts {
    /// Runs the sweeps of a forward transform in place.
    fn sweep_down(&self, passes: &[Pass], lines: &mut [Line]);
    /// Runs the sweeps of an inverse transform in place.
    fn sweep_up(&self, passes: &[Pass], lines: &mut [Line]);
    /// Runs the last six levels of a forward transform in each group of 64 values.
    fn tails_down(&self, tails: &[Tail], lines: &mut [Line], fetch: Option<&Fetch<'_>>);
    /// Runs the first six levels of an inverse transform in each group of 64 values.
    fn tails_up(&self, tails: &[Tail], lines: &mut [Line], fetch: Option<&Fetch<'_>>);
    /// Runs the last six levels of a forward transform in one group of the spectra of all digits.
    fn group_down(&self, tail: &Tail, group: &mut Group<'_>, rows: usize);
    /// Runs the first six levels of an inverse transform in one group of the products of all
    /// columns.
    fn group_up(&self, tail: &Tail, group: &mut Group<'_>, shape: &ProductShape);

    // ---- steps of one selector -----------------------------------------------------------------

    /// Runs all transforms of a thread's polynomials between the products of two steps, one
    /// polynomial after the other so that each stays in the first-level cache.
    fn transform_all(
        &self,
        steps: &[Option<Step<'_>>; 2],
        fetch: &Fetch<'_>,
        columns: &mut Columns<'_>,
    );
    /// Replaces the spectra of the digits by the products with the key.
    fn multiply_all(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);

    // ---- steps of several selectors ------------------------------------------------------------

    /// Adds the last products to a thread's polynomials, between the products of two steps, and
    /// transforms the digits of the sums for the next products.
    fn turn_over_all(
        &self,
        steps: &[Option<Step<'_>>; 2],
        fetch: &Fetch<'_>,
        columns: &mut Columns<'_>,
    );
    /// Multiplies all ciphertexts by the key; the products replace the spectra of the digits.
    fn multiply_groups(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);
    /// Multiplies as [`SharedParts::multiply_groups`], for accumulators of a higher degree than the
    /// key.
    fn multiply_extended(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);
}
