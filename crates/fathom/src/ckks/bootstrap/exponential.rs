//! The exponential that a bootstrapping evaluates, as coefficients in double precision.
//!
//! An overflow of the last prime adds an integer `I` to a number `x` of turns. The exponential
//! `exp(2 pi i (I + x))` forgets the integer, and a sum of its powers is a function of `x`.

use super::schedule::{COVER, EXPONENTIAL_DEGREE, SQUARINGS};
use fathom_ring::Complex64;
use std::f64::consts::TAU;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Values computed with fifty digits for a cover of 16.2 turns: `docs/maths/bootstrap.md`.
    #[test]
    fn bessel_functions_are_those_computed_with_more_digits() {
        let values = bessel(TAU * 16.2 / 8.0);
        let expected = [(0, 0.179_600_322_2), (15, 0.054_451_727_05), (30, 1.271_675_975e-9)];
        for (k, expected) in expected {
            assert!((values[k].abs() / expected - 1.0).abs() < 1e-8, "{k}: {}", values[k]);
        }
        let tail = 2.0 * values[31..].iter().map(|j| j.abs()).sum::<f64>();
        assert!((tail.log2() + 30.4).abs() < 0.1);
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
