//! The exponential that a bootstrapping evaluates, as coefficients in double precision.
//!
//! Raising the modulus turns a coefficient `m` into `m + q I` with an unknown integer `I`. In units
//! of turns of the last prime `q` that is a number `x + I`, and `exp(2 pi i (x + I))` forgets the
//! integer; a sum of powers of this exponential is any function of `x` that is needed.
//!
//! The sparse secret has 32 nonzero coefficients, so that overflow and message together are at most
//! 16.5 turns in absolute value for every ciphertext; the exponential covers 16.55 ([`COVER`]), the
//! rest being room for errors. For an argument `y` scaled to `-1..=1`, the expansion of Jacobi and
//! Anger with Bessel functions `J_k` is
//!
//! ```text
//! exp(i a y) = J_0(a) + 2 sum_k i^k J_k(a) T_k(y)
//! ```
//!
//! With `a = 2 pi 16.55 / 2^squarings` the coefficients decay fast beyond `k = a`, and squaring the
//! result a few times gives the whole angle. Degree 31 and three squarings err by `2^-31.8` before
//! the squarings, degree 54 and two squarings suit scales of two primes. Each squaring doubles the
//! relative error ([`Exponential::power_error`]) and takes a level; each doubling of the degree
//! takes one too.
//!
//! The Bessel functions come from Miller's backward recurrence, which is stable in this direction,
//! started 40 orders beyond the degree and normalised by `J_0 + 2 sum_k J_2k = 1`. The bound on the
//! error is twice the sum of the coefficients left out, and the rounding of those kept.
//!
//! Approximating the sine directly, as the first bootstrappings of CKKS did, takes a polynomial for
//! each function; the exponential serves all functions, real and imaginary parts and several tables
//! at once.
//!
//! Source of the use: Boura, Gama, Georgieva, Jetchev, eprint 2018/758.

use fathom_ring::Complex64;
use fathom_rings::internals::{COVER, ExponentialShape};
use std::f64::consts::TAU;

/// An approximation of `exp(2 pi i COVER y / 2^squarings)` for `y` in `-1..=1` as a sum of
/// Chebyshev polynomials: `J_0(a) + 2 sum_k i^k J_k(a) T_k(y)` for `a = 2 pi COVER / 2^squarings`
/// (Jacobi and Anger).
///
/// Source of the use: Boura, Gama, Georgieva, Jetchev, eprint 2018/758.
#[derive(Clone, Debug)]
pub(super) struct Exponential {
    pub(super) shape: ExponentialShape,
    pub(super) coefficients: Vec<Complex64>,
    /// Bound on the error of the sum in double precision.
    error: f64,
}

impl Exponential {
    pub(super) fn new(shape: ExponentialShape) -> Exponential {
        let bessel = bessel(angle(shape), shape.degree);
        let unit = |k: usize| [Complex64::ONE, Complex64::I, -Complex64::ONE, -Complex64::I][k % 4];
        let coefficient = |k: usize| unit(k) * bessel[k] * if k == 0 { 1.0 } else { 2.0 };
        let rest = bessel[shape.degree + 1..].iter().map(|j| j.abs()).sum::<f64>();
        let coefficients: Vec<_> = (0..=shape.degree).map(coefficient).collect();
        let all = coefficients.iter().map(|c| c.norm()).sum::<f64>();
        Exponential { shape, coefficients, error: 2.0 * rest + ROUNDED * all }
    }

    /// Bounds the error after the squarings, without the errors of ciphertexts.
    pub(super) fn power_error(&self) -> f64 {
        let squarings = f64::from(1_u32 << self.shape.squarings);
        // (1 + e)^s - 1: each squaring doubles the relative error.
        (squarings * self.error.ln_1p()).exp_m1()
    }
}

fn angle(shape: ExponentialShape) -> f64 {
    TAU * COVER / f64::from(1_u32 << shape.squarings)
}

/// Bound on the relative error of a coefficient in double precision.
const ROUNDED: f64 = 4.0 * f64::EPSILON;
/// Orders beyond the degree from which Miller's recurrence starts.
const RECURRENCE_START: usize = 40;

/// Returns the Bessel functions `J_0(a), J_1(a), ...` by Miller's backward recurrence
/// `J_(k-1) = (2k / a) J_k - J_(k+1)`, normalised by `J_0 + 2 sum_k J_2k = 1`.
fn bessel(a: f64, degree: usize) -> Vec<f64> {
    // Backwards, the recurrence damps whatever error it starts with; forwards, it would amplify it.
    // 40 orders beyond the degree leave nothing of the arbitrary start.
    let start = degree + RECURRENCE_START;
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

    const SHAPES: [ExponentialShape; 3] = [
        ExponentialShape { degree: 31, squarings: 3 },
        ExponentialShape { degree: 54, squarings: 2 },
        ExponentialShape { degree: 58, squarings: 2 },
    ];

    /// Values computed with fifty digits for a cover of 16.2 turns: `docs/maths/bootstrap.md`.
    #[test]
    fn bessel_functions_are_those_computed_with_more_digits() {
        let values = bessel(TAU * 16.2 / 8.0, 31);
        let expected = [(0, 0.179_600_322_2), (15, 0.054_451_727_05), (30, 1.271_675_975e-9)];
        for (k, expected) in expected {
            assert!((values[k].abs() / expected - 1.0).abs() < 1e-8, "{k}: {}", values[k]);
        }
        let tail = 2.0 * values[31..].iter().map(|j| j.abs()).sum::<f64>();
        assert!((tail.log2() + 30.4).abs() < 0.1);
    }

    #[test]
    fn the_sum_of_chebyshev_polynomials_is_the_exponential() {
        for shape in SHAPES {
            let exponential = Exponential::new(shape);
            for step in 0..=64 {
                let y = f64::from(step) / 32.0 - 1.0;
                let term = |(k, c): (usize, &Complex64)| c * (k as f64 * y.acos()).cos();
                let sum: Complex64 = exponential.coefficients.iter().enumerate().map(term).sum();
                let exact = Complex64::cis(angle(shape) * y);
                assert!((sum - exact).norm() <= exponential.error + 1e-14, "{y}");
            }
        }
    }
}
