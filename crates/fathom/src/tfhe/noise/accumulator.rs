//! The noise of outputs that are read from one accumulator.
//!
//! The errors of the accumulator's masks are multiplied by a key with mean 1/2. Therefore half of
//! their variance is a random walk along the coefficients: each coefficient has the sum of the
//! steps before it less the sum of the steps after it. The rest of the noise is independent between
//! coefficients. These are means over keys; under one key the noise of errors of masks deviates by
//! up to `(1 + sqrt(m / 2)) / sqrt(kN)` for `m` coefficients, which the failure probability counts
//! (`fathom_security::BootstrapNoise::key_deviation`). Derivation: docs/maths/tfhe.md.

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

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_ring::SecretRng;

    /// A linear combination of coefficients.
    type Weights = Vec<(usize, i32)>;

    /// A binary key of several polynomials.
    type Key = Vec<Vec<i64>>;

    fn key(params: &Params, rng: &mut SecretRng) -> Key {
        let spec = params.spec();
        let mut poly = || (0..spec.degree).map(|_| (rng.next_word() & 1) as i64).collect();
        (0..spec.rank).map(|_| poly()).collect()
    }

    /// Returns the coefficient that the step of an error has in a linear combination, under this
    /// polynomial of the key.
    fn step(poly: &[i64], weights: &Weights, from: usize) -> i64 {
        let at = |place: usize| match place.checked_sub(from) {
            Some(distance) => poly[distance],
            None => -poly[place + poly.len() - from],
        };
        weights.iter().map(|&(place, weight)| i64::from(weight) * at(place)).sum()
    }

    /// Returns the variance of a linear combination of coefficients of an error polynomial times
    /// this key, in units of the mean variance of a coefficient.
    fn under_key(key: &Key, weights: &Weights) -> f64 {
        let steps = key
            .iter()
            .flat_map(|poly| (0..poly.len()).map(|from| step(poly, weights, from).pow(2) as f64));
        steps.sum::<f64>() / (key.len() * key[0].len()) as f64 * 2.0
    }

    /// Returns the same as the model has it: that of the whole noise, less that of the part which
    /// is independent between coefficients.
    fn of_model(params: &Params, entries: &[i32]) -> f64 {
        // Noise variances are rounded up; that of a multiple is more precise.
        let all = of_output(params, 0, entries).unwrap().scaled(64).variance();
        let own: i32 = jumps(entries).map(|(_, weight)| weight * weight).sum();
        let share = params.mask_errors();
        (f64::from(all) / 4096.0 - (1.0 - share) * f64::from(own)) / share
    }

    /// Returns the weights of a function's coefficients, at their places in a polynomial.
    fn weights(params: &Params, entries: &[i32]) -> Weights {
        let width = params.spec().degree / entries.len();
        jumps(entries).map(|(index, weight)| (index * width, weight)).collect()
    }

    /// The variance of errors of masks is that of the model on average over keys, and deviates
    /// under one key as [`fathom_security::BootstrapNoise::key_deviation`] says.
    #[test]
    fn variances_under_one_key_spread_about_the_model() {
        const KEYS: u32 = 120;
        let mut rng = SecretRng::insecure_from_seed(31);
        for name in ["u_bool_128", "u_1_1_64", "u_2_2_64"] {
            let params = Params::preset(name).unwrap();
            let half = params.space().half();
            let functions: [Vec<i32>; 4] = [
                vec![1; half as usize],
                (0..half).map(|x| 2 * x - half + 1).collect(),
                (0..half).map(|x| 2 * (x & 1) - 1).collect(),
                (0..half).map(|_| 2 * (rng.next_word() % 7) as i32 - 6).collect(),
            ];
            let dimension = params.spec().rank * params.spec().degree;
            let bound = (1.0 + f64::from(half / 2).sqrt()) / (dimension as f64).sqrt();
            for entries in &functions {
                let (weights, model) = (weights(&params, entries), of_model(&params, entries));
                let ratios: Vec<f64> = (0..KEYS)
                    .map(|_| under_key(&key(&params, &mut rng), &weights) / model)
                    .collect();
                let mean = ratios.iter().sum::<f64>() / f64::from(KEYS);
                let squares = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>();
                let deviation = (squares / f64::from(KEYS - 1)).sqrt();
                println!("{name} {entries:?}: {mean:.4}, deviation {deviation:.4} of {bound:.4}");
                // Four standard deviations of the mean and of the deviation.
                let error = deviation / f64::from(KEYS).sqrt();
                assert!((mean - 1.0).abs() < 4.0 * error + 1e-3, "{name} {entries:?}: {mean}");
                assert!(deviation < 1.26 * bound && deviation > bound / 6.0, "{deviation}");
            }
        }
    }
}
