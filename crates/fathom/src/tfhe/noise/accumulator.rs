//! The noise of outputs that are read from one accumulator.
//!
//! The errors of the accumulator's masks are multiplied by a key with mean 1/2. Therefore half of
//! their variance is a random walk along the coefficients: each coefficient has the sum of the
//! steps before it less the sum of the steps after it. The rest of the noise is independent between
//! coefficients. Derivation: docs/maths/tfhe.md.

use super::{Noise, source_name};
use crate::tfhe::Params;
use crate::tfhe::table::lut::jumps;
use std::hash::Hash;

/// Returns the noise of an output of a multi-value bootstrap, or `None` for a constant function.
///
/// The output is a sum of coefficients of the accumulator, with the differences between
/// neighbouring values of the function as weights. A step of the random walk thereby gets the
/// doubled value of the function at its position as its weight.
pub(in crate::tfhe) fn of_output(
    params: &Params,
    accumulator: impl Hash,
    entries: &[i32],
) -> Option<Noise> {
    let mut jumps = jumps(entries).peekable();
    jumps.peek()?;
    Some(sum(params, accumulator, jumps, entries.iter().copied()))
}

/// Returns the noise of coefficient `index` of `segments` equidistant coefficients.
pub(in crate::tfhe) fn of_stretch(
    params: &Params,
    accumulator: impl Hash,
    index: usize,
    segments: usize,
) -> Noise {
    let steps = (0..segments).map(|step| if step <= index { 1 } else { -1 });
    sum(params, accumulator, [(index, 1)].into_iter(), steps)
}

/// Returns the noise of a linear combination of an accumulator's coefficients and of the steps of
/// its random walk. `accumulator` identifies the accumulator.
fn sum(
    params: &Params,
    accumulator: impl Hash,
    coefficients: impl Iterator<Item = (usize, i32)>,
    steps: impl ExactSizeIterator<Item = i32>,
) -> Noise {
    let walk = params.mask_errors() / 2.0 * f64::from(Noise::UNIT);
    let step = (walk / steps.len() as f64).round() as u32;
    // A single coefficient has exactly the noise of a bootstrap with one function.
    let own = Noise::UNIT.saturating_sub(step.saturating_mul(steps.len() as u32));
    let [own_name, step_name] = ["own", "step"].map(|kind| source_name(&(&accumulator, kind)));
    let coefficients =
        coefficients.map(|(place, weight)| (source_name(&(own_name, place)), own, weight));
    let steps =
        steps.enumerate().map(|(index, weight)| (source_name(&(step_name, index)), step, weight));
    Noise::of_sources(coefficients.chain(steps))
}
