//! Least-squares fits of functions by sums of sines and cosines on a part of the period.
//!
//! Where the function need not be periodic, the fit has small coefficients because singular values
//! near zero are dropped. Source of such sums for the identity: Jutla, Manohar, eprint 2021/572; of
//! fits on a part of the period: eprint 2026/367.

use std::f64::consts::{PI, TAU};

/// Nodes of a fit for every frequency.
const NODES: usize = 16;
/// Singular values below this, relative to the largest, are dropped.
const SMALLEST_SINGULAR: f64 = 1e-13;

/// The weights of `cos(2 pi k x)` for `k` from 0 and of `sin(2 pi k x)` for `k` from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waves {
    pub(super) cosines: Vec<f64>,
    pub(super) sines: Vec<f64>,
}

/// The parity of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parity {
    Odd,
    None,
}

/// Returns the fit of `f(m)` for `m` in `-1..=1` by waves of `x = m turns` up to a frequency, at
/// the nodes of Chebyshev.
pub(super) fn fit(f: impl Fn(f64) -> f64, turns: f64, frequencies: usize, parity: Parity) -> Waves {
    let count = NODES * frequencies;
    let node = |i: usize| (PI * (i as f64 + 0.5) / count as f64).cos();
    let column = |wave: fn(f64) -> f64, k: usize| -> Vec<f64> {
        (0..count).map(|i| wave(TAU * k as f64 * turns * node(i))).collect()
    };
    let even = if parity == Parity::Odd { 0 } else { frequencies + 1 };
    let cosines = (0..even).map(|k| column(f64::cos, k));
    let columns = cosines.chain((1..=frequencies).map(|k| column(f64::sin, k))).collect();
    let values: Vec<f64> = (0..count).map(|i| f(node(i))).collect();
    let mut cosines = least_squares(columns, &values);
    let sines = cosines.split_off(even);
    Waves { cosines, sines }
}

/// Returns the least-squares solution of a system given by its columns, by the singular value
/// decomposition with rotations of Jacobi.
fn least_squares(mut columns: Vec<Vec<f64>>, right: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let count = columns.len();
    let unit = |k: usize| (0..count).map(|i| if i == k { 1.0 } else { 0.0 }).collect();
    let mut turned: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for _ in 0..SWEEPS {
        for i in 0..count {
            for j in i + 1..count {
                let (a, b) = (dot(&columns[i], &columns[i]), dot(&columns[j], &columns[j]));
                let both = dot(&columns[i], &columns[j]);
                if both.abs() <= f64::EPSILON * (a * b).sqrt() {
                    continue;
                }
                let half = (b - a) / (2.0 * both);
                let tangent = half.signum() / (half.abs() + half.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                for rows in [&mut columns, &mut turned] {
                    let (first, second) = rows.split_at_mut(j);
                    for (x, y) in first[i].iter_mut().zip(&mut second[0]) {
                        let sine = cosine * tangent;
                        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
                    }
                }
            }
        }
    }
    let norms: Vec<f64> = columns.iter().map(|column| dot(column, column)).collect();
    let largest = norms.iter().fold(0.0_f64, |most, &norm| most.max(norm));
    let mut solution = vec![0.0; count];
    for ((column, turn), norm) in columns.iter().zip(&turned).zip(norms) {
        if norm > largest * SMALLEST_SINGULAR * SMALLEST_SINGULAR {
            let weight = dot(column, right) / norm;
            solution.iter_mut().zip(turn).for_each(|(sum, t)| *sum += weight * t);
        }
    }
    solution
}

/// Sweeps of rotations: each squares the remaining angles.
const SWEEPS: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    /// Values computed with fifty digits: `docs/maths/bootstrap.md`.
    #[test]
    fn the_fit_of_the_identity_is_that_computed_with_more_digits() {
        let waves = fit(|m| m, 0.125, 7, Parity::Odd);
        assert!(waves.cosines.is_empty());
        let expected = [
            2.252_495_162_01,
            -0.775_733_705_962,
            0.273_077_216_246,
            -0.080_417_574_133_5,
            0.017_763_693_761_8,
            -0.002_574_182_996_32,
            0.000_182_438_935_81,
        ];
        for (found, expected) in waves.sines.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7, "{found} instead of {expected}");
        }
    }

    #[test]
    fn a_fit_finds_a_sum_of_waves_again() {
        let f = |m: f64| 0.5 + (TAU * 0.25 * m).cos() - 2.0 * (TAU * 0.5 * m).sin();
        let waves = fit(f, 0.25, 3, Parity::None);
        let near = |found: &[f64], expected: &[f64]| {
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
        };
        assert!(near(&waves.cosines, &[0.5, 1.0, 0.0, 0.0]), "{waves:?}");
        assert!(near(&waves.sines, &[0.0, -2.0, 0.0]), "{waves:?}");
    }
}
