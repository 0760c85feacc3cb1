//! The transform: sweeps over memory, then the last six levels of each 64 values in registers.
//!
//! Spectra lie in lines: eight real parts, then their imaginary parts. The last three levels run
//! after a transposition that is never undone: place `8 k + l` of a group holds node `8 l + k`.

use super::fetch::Fetch;
use super::lanes::{Complex, Doubles, Octet, lines_mut};
use super::sweeps::{sweep_from, sweep_into, sweep_turn};
use super::table::Plan;

/// How the first sweep reads a polynomial.
pub(crate) trait Source<D: Doubles>: Copy {
    /// Whether the plan may be one of [`Plan::in_lanes`], whose sweeps do up to three levels.
    const IN_LANES: bool = false;

    /// One part of the values of a line, from the coefficients that fold to its real and imaginary
    /// parts.
    fn line(self, d: D, folded: [&Octet; 2], part: usize) -> Complex<D>;

    /// What is asked for as the transform gets further: two units for each line, in the sweep that
    /// takes part and in the levels beyond.
    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        None
    }
}

/// How the last sweep writes a polynomial.
pub(crate) trait Sink<D: Doubles>: Copy {
    /// Whether the plan may be one of [`Plan::in_lanes`], whose sweeps do up to three levels.
    const IN_LANES: bool = false;

    /// Takes one part of the values of a line to the coefficients that fold to it.
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>);

    /// What is asked for as the transform gets further: two units for each line, in the sweep that
    /// takes part and in the levels beyond.
    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        None
    }
}

/// How one sweep ends a transform and begins the next one.
pub(crate) trait Turn<D: Doubles>: Copy {
    /// Takes one part of the values of a line to the coefficients that fold to it, and gives these.
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>) -> Complex<D>;

    /// The values to be transformed next, from what [`Turn::put`] gave. That is done for all values
    /// of a butterfly first, so that none waits for its own.
    fn next(self, d: D, x: Complex<D>) -> Complex<D>;

    /// What is asked for as the transform gets further: two units for each line, in the sweep that
    /// takes part and in the levels beyond.
    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        None
    }
}

/// Transforms what `source` reads from a polynomial into `spectrum`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn forward<D: Doubles, S: Source<D>>(
    d: D,
    plan: &Plan,
    source: S,
    folded: [&[Octet]; 2],
    spectrum: &mut [f64],
) {
    let lines = lines_mut(spectrum);
    let Some((first, rest)) = plan.passes.split_first() else { return };
    sweep_from(d, first, source, folded, lines);
    d.sweep_down(rest, lines);
    d.tails_down(&plan.tails, lines, source.fetch());
}

/// `M` times the inverse of the transform of `spectrum`, which is overwritten, by `sink` to a
/// polynomial.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn inverse<D: Doubles, S: Sink<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    sink: S,
    folded: [&mut [Octet]; 2],
) {
    d.tails_up(&plan.tails, lines_mut(spectrum), sink.fetch());
    ascend(d, plan, spectrum, sink, folded);
}

/// [`inverse`], and [`forward`] of what `turn` gives, in place of `spectrum`: each value stays in
/// registers from the last sweep of one to the first of the other.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn turn_over<D: Doubles, T: Turn<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    turn: T,
    folded: [&mut [Octet]; 2],
) {
    let lines = lines_mut(spectrum);
    d.tails_up(&plan.tails, lines, turn.fetch());
    let Some((first, rest)) = plan.passes.split_first() else { return };
    d.sweep_up(rest, lines);
    sweep_turn(d, first, lines, turn, folded);
    d.sweep_down(rest, lines);
    d.tails_down(&plan.tails, lines, turn.fetch());
}

/// The levels of [`forward`] above the groups of 64, in place.
#[cfg_attr(optimized, inline(always))]
pub(super) fn descend<D: Doubles>(d: D, plan: &Plan, spectrum: &mut [f64]) {
    d.sweep_down(&plan.passes, lines_mut(spectrum));
}

/// The levels of [`inverse`] above the groups of 64.
#[cfg_attr(optimized, inline(always))]
pub(super) fn ascend<D: Doubles, S: Sink<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    sink: S,
    folded: [&mut [Octet]; 2],
) {
    let lines = lines_mut(spectrum);
    let Some((first, rest)) = plan.passes.split_first() else { return };
    d.sweep_up(rest, lines);
    sweep_into(d, first, lines, sink, folded);
}
