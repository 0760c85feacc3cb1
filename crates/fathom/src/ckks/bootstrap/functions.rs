//! The functions that a bootstrapping evaluates, as coefficients in double precision.
//!
//! An overflow of the last prime adds an integer `I` to a number `m / 8` of turns. The exponential
//! `exp(2 pi i x)` of `x = I + m / 8` forgets the integer, and a sum of its powers gives back `m`.

use super::schedule::{COVER, EXPONENTIAL_DEGREE, HARMONICS, RATIO, SQUARINGS};
use fathom_ring::Complex64;
use std::f64::consts::{PI, TAU};

/// Returns the coefficients of `exp(2 pi i COVER y / 2^SQUARINGS)` for `y` in `-1..=1` as a sum of
/// Chebyshev polynomials: `J_0(a) + 2 sum_k i^k J_k(a) T_k(y)` for `a = 2 pi COVER / 2^SQUARINGS`
/// (Jacobi and Anger).
///
/// Source of the use: Boura, Gama, Georgieva, Jetchev, eprint 2018/758.
pub(super) fn exponential() -> Vec<Complex64> {
    let bessel = bessel(angle());
    let unit = |k: usize| [Complex64::ONE, Complex64::I, -Complex64::ONE, -Complex64::I][k % 4];
    let coefficient = |k: usize| unit(k) * bessel[k] * if k == 0 { 1.0 } else { 2.0 };
    (0..=EXPONENTIAL_DEGREE).map(coefficient).collect()
}

/// Returns the bound on the error of [`exponential`].
pub(super) fn exponential_error() -> f64 {
    2.0 * bessel(angle())[EXPONENTIAL_DEGREE + 1..].iter().map(|j| j.abs()).sum::<f64>()
}

fn angle() -> f64 {
    TAU * COVER / f64::from(1_u32 << SQUARINGS)
}

/// Orders beyond the degree from which Miller's recurrence starts.
const RECURRENCE_START: usize = 40;

/// Returns the Bessel functions `J_0(a), J_1(a), ...` by Miller's backward recurrence
/// `J_(k-1) = (2k / a) J_k - J_(k+1)`, normalised by `J_0 + 2 sum_k J_2k = 1`.
fn bessel(a: f64) -> Vec<f64> {
    let start = EXPONENTIAL_DEGREE + RECURRENCE_START;
    let mut values = vec![0.0; start + 2];
    values[start] = f64::MIN_POSITIVE.sqrt();
    for k in (1..=start).rev() {
        values[k - 1] = 2.0 * k as f64 / a * values[k] - values[k + 1];
    }
    let sum = values[0] + 2.0 * values.iter().skip(2).step_by(2).sum::<f64>();
    for value in &mut values {
        *value /= sum;
    }
    values
}

/// Nodes of the least-squares fit for every sine.
const NODES: usize = 16;
/// Singular values below this, relative to the largest, are dropped.
const SMALLEST_SINGULAR: f64 = 1e-13;

/// Returns `c_1, c_2, ...` with `m = sum_k c_k sin(2 pi k m / RATIO)` nearly, for `m` in `-1..=1`:
/// the least-squares fit at the nodes of Chebyshev, which has small coefficients because singular
/// values near zero are dropped.
///
/// Source of the series for the identity: Jutla, Manohar, eprint 2021/572; of fits on a part of the
/// period: eprint 2026/367.
pub(super) fn sines() -> Vec<f64> {
    let count = NODES * HARMONICS;
    let node = |i: usize| (PI * (i as f64 + 0.5) / count as f64).cos();
    let column = |k: usize| -> Vec<f64> {
        (0..count).map(|i| (TAU * k as f64 * node(i) / RATIO).sin()).collect()
    };
    let columns = (1..=HARMONICS).map(column).collect();
    least_squares(columns, &(0..count).map(node).collect::<Vec<_>>())
}

/// Returns the bound on the error of [`sines`] for messages that exceed 1 by at most
/// [`EXCESS`].
pub(super) fn sines_error() -> f64 {
    let coefficients = sines();
    let frequency = |k: usize| TAU * (k + 1) as f64 / RATIO;
    let error = |m: f64| {
        let sum = coefficients.iter().enumerate().map(|(k, c)| c * (frequency(k) * m).sin());
        (sum.sum::<f64>() - m).abs()
    };
    let step = (1.0 + EXCESS) / GRID as f64;
    let largest = (0..=GRID).map(|i| error(i as f64 * step)).fold(0.0, f64::max);
    // Between two nodes of the grid, the error exceeds that of the nearer one by at most an eighth
    // of the square of the step times its second derivative.
    let bend: f64 =
        coefficients.iter().enumerate().map(|(k, c)| frequency(k).powi(2) * c.abs()).sum();
    largest + step * step / 8.0 * bend
}

/// The part of a message by which it may exceed its bound because of its error.
pub(super) const EXCESS: f64 = 1.0 / 1024.0;
/// Points at which the error of the series is looked at.
const GRID: usize = 1 << 16;

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

    /// Golden values in fifty digits: `docs/maths/bootstrap.md`.
    #[test]
    fn coefficients_are_those_computed_with_more_digits() {
        let exponential = exponential();
        let expected = [(0, 0.179_600_322_2), (15, 0.108_903_454_1), (30, 2.543_351_95e-9)];
        for (k, value) in expected {
            let found = exponential[k].re + exponential[k].im;
            assert!((found.abs() / value - 1.0).abs() < 1e-8, "{k}: {found}");
        }
        assert!((exponential_error().log2() + 30.4).abs() < 0.1);
        let expected = [
            2.252_495_162_01,
            -0.775_733_705_962,
            0.273_077_216_246,
            -0.080_417_574_133_5,
            0.017_763_693_761_8,
            -0.002_574_182_996_32,
            0.000_182_438_935_81,
        ];
        for (found, expected) in sines().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7, "{found} instead of {expected}");
        }
        // The golden bound of 2^-34.2 is for messages up to 1, without the excess.
        assert!(sines_error().log2() < -31.9, "{}", sines_error().log2());
    }

    #[test]
    fn the_sum_of_chebyshev_polynomials_is_the_exponential() {
        let coefficients = exponential();
        for step in 0..=64 {
            let y = f64::from(step) / 32.0 - 1.0;
            let term = |(k, c): (usize, &Complex64)| c * (k as f64 * y.acos()).cos();
            let sum: Complex64 = coefficients.iter().enumerate().map(term).sum();
            let exact = Complex64::cis(TAU * COVER * y / 8.0);
            assert!((sum - exact).norm() <= exponential_error() + 1e-14, "{y}");
        }
    }
}
