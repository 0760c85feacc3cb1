//! The transform: passes over memory, then the last six levels of each group of 64 values in
//! registers.
//!
//! Spectra are stored in lines: eight real parts, then their imaginary parts. The last three levels
//! follow a transposition that is not undone: place `8 k + l` of a group holds node `8 l + k`.

use super::ends::{Sink, Source, Update};
use super::lanes::Doubles;
use super::octet::{Octet, lines_mut};
use super::sweeps::{sweep_from, sweep_into, sweep_update};
use super::table::Plan;

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

/// Computes `M` times the inverse transform of `spectrum`, which is overwritten; `sink` writes the
/// result to a polynomial.
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

/// Computes [`inverse`] and then [`forward`] of the result of `update`, in place of `spectrum`;
/// each value stays in registers from the last sweep of the first to the first sweep of the second.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn inverse_forward<D: Doubles, T: Update<D>>(
    d: D,
    plan: &Plan,
    spectrum: &mut [f64],
    update: T,
    folded: [&mut [Octet]; 2],
) {
    let lines = lines_mut(spectrum);
    d.tails_up(&plan.tails, lines, update.fetch());
    let Some((first, rest)) = plan.passes.split_first() else { return };
    d.sweep_up(rest, lines);
    sweep_update(d, first, lines, update, folded);
    d.sweep_down(rest, lines);
    d.tails_down(&plan.tails, lines, update.fetch());
}

/// Computes the levels of [`forward`] above the groups of 64, in place.
#[cfg_attr(optimized, inline(always))]
pub(super) fn descend<D: Doubles>(d: D, plan: &Plan, spectrum: &mut [f64]) {
    d.sweep_down(&plan.passes, lines_mut(spectrum));
}

/// Computes the levels of [`inverse`] above the groups of 64.
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
