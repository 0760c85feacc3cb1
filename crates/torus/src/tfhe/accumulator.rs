//! The noise of outputs that are read from one accumulator.
//!
//! A blind rotation is determined by the mask of its argument and by the polynomial that it starts
//! from, which is the test polynomial rotated by the body. Adding a clear integer to the argument
//! rotates that polynomial by whole places, and so does a table whose values are shifted: the same
//! ciphertext results from what looks like unlike functions of unlike arguments. A negated table
//! gives the negative. Therefore the accumulator is the source of noise, named by the argument's
//! mask and the polynomial at the start, and an output is one of its coefficients, or a combination
//! of several (multi-value bootstrapping).
//!
//! The errors of the accumulator's masks are multiplied by a key with mean 1/2. Therefore half of
//! their variance is a random walk along the coefficients: each coefficient has the sum of the
//! steps before it less the sum of the steps after it. The rest of the noise is independent between
//! coefficients. These are means over keys; under one key the noise of errors of masks deviates by
//! up to `(1 + sqrt(m / 2)) / sqrt(kN)` for `m` coefficients, which the failure probability counts
//! (`fathom_security::BootstrapNoise::key_deviation`). Derivation: docs/maths/tfhe.md.

use super::noise::sources::{Term, Walk};
use super::noise::{Noise, source_name};
use crate::tfhe::{Lut, Params, Space};
use std::hash::Hash;

/// The argument of a blind rotation.
#[derive(Clone, Copy, Debug)]
pub(in crate::tfhe) struct Argument {
    /// Identifies the words of the mask.
    pub(in crate::tfhe) mask: u64,
    /// The body, as a torus element.
    pub(in crate::tfhe) body: u64,
    pub(in crate::tfhe) space: Space,
}

impl Argument {
    /// Returns a hash that identifies the ciphertext.
    pub(in crate::tfhe) fn name(&self) -> u64 {
        source_name(&(self.mask, self.body))
    }
}

/// The accumulator of a blind rotation, up to its sign.
#[derive(Clone, Copy, Debug)]
pub(in crate::tfhe) struct Accumulator {
    name: u64,
    sign: i32,
    half: i64,
    walk: Walk,
}

impl Accumulator {
    /// Returns the accumulator for a table of clear values.
    pub(in crate::tfhe) fn of_table(params: &Params, argument: Argument, lut: &Lut) -> Self {
        // The body is a whole number of places and a rest that is less than one.
        let bits = argument.space.bits();
        let (turn, rest) = ((argument.body >> (64 - bits)) as usize, argument.body << bits);
        let start = lut.start(turn);
        let source = source_name(&(argument.mask, rest, bits, start.name));
        Accumulator { sign: start.sign, ..Accumulator::named(params, argument.space, source) }
    }

    /// Returns the accumulator for a table of encrypted values with this identity.
    pub(in crate::tfhe) fn of_encrypted(
        params: &Params,
        argument: Argument,
        table: &impl Hash,
    ) -> Self {
        Accumulator::named(params, argument.space, source_name(&(argument.name(), table)))
    }

    fn named(params: &Params, space: Space, name: u64) -> Self {
        let half = i64::from(space.half());
        let share = params.mask_errors() / 2.0 * f64::from(Noise::UNIT) / half as f64;
        let walk = Walk { steps: half as u16, step: share.round() as u16 };
        Accumulator { name, sign: 1, half, walk }
    }

    /// Returns the noise of the coefficient at a place of the test polynomial, whose variance is
    /// this multiple of that of a bootstrap.
    pub(in crate::tfhe) fn coefficient(&self, place: usize, variance: u32) -> Noise {
        let variance = variance.saturating_mul(Noise::UNIT);
        Noise::of_coefficients(std::iter::once(self.term(place as i64, variance, 1)))
    }

    /// Returns the noise of an output of a multi-value bootstrap. It is a sum of coefficients, with
    /// the differences between neighbouring values of the function as weights.
    pub(in crate::tfhe) fn output(&self, jumps: impl Iterator<Item = (usize, i32)>) -> Noise {
        let term = |(edge, weight)| self.term(-(edge as i64), Noise::UNIT, weight);
        Noise::of_coefficients(jumps.map(term))
    }

    /// Returns the multiple of a coefficient. In the second half of all places, the coefficients of
    /// the first half come back negated.
    fn term(&self, place: i64, variance: u32, weight: i32) -> Term {
        let place = place.rem_euclid(2 * self.half);
        let weight = if place < self.half { self.sign * weight } else { -self.sign * weight };
        let place = (place % self.half) as u16;
        Term { source: self.name, variance, weight, place, walk: self.walk }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::table::lut::jumps;
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
        let accumulator = Accumulator::named(params, params.space(), 0);
        let all = accumulator.output(jumps(entries)).scaled(64).variance();
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
