//! The transform: sweeps over memory, then the last six levels of each 64 values in registers.
//!
//! Spectra lie in lines: eight real parts, then their imaginary parts. The last three levels run
//! after a transposition that is never undone: place `8 k + l` of a group holds node `8 l + k`.

use super::lanes::{Complex, Doubles, Octet, lines_mut};
use super::sweeps::{sweep_down, sweep_from, sweep_into, sweep_turn, sweep_up};
use super::table::Plan;
use super::tail::{tail_down, tail_up};

/// How the first sweep reads a polynomial.
pub(crate) trait Source<D: Doubles>: Copy {
    /// One part of the values of a line, from the coefficients that fold to its real and imaginary
    /// parts.
    fn line(self, d: D, folded: [&Octet; 2], part: usize) -> Complex<D>;

    /// Called as the first sweep or the last levels get so many lines further, for what may be done
    /// meanwhile.
    #[inline(always)]
    fn pause(self, _d: D, _lines: usize) {}
}

/// How the last sweep writes a polynomial.
pub(crate) trait Sink<D: Doubles>: Copy {
    /// Takes one part of the values of a line to the coefficients that fold to it.
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>);

    /// Called as the first levels or the last sweep get so many lines further, for what may be done
    /// meanwhile.
    #[inline(always)]
    fn pause(self, _d: D, _lines: usize) {}
}

/// How one sweep ends a transform and begins the next one.
pub(crate) trait Turn<D: Doubles>: Copy {
    /// Takes one part of the values of a line to the coefficients that fold to it, and gives these.
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>) -> Complex<D>;

    /// The values to be transformed next, from what [`Turn::put`] gave. That is done for all values
    /// of a butterfly first, so that none waits for its own.
    fn next(self, d: D, x: Complex<D>) -> Complex<D>;

    /// Called as the first levels, the sweep or the last levels get so many lines further, for what
    /// may be done meanwhile.
    #[inline(always)]
    fn pause(self, _d: D, _lines: usize) {}
}

/// Transforms what `source` reads from a polynomial into `spectrum`.
#[inline(always)]
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
    sweep_down(d, rest, lines);
    for (group, tail) in lines_mut(spectrum).as_chunks_mut().0.iter_mut().zip(&plan.tails) {
        tail_down(d, tail, group);
        source.pause(d, 8);
    }
}

/// `M` times the inverse of the transform of `spectrum`, which is overwritten, by `sink` to a
/// polynomial.
#[inline(always)]
pub(crate) fn inverse<D: Doubles, S: Sink<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    sink: S,
    folded: [&mut [Octet]; 2],
) {
    for (group, tail) in lines_mut(spectrum).as_chunks_mut().0.iter_mut().zip(&plan.tails) {
        tail_up(d, tail, group);
        sink.pause(d, 8);
    }
    ascend(d, plan, spectrum, sink, folded);
}

/// [`inverse`], and [`forward`] of what `turn` gives, in place of `spectrum`: each value stays in
/// registers from the last sweep of one to the first of the other.
#[inline(always)]
pub(crate) fn turn_over<D: Doubles, T: Turn<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    turn: T,
    folded: [&mut [Octet]; 2],
) {
    for (group, tail) in lines_mut(spectrum).as_chunks_mut().0.iter_mut().zip(&plan.tails) {
        tail_up(d, tail, group);
        turn.pause(d, 8);
    }
    let lines = lines_mut(spectrum);
    let Some((first, rest)) = plan.passes.split_first() else { return };
    sweep_up(d, rest, lines);
    sweep_turn(d, first, lines, turn, folded);
    sweep_down(d, rest, lines);
    for (group, tail) in lines_mut(spectrum).as_chunks_mut().0.iter_mut().zip(&plan.tails) {
        tail_down(d, tail, group);
        turn.pause(d, 8);
    }
}

/// The levels of [`forward`] above the groups of 64, in place.
#[inline(always)]
pub(super) fn descend<D: Doubles>(d: D, plan: &Plan, spectrum: &mut [f64]) {
    sweep_down(d, &plan.passes, lines_mut(spectrum));
}

/// The levels of [`inverse`] above the groups of 64.
#[inline(always)]
pub(super) fn ascend<D: Doubles, S: Sink<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    sink: S,
    folded: [&mut [Octet]; 2],
) {
    let lines = lines_mut(spectrum);
    let Some((first, rest)) = plan.passes.split_first() else { return };
    sweep_up(d, rest, lines);
    sweep_into(d, first, lines, sink, folded);
}
