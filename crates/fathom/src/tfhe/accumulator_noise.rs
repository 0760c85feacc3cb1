//! The noise of outputs that are read from one accumulator.

use super::Params;
use super::block::name;
use super::lut::jumps;
use super::noise::Noise;
use std::hash::Hash;

/// The noise of an output of a multi-value bootstrap: a sum of coefficients of the accumulator, as
/// many times each as the function jumps there. The accumulator has the name `accumulator`; none
/// for a function that does not jump.
///
/// The errors of its masks are multiplied by a key with a mean of 1/2, so that a half of theirs is
/// one random walk along the coefficients, with a step in each box of the table: a coefficient has
/// the sum of the steps before it less the sum of those after it. Summed with the jumps as weights,
/// the step in a box counts with the function's value there. All else is independent from one
/// coefficient to the next. Derivation: docs/maths/tfhe.md.
pub(super) fn of_output(params: &Params, accumulator: impl Hash, boxes: &[i32]) -> Option<Noise> {
    let unit = f64::from(Noise::UNIT);
    let walk = params.mask_errors() / 2.0;
    let step = (walk * unit / boxes.len() as f64).ceil() as u32;
    let own = ((1.0 - walk) * unit).ceil() as u32;
    let (own_name, step_name) = (name(&(&accumulator, "own")), name(&(&accumulator, "step")));
    let mut edges =
        jumps(boxes).map(|(edge, jump)| (name(&(own_name, edge)), own, jump)).peekable();
    edges.peek()?;
    let steps = boxes.iter().enumerate();
    let steps = steps.map(|(index, &value)| (name(&(step_name, index)), step, value));
    Some(Noise::of_sources(edges.chain(steps)))
}
