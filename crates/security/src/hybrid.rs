//! The primal hybrid attack: some secret coordinates are guessed, and lattice reduction with one
//! decoding per guess finds the others.
//!
//! The lattice of `m` samples keeps `n' = n - zeta` coordinates of the secret, scaled by
//! `xi = max(1, sigma_e / sigma_s)`; its dimension is `d = m + n'` and its volume is
//! `log V = (d - n') log q + n' log xi`. After BKZ with block size `b` the Gram-Schmidt lengths are
//! `log r_i = (d - 1 - 2i) log delta(b) + log V / d`.
//!
//! If the key has a ring, the samples `b = a s + e` also give samples for every rotation of the
//! secret, `X^i b = a (X^i s) + X^i e`, with the same `a`, so that one reduced basis serves all
//! rotations. A guess may be correct for any of `r` rotations, at most the ring's degree. This
//! multiplies the number of guesses by `r`; the probability `p` that a correct one is among them
//! becomes `1 - (1 - p)^r`, so that the reduction is repeated less often. In a meet in the middle,
//! the list of one half depends only on `a` and serves every rotation, so that lists of unequal
//! length take `sqrt(r)` times the work. The assumptions in the attacker's favour are in
//! `docs/maths/tfhe-parameters.md`.
//!
//! Source: Howgrave-Graham, Crypto 2007; Wunderer, eprint 2016/733 (success of Babai's algorithm);
//! Son and Cheon, eprint 2019/1019 (collisions); Albrecht, Curtis, Wunderer, eprint 2019/1183
//! (decoding by a sieve); eprint 2026/279 (rotations).

use crate::guess::{Guesses, attempts, log_any, log_repetitions};
use crate::lwe::Lwe;
use crate::reduction::{
    MIN_BLOCK, first_that_holds, log_bkz_gates, log_root_hermite, log_search_gates, log_sum,
};
use crate::special::{UnitCoordinate, erf, ln_ball_volume};
use std::f64::consts::{LN_2, LOG2_E, PI, SQRT_2};

/// Search over all guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// One decoding for each guess.
    Exhaustive,
    /// One decoding for each half of a guess, matched by collisions: the square root of the number.
    MeetInTheMiddle,
}

/// Decoding of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoding {
    /// Babai's nearest-plane algorithm on the reduced basis.
    Babai,
    /// One sieve in the last dimensions, Babai's algorithm in the others. With
    /// [`Search::MeetInTheMiddle`] the probability that two halves collide is unknown; the attack
    /// is then assumed to succeed always, in the attacker's favour.
    Sieve,
}

/// A variant of the attack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hybrid {
    pub(crate) search: Search,
    pub(crate) decoding: Decoding,
    /// Number of rotations of the secret that one reduced basis may serve; 1 if the key has no
    /// ring.
    pub(crate) rotations: u32,
}

/// The numbers of guessed coordinates that are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuessRange {
    /// The numbers are multiples of this unit.
    pub(crate) unit: u32,
    /// Largest number.
    pub(crate) most: u32,
    /// Step of the first tries. The neighbours of the best one are tried next, in steps of a
    /// sixteenth or one unit, down to single units.
    pub(crate) step: u32,
}

impl GuessRange {
    /// Returns the range for keys of torus schemes.
    pub(crate) fn short(decoding: Decoding, dimension: u32, unit: u32) -> Self {
        // With a sieve, the result depends strongly on a few coordinates, because free dimensions
        // may make the sieve free.
        let step = match decoding {
            Decoding::Sieve => 4,
            Decoding::Babai => 12,
        };
        Self { unit, most: (dimension - 1).min(MOST_GUESSED), step }
    }
}

/// A choice of the guessed coordinates.
#[derive(Clone, Copy, Debug)]
struct Guess<'a> {
    /// Number of guessed coordinates.
    coordinates: u32,
    /// The guesses of their values.
    guesses: &'a Guesses,
}

/// Step of the first tries of the block size; all neighbours of the best one are then tried.
const BLOCK_STEP: u32 = 8;
/// Upper bound of the difference in bits between the cheapest of the first tries and the best block
/// size.
const BLOCK_STEP_BITS: f64 = 10.0;

/// Largest number of guessed coordinates of a dense key; more guesses cost far more than every
/// level.
const MOST_GUESSED: u32 = 1024;

/// Number of last dimensions in which the sieve is searched; larger sieves cost more than every
/// level.
const LARGEST_SIEVE: u32 = 1754;

impl Hybrid {
    /// Returns log2 of the gates of the cheapest attack on `lwe`, and the number of coordinates
    /// that it guesses. `guesses` gives the guesses for a number of coordinates. Only block sizes
    /// up to `largest_block` are tried.
    pub(crate) fn cheapest(
        self,
        lwe: &Lwe,
        largest_block: u32,
        range: GuessRange,
        guesses: impl Fn(u32) -> Guesses,
    ) -> (f64, u32) {
        let (unit, most) = (range.unit, range.most / range.unit);
        let cost = |units: u32, limit: f64| {
            let guessed = units * unit;
            let guess = Guess { coordinates: guessed, guesses: &guesses(guessed) };
            self.cheapest_block(lwe, largest_block, guess, limit)
        };
        let mut step = (range.step / unit).max(1);
        let first = (0..=most).step_by(step as usize);
        let (mut units, mut bits) = smallest(first, f64::INFINITY, cost);
        while step > 1 {
            let near = units.saturating_sub(step)..=(units + step).min(most);
            step = (step / 16).max(1);
            (units, bits) = smallest(near.step_by(step as usize), f64::INFINITY, cost);
        }
        (bits, units * unit)
    }

    /// Returns log2 of the gates with the best block size for one choice of the guessed
    /// coordinates; infinite if it is above `limit`.
    fn cheapest_block(self, lwe: &Lwe, largest: u32, guess: Guess<'_>, limit: f64) -> f64 {
        let cost = |block: u32, limit: f64| self.log_gates(lwe, block, guess, limit);
        let blocks = (MIN_BLOCK..=largest).step_by(BLOCK_STEP as usize);
        // A coarse block size may cost more than the limit although a neighbour is below it.
        let (coarse, bits) = smallest(blocks, limit + BLOCK_STEP_BITS, cost);
        if bits.is_infinite() {
            return bits;
        }
        let low = coarse.saturating_sub(BLOCK_STEP).max(MIN_BLOCK);
        smallest(low..=(coarse + BLOCK_STEP).min(largest), limit, cost).1
    }

    /// Returns log2 of the gates for one block size and one choice of the guessed coordinates;
    /// infinite if it is above `limit`.
    fn log_gates(self, lwe: &Lwe, block: u32, guess: Guess<'_>, limit: f64) -> f64 {
        let Guess { coordinates, guesses } = guess;
        let basis = Reduced::new(lwe, block, coordinates);
        let reduce = log_bkz_gates(f64::from(block), f64::from(basis.dimension));
        if reduce >= limit {
            return f64::INFINITY;
        }
        let (rounded, decode) = match self.decoding {
            Decoding::Babai => (basis.dimension, 2.0 * f64::from(basis.dimension).log2()),
            Decoding::Sieve => {
                let Some(size) = basis.sieve_size() else { return f64::INFINITY };
                let rounded = basis.dimension.saturating_sub(size - 1);
                let lift = 2.0 * f64::from(rounded.max(1)).log2();
                let size = f64::from(size);
                (rounded, log_sum(log_search_gates(size), lift))
            }
        };
        let meet = self.search == Search::MeetInTheMiddle;
        // Two halves of a guess that collide: the square root of their number.
        let share = if meet { 0.5 } else { 1.0 };
        let cost = |log_success: f64| {
            let most = f64::from(self.rotations);
            // More rotations or repetitions than these do not reduce the cost.
            let floor = |log_count: f64, log_hit: f64| {
                let log_any = (log_hit + most.log2()).min(0.0) + log_success;
                (decode + share * log_count).max(reduce - log_any)
            };
            guesses.cheapest(floor, |log_count, log_hit| {
                let rotated = |rotations: f64| {
                    let log_guesses = log_count + rotations.log2();
                    let once = log_sum(reduce, decode + share * log_guesses);
                    once + log_repetitions(log_any(log_hit, rotations) + log_success)
                };
                if self.rotations == 1 {
                    return rotated(1.0);
                }
                let counts = attempts(log_hit, most);
                counts.map(rotated).into_iter().fold(f64::INFINITY, f64::min)
            })
        };
        // The probabilities take most of the time, so the cost with certain success is computed
        // first.
        if cost(0.0) >= limit {
            return f64::INFINITY;
        }
        // With a smaller success probability even a single guess is too expensive.
        let floor = reduce - limit;
        let mut log_success = sum_above(floor, basis.log_rounding_successes(rounded));
        if meet && self.decoding == Decoding::Babai && coordinates > 0 {
            let floor = floor - log_success;
            log_success += sum_above(floor, basis.log_collision_probabilities());
        }
        cost(log_success)
    }
}

/// Returns the sum of terms that are not positive, or minus infinity once it is below `floor`.
fn sum_above(floor: f64, terms: impl Iterator<Item = f64>) -> f64 {
    let mut sum = 0.0;
    for term in terms {
        sum += term;
        if sum < floor {
            return f64::NEG_INFINITY;
        }
    }
    sum
}

/// Returns the argument with the smallest cost below `limit`, and that cost: the first of several
/// equal ones; an infinite cost if there is none. `cost` receives the bound below which its result
/// must be.
fn smallest(
    arguments: impl Iterator<Item = u32>,
    limit: f64,
    cost: impl Fn(u32, f64) -> f64,
) -> (u32, f64) {
    let (mut best, mut bits, mut limit) = (0, f64::INFINITY, limit);
    for argument in arguments {
        let next = cost(argument, limit);
        if next < limit {
            (best, bits, limit) = (argument, next, next);
        }
    }
    (best, bits)
}

/// The lattice after reduction.
struct Reduced {
    dimension: u32,
    /// `ln` of the first length divided by the error deviation, and its decrease for each next
    /// vector.
    ln_first: f64,
    ln_step: f64,
}

impl Reduced {
    fn new(lwe: &Lwe, block: u32, guessed: u32) -> Self {
        let kept = lwe.degree - f64::from(guessed);
        let log_stretch = (lwe.error_deviation / lwe.secret_deviation).max(1.0).log2();
        let log_delta = log_root_hermite(f64::from(block));
        let best = (kept * (lwe.log_modulus - log_stretch) / log_delta).sqrt().ceil();
        // The dimension in which the reduced basis is best, but at least the block size and the
        // number of coordinates that are kept.
        let dimension = best.max(f64::from(block)).max(kept);
        let log_volume = (dimension - kept) * lwe.log_modulus + kept * log_stretch;
        let log_first = (dimension - 1.0) * log_delta + log_volume / dimension;
        Self {
            dimension: dimension as u32,
            ln_first: (log_first - lwe.error_deviation.log2()) * LN_2,
            ln_step: 2.0 * log_delta * LN_2,
        }
    }

    /// Returns `ln` of length `i` divided by the error deviation.
    fn ln_length(&self, i: u32) -> f64 {
        self.ln_first - f64::from(i) * self.ln_step
    }

    /// Returns the size of the sieve that distinguishes the projected error from all other vectors:
    /// the first projection in which the error is longer than the shortest vector, plus one. `None`
    /// if the basis is not sufficiently reduced.
    fn sieve_size(&self) -> Option<u32> {
        let lowest = self.dimension.saturating_sub(LARGEST_SIEVE).max(1) - 1;
        let exceeds = |start: u32| {
            let left = f64::from(self.dimension - start);
            let ln_lengths =
                left * 0.5 * (self.ln_length(start) + self.ln_length(self.dimension - 1));
            // The embedding adds one vector whose length is the error deviation, 1 in these units.
            let size = left + 1.0;
            2.0 * (ln_lengths - ln_ball_volume(size)) / size < size.ln()
        };
        if exceeds(lowest) {
            return None;
        }
        let last = self.dimension - 1;
        let start = if exceeds(last) { first_that_holds(lowest, last, exceeds) } else { last };
        Some(self.dimension - start + 2)
    }

    /// Returns log2 of the probability that Babai's rounding is correct, for each of the first
    /// `count` vectors that can fail, last vector first.
    fn log_rounding_successes(&self, count: u32) -> impl Iterator<Item = f64> {
        let dimension = f64::from(count.max(2));
        let coordinate = UnitCoordinate::new(dimension);
        let last = if count < 2 { 0 } else { count };
        (0..last)
            .rev()
            .map(move |i| (2.0 * self.ln_length(i)).exp() / (4.0 * dimension))
            // The tail of a coordinate decreases like exp(-dimension/2 square).
            .take_while(move |square| 0.5 * dimension * square < NEGLIGIBLE)
            .map(move |square| coordinate.probability(square).log2())
    }

    /// Returns log2 of the probability that the halves of the correct guess collide despite the
    /// error, for each vector, last first, and for all vectors together that are so long that few
    /// collisions are lost.
    fn log_collision_probabilities(&self) -> impl Iterator<Item = f64> {
        let x = |i: u32| self.ln_length(i).exp() / SQRT_2;
        let long = (0..self.dimension).rev().find(|&i| x(i) > LONG);
        // The sum of `-1 / (x sqrt(pi))` over the vectors, a geometric series.
        let series =
            |count: u32| (-f64::from(count) * self.ln_step).exp_m1() / (-self.ln_step).exp_m1();
        let rest = long.map(|i| -LOG2_E * series(i + 1) / (x(i) * PI.sqrt()));
        let short = long.map_or(0, |i| i + 1)..self.dimension;
        short.rev().map(move |i| collision_probability(x(i)).log2()).chain(rest)
    }
}

/// Returns `erf(x) - (1 - exp(-x^2)) / (x sqrt(pi))`: the probability of a collision despite the
/// error in one direction whose length is `x sqrt 2` error deviations.
fn collision_probability(x: f64) -> f64 {
    if x < 1e-3 {
        // The two terms cancel to first order.
        return x / PI.sqrt();
    }
    let (inside, peak) = if x * x < NEGLIGIBLE { (erf(x), (-x * x).exp()) } else { (1.0, 0.0) };
    inside - (1.0 - peak) / (x * PI.sqrt())
}

/// Length, in units of `sqrt 2` error deviations, from which the first-order approximation of the
/// logarithm of [`collision_probability`] has an error below `1e-8`.
const LONG: f64 = 1e4;

/// Exponent beyond which `exp(-x)` does not change a probability near one.
const NEGLIGIBLE: f64 = 40.0;
