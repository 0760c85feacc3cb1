//! The noise of outputs that are read from one accumulator.
//!
//! The errors of its masks are multiplied by a key with a mean of 1/2, so that a half of theirs is
//! one random walk along the coefficients: a coefficient has the sum of the steps before it less
//! the sum of those after it. All else is independent from one coefficient to the next.
//! Derivation: docs/maths/tfhe.md.

use super::Params;
use super::block::name;
use super::lut::jumps;
use super::noise::Noise;
use std::hash::Hash;

/// The noise of an output of a multi-value bootstrap: a sum of coefficients of the accumulator, as
/// many times each as the function jumps there. None for a function that does not jump.
///
/// Summed with the jumps as weights, the walk's step in a box counts with the doubled value of the
/// function there.
pub(super) fn of_output(params: &Params, accumulator: impl Hash, boxes: &[i32]) -> Option<Noise> {
    let mut jumps = jumps(boxes).peekable();
    jumps.peek()?;
    Some(sum(params, accumulator, jumps, boxes.iter().copied()))
}

/// The noise of the coefficient at `index` of as many, which are as far apart as they can be.
pub(super) fn of_stretch(
    params: &Params,
    accumulator: impl Hash,
    index: usize,
    stretches: usize,
) -> Noise {
    let steps = (0..stretches).map(|step| if step <= index { 1 } else { -1 });
    sum(params, accumulator, [(index, 1)].into_iter(), steps)
}

/// The noise of coefficients of one accumulator with their weights, and of the walk's steps with
/// theirs. `accumulator` is a name that no other has.
fn sum(
    params: &Params,
    accumulator: impl Hash,
    coefficients: impl Iterator<Item = (usize, i32)>,
    steps: impl ExactSizeIterator<Item = i32>,
) -> Noise {
    let walk = params.mask_errors() / 2.0 * f64::from(Noise::UNIT);
    let step = (walk / steps.len() as f64).round() as u32;
    // A coefficient alone has the noise of a plain bootstrap, to the last unit.
    let own = Noise::UNIT.saturating_sub(step.saturating_mul(steps.len() as u32));
    let [own_name, step_name] = ["own", "step"].map(|kind| name(&(&accumulator, kind)));
    let coefficients = coefficients.map(|(place, weight)| (name(&(own_name, place)), own, weight));
    let steps = steps.enumerate().map(|(index, weight)| (name(&(step_name, index)), step, weight));
    Noise::of_sources(coefficients.chain(steps))
}
