//! Guesses of some secret coordinates: their number and their probability of being correct. Guesses
//! are tried in the order of their weight, lightest first.

use crate::special::ln_binomial;
use std::f64::consts::{LN_2, LOG2_E};

/// Guesses of a sparse secret: for each maximum weight, log2 of the number of guesses up to it and
/// log2 of the probability that the secret is among them. Both increase with the weight.
#[derive(Clone, Debug)]
pub(crate) struct Guesses {
    steps: Vec<(f64, f64)>,
}

impl Guesses {
    /// Returns the single, always correct guess of no coordinates.
    pub(crate) fn none() -> Self {
        Self { steps: vec![(0.0, 0.0)] }
    }

    /// Returns guesses that are never correct.
    pub(crate) fn impossible() -> Self {
        Self { steps: Vec::new() }
    }

    /// Returns the guesses of `guessed` out of `dimension` coordinates of a secret with exactly
    /// `weight` nonzero ones, each with one of `values` values.
    pub(crate) fn coordinates(dimension: u32, weight: u32, values: u32, guessed: u32) -> Self {
        let lightest = (guessed + weight).saturating_sub(dimension);
        let ln_all = ln_binomial(dimension, guessed);
        Self::cumulate((lightest..=guessed.min(weight)).map(|hit| {
            let count = ln_binomial(guessed, hit) + f64::from(hit) * f64::from(values).ln();
            let ln_probability =
                ln_binomial(weight, hit) + ln_binomial(dimension - weight, guessed - hit) - ln_all;
            (count, ln_probability)
        }))
    }

    /// Returns the guesses of all coordinates of `blocks` blocks of `length`, each zero or one unit
    /// vector with equal probability.
    pub(crate) fn blocks(length: u32, blocks: u32) -> Self {
        let ln_length = f64::from(length).ln();
        let ln_choices = f64::from(length + 1).ln();
        Self::cumulate((0..=blocks).map(|hit| {
            let count = ln_binomial(blocks, hit) + f64::from(hit) * ln_length;
            (count, count - f64::from(blocks) * ln_choices)
        }))
    }

    /// Converts sums of natural logarithms by weight to cumulative sums in bits.
    fn cumulate(weights: impl Iterator<Item = (f64, f64)>) -> Self {
        let (mut count, mut probability) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let steps = weights
            .map(|(ln_count, ln_probability)| {
                count = ln_sum(count, ln_count);
                probability = ln_sum(probability, ln_probability).min(0.0);
                (count * LOG2_E, probability * LOG2_E)
            })
            .take_while(|&(log_count, _)| log_count <= MOST_GUESSES)
            .collect();
        Self { steps }
    }

    /// Returns the smallest `cost(log2 count, log2 probability)` over all maximum weights. `floor`
    /// is a lower bound of the cost that is fast to compute.
    pub(crate) fn cheapest(
        &self,
        floor: impl Fn(f64, f64) -> f64,
        cost: impl Fn(f64, f64) -> f64,
    ) -> f64 {
        self.steps.iter().fold(f64::INFINITY, |best, &(count, hit)| {
            if floor(count, hit) >= best { best } else { best.min(cost(count, hit)) }
        })
    }
}

/// Log2 of the largest number of guesses considered: even with a meet in the middle, more guesses
/// cost more than every level.
const MOST_GUESSES: f64 = 1024.0;

/// Success probability of a repeated attack.
const TARGET: f64 = 0.99;

/// Returns log2 of the number of runs after which an attack with success probability
/// `2^log_probability` has succeeded with probability 0.99.
pub(crate) fn log_repetitions(log_probability: f64) -> f64 {
    let probability = log_probability.exp2();
    if probability > TARGET {
        return 0.0;
    }
    let ln_failure = (1.0 - TARGET).ln();
    if probability < 1e-9 {
        return (-ln_failure).log2() - log_probability;
    }
    (ln_failure / (-probability).ln_1p()).ceil().log2()
}

/// Returns log2 of `1 - (1 - p)^count`, the probability that one of `count` independent attempts
/// succeeds, each with probability `p = 2^log_probability`.
pub(crate) fn log_any(log_probability: f64, count: f64) -> f64 {
    if count <= 1.0 || log_probability >= 0.0 {
        return log_probability.min(0.0);
    }
    if log_probability + count.log2() < -40.0 {
        return log_probability + count.log2();
    }
    (-(count * (-log_probability.exp2()).ln_1p()).exp_m1()).log2()
}

/// Returns the numbers of attempts, from 1 to `most`, that are considered: one, all, and the
/// numbers whose joint failure probability is 1/10 and 1/100, so that two runs or one reach the
/// target.
pub(crate) fn attempts(log_probability: f64, most: f64) -> [f64; 4] {
    let ln_one_fails = (-log_probability.min(0.0).exp2()).ln_1p();
    let enough = |target: f64| ((1.0 - target).ln() / ln_one_fails).ceil().clamp(1.0, most);
    [1.0, most, enough(0.9), enough(TARGET)]
}

/// Returns `ln(e^a + e^b)`.
fn ln_sum(a: f64, b: f64) -> f64 {
    crate::reduction::log_sum(a / LN_2, b / LN_2) * LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(guesses: &Guesses) -> (f64, f64) {
        *guesses.steps.last().expect("at least one weight")
    }

    #[test]
    fn all_guesses_together_are_the_whole_space_and_always_right() {
        let binary = last(&Guesses::coordinates(100, 50, 1, 40));
        assert!((binary.0 - 40.0).abs() < 1e-9 && binary.1.abs() < 1e-9, "{binary:?}");
        let ternary = last(&Guesses::coordinates(100, 66, 2, 30));
        assert!((ternary.0 - 30.0 * 3f64.log2()).abs() < 1e-9 && ternary.1.abs() < 1e-9);
        let blocks = last(&Guesses::blocks(3, 20));
        assert!((blocks.0 - 40.0).abs() < 1e-9 && blocks.1.abs() < 1e-9, "{blocks:?}");
    }

    #[test]
    fn guessing_zeros_misses_every_nonzero_coordinate() {
        // 16 of 512 coordinates of a ternary secret of weight 32 are zero, or have one nonzero.
        let guesses = Guesses::coordinates(512, 32, 2, 16);
        let (count, hit) = guesses.steps[0];
        assert!(count.abs() < 1e-9 && (hit.exp2() - 0.350_436_753_9).abs() < 1e-9);
        let (count, hit) = guesses.steps[1];
        assert!((count.exp2() - 33.0).abs() < 1e-6 && (hit.exp2() - 0.736_293_996_8).abs() < 1e-9);
    }

    #[test]
    fn repetitions_reach_the_target() {
        assert!(log_repetitions(0.0).abs() < f64::EPSILON);
        // Seven coins show heads at least once with probability 1 - 2^-7 > 0.99.
        assert!((log_repetitions(-1.0) - 7f64.log2()).abs() < 1e-12);
        let rare = log_repetitions(-40.0) - (100f64.ln().log2() + 40.0);
        assert!(rare.abs() < 1e-6);
        let joint = log_repetitions(1e-9f64.log2() - 1e-6) - log_repetitions(1e-9f64.log2() + 1e-6);
        assert!(joint.abs() < 1e-4);
    }

    #[test]
    fn one_of_many_attempts_succeeds_more_often() {
        // Ten coins: all show tails with probability 2^-10.
        assert!((log_any(-1.0, 10.0).exp2() - (1.0 - 0.5f64.powi(10))).abs() < 1e-12);
        assert!((log_any(-60.0, 1024.0) + 50.0).abs() < 1e-9);
        assert!((log_any(-45.0, 64.0) + 39.0).abs() < 1e-9);
        assert!(log_any(0.0, 7.0).abs() < 1e-12 && (log_any(-3.0, 1.0) + 3.0).abs() < 1e-12);
        for log_probability in [-70.0, -20.0, -3.0, -0.2] {
            let one_by_one = (0..=10).map(|k| log_any(log_probability, f64::from(1 << k)));
            assert!(one_by_one.collect::<Vec<_>>().windows(2).all(|pair| pair[0] <= pair[1]));
        }
    }

    #[test]
    fn attempts_stay_between_one_and_all() {
        assert!(attempts(-30.0, 64.0).iter().all(|count| (1.0..=64.0).contains(count)));
        assert!(attempts(0.0, 64.0).iter().all(|count| (1.0..=64.0).contains(count)));
        // Seven coins show heads at least once with probability 1 - 2^-7 > 0.99, four > 0.9.
        let tried = attempts(-1.0, 64.0).into_iter().zip([1.0, 64.0, 4.0, 7.0]);
        assert!(tried.into_iter().all(|(count, wanted)| (count - wanted).abs() < 1e-9));
    }

    #[test]
    fn the_cheapest_weight_is_found() {
        let guesses = Guesses::coordinates(100, 50, 1, 10);
        let none = |_, _| f64::NEG_INFINITY;
        assert!(guesses.cheapest(none, |count, _| count).abs() < 1e-9);
        assert!(guesses.cheapest(none, |_, hit| -hit).abs() < 1e-9);
        assert!(Guesses::none().cheapest(none, |count, hit| count - hit).abs() < f64::EPSILON);
        // A floor below the cost changes nothing.
        let cost = |count: f64, hit: f64| count - 3.0 * hit;
        let bounded = guesses.cheapest(|count, _| count, cost);
        assert!((bounded - guesses.cheapest(none, cost)).abs() < f64::EPSILON);
    }
}
