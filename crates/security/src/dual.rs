//! The dual hybrid attack: short vectors of the dual lattice distinguish a correct guess of some
//! secret coordinates from the wrong ones, for all guesses at once by a Fourier transform.
//!
//! `k_enum` coordinates are enumerated, `k_fft` are guessed modulo a small `p`, and the lattice
//! keeps `k_lat = n - k_enum - k_fft`. With `m = n` samples its dimension is `d = m + k_lat`. BKZ
//! with block size `b` and one sieve give dual vectors of length `l`; the number needed to
//! distinguish the correct guess is
//!
//! `N = exp(4 (pi l / q)^2) exp(k_fft/3 (pi sigma_s / p)^2) (k_enum H + k_fft ln p + ln 2)`
//!
//! Source: MATZOV, "Report on the security of LWE", 2022, theorem 7.6; one sieve for many short
//! vectors: Guo and Johansson, Asiacrypt 2021.

use crate::lwe::Lwe;
use crate::primal::Attack;
use crate::reduction::{
    MIN_BLOCK, SIEVE_SLOPE, free_dimensions, log_bkz_gates, log_progressive, log_root_hermite,
    log_sieve_gates, log_sum, minimum,
};
use std::f64::consts::{E, LN_2, LOG2_E, PI};

/// Gates of one multiplication and of one addition of 32-bit words.
const MULTIPLY_GATES: f64 = 1024.0;
const ADD_GATES: f64 = 160.0;
/// A sieve of size `s` returns `2^(0.2075 s)` short vectors.
const SIEVE_YIELD: f64 = 0.2075;
/// Largest modulus of the Fourier transform that is tried; 3 is optimal in every known case.
const LARGEST_FFT_MODULUS: u32 = 5;
/// Largest number of enumerated coordinates that is tried, and the step between tries.
const MOST_ENUMERATED: u32 = 60;
const ENUMERATION_STEP: usize = 5;

/// The split of the secret.
#[derive(Clone, Copy, Debug)]
struct Split {
    enumerated: u32,
    transformed: u32,
    fft_modulus: u32,
}

/// Returns log2 of the gates of the cheapest dual hybrid attack. The search for the block size
/// starts at that of the primal attack.
pub(crate) fn dual_hybrid(lwe: &Lwe, primal: Attack) -> f64 {
    (2..=LARGEST_FFT_MODULUS)
        .map(|fft_modulus| {
            descend((0..=MOST_ENUMERATED).step_by(ENUMERATION_STEP), |enumerated| {
                cheapest_transform(lwe, primal, enumerated, fft_modulus)
            })
        })
        .fold(f64::INFINITY, f64::min)
}

/// Returns the smallest cost up to the first that is larger than its predecessor.
fn descend(arguments: impl Iterator<Item = u32>, cost: impl Fn(u32) -> f64) -> f64 {
    let mut best = f64::INFINITY;
    for argument in arguments {
        let next = cost(argument);
        if next > best {
            break;
        }
        best = next;
    }
    best
}

/// Returns the cost with the best size of the transform, at most the cost of the primal attack.
fn cheapest_transform(lwe: &Lwe, primal: Attack, enumerated: u32, fft_modulus: u32) -> f64 {
    // A larger transform alone would cost more than the primal attack.
    let affordable = primal.log_gates / f64::from(fft_modulus).log2();
    let kept = (lwe.degree as u32).saturating_sub(enumerated + 1);
    let cost = |transformed| {
        cheapest_block(lwe, primal.block, Split { enumerated, transformed, fft_modulus })
    };
    minimum(0, (affordable as u32).min(kept), cost).1
}

/// Returns the cost with the best block size for a split of the secret.
fn cheapest_block(lwe: &Lwe, primal_block: u32, split: Split) -> f64 {
    let spread = primal_block / 4 + 64;
    let lowest = primal_block.saturating_sub(spread).max(MIN_BLOCK);
    let cost = |block| log_gates(lwe, f64::from(block), split);
    minimum(lowest, primal_block + spread, cost).1
}

/// Returns log2 of the gates for one block size and one split.
fn log_gates(lwe: &Lwe, block: f64, split: Split) -> f64 {
    let kept = lwe.degree - f64::from(split.enumerated) - f64::from(split.transformed);
    let dimension = lwe.degree + kept;
    let log_vectors = log_vectors_needed(lwe, block, split);

    // The final sieve may be as large as all calls of BKZ together cost, which gives more vectors
    // for the same price.
    let free = block - free_dimensions(block);
    let log_calls = (dimension - block).max(1.0).log2() + log_progressive();
    let sieve = (free + log_calls / SIEVE_SLOPE).min(dimension);
    let runs = (log_vectors - SIEVE_YIELD * sieve).max(0.0);
    let reduce = runs + log_sum(log_bkz_gates(block, dimension), log_sieve_gates(sieve));
    log_sum(reduce, log_guess_gates(lwe, log_vectors, split))
}

/// Returns log2 of the number `N` of dual vectors that distinguish the correct guess.
fn log_vectors_needed(lwe: &Lwe, block: f64, split: Split) -> f64 {
    let transformed = f64::from(split.transformed);
    let enumerated = f64::from(split.enumerated);
    let kept = lwe.degree - enumerated - transformed;
    let dimension = lwe.degree + kept;
    // Length of the vectors divided by q: the sieve's gain, the reduced basis and the lattice's
    // volume.
    let log_length = (lwe.degree * lwe.error_deviation.log2()
        + kept * (lwe.secret_deviation.log2() + lwe.log_modulus))
        / dimension
        - lwe.log_modulus
        + 0.5 * (4.0 / 3.0 * block / (2.0 * PI * E)).log2()
        + (dimension - block) * log_root_hermite(block);
    let p = f64::from(split.fft_modulus);
    let advantage = 4.0 * (PI * log_length.exp2()).powi(2)
        + transformed / 3.0 * (PI * lwe.secret_deviation / p).powi(2);
    let guesses = enumerated * log_entropy(lwe.secret_deviation) + transformed * p.ln() + LN_2;
    advantage * LOG2_E + guesses.log2()
}

/// Returns log2 of the gates for testing all guesses: for each enumerated guess, fill the table
/// with the vectors and transform it.
fn log_guess_gates(lwe: &Lwe, log_vectors: f64, split: Split) -> f64 {
    let (k, p) = (f64::from(split.transformed), f64::from(split.fft_modulus));
    let transform = MULTIPLY_GATES.log2() + k.log2() + (k + 1.0) * p.log2();
    let fill = (4.0 * ADD_GATES).log2() + log_vectors;

    let variance = lwe.secret_deviation.powi(2);
    let alpha = PI * PI * variance;
    let excess = 8.0 * alpha * (-2.0 * alpha).exp() * alpha.tanh() * LOG2_E;
    let per_coordinate = 1.0 + excess - 0.5 * LOG2_E + log_entropy(lwe.secret_deviation);
    let log_enumerated = f64::from(split.enumerated) * per_coordinate;
    let log_trials = -(1.0 - (-0.5 / variance).exp()).log2();
    log_trials + log_enumerated + log_sum(transform, fill)
}

/// Returns the entropy in bits of one secret coordinate, a discrete Gaussian of this deviation.
fn log_entropy(deviation: f64) -> f64 {
    let alpha = PI * PI * deviation * deviation;
    (0.5 + ((2.0 * PI).sqrt() * deviation).ln() - alpha.tanh().ln()) * LOG2_E
}
