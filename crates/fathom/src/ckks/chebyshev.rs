//! Chebyshev interpolation of functions on an interval, with a bound on its error.

use super::{Ckks, Interval, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};
use std::f64::consts::PI;

/// A polynomial in the Chebyshev basis that approximates a function on an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Approximation {
    coefficients: Vec<f64>,
    interval: Interval,
    error: f64,
    magnitude: f64,
}

/// The interpolation of this degree, at least, measures the error.
const FINEST: usize = 512;

impl Approximation {
    /// Interpolates `function` at the `degree + 1` Chebyshev points of the interval.
    ///
    /// The error is bounded from the coefficients of a finer interpolation: twice the sum of those
    /// beyond the degree (Trefethen, *Approximation Theory and Approximation Practice*, theorem
    /// 4.2). The function must be smooth enough for that interpolation to be accurate to double
    /// precision.
    ///
    /// # Errors
    /// [`Error::Spec`] for an empty interval, or for a function that is not finite or not resolved
    /// by 4096 points there.
    pub fn new(
        function: impl Fn(f64) -> f64,
        interval: Interval,
        degree: usize,
    ) -> Result<Approximation, Error> {
        interval.check()?;
        let coefficients = interpolated(&function, interval, degree + 1);
        let mut points = FINEST.max(4 * (degree + 1));
        loop {
            let fine = interpolated(&function, interval, points);
            let size = fine.iter().map(|c| c.abs()).sum::<f64>();
            let last = fine[points - points / 4..].iter().map(|c| c.abs()).sum::<f64>();
            if !size.is_finite() || points > 4096 {
                let reason = "the function is not finite, or not smooth, on the interval";
                return Err(Error::Spec { field: "function", reason: reason.to_owned() });
            }
            if last <= 1e-11 * size {
                let beyond: f64 = fine.iter().skip(degree + 1).map(|c| c.abs()).sum();
                // Rounding of the coefficients, and what lies beyond the finer interpolation. At
                // four points for each degree, the largest value is within 1 / cos(pi / 8) of the
                // maximum.
                let error = 2.0 * beyond + 2.0 * last + 1e-13 * size * (degree as f64 + 1.0);
                let values = (0..=points).map(|k| function(interval.at(node(k, points + 1))).abs());
                let sampled = values.fold(0.0, f64::max);
                let magnitude = (sampled * 1.09 + error).min(size + error);
                return Ok(Approximation { coefficients, interval, error, magnitude });
            }
            points *= 2;
        }
    }

    /// Returns the coefficients, lowest first.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Returns the bound on the difference from the function on the interval.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Returns the interval.
    pub fn interval(&self) -> Interval {
        self.interval
    }
}

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Evaluates the approximated function in every slot: `decrypt(out) = f(decrypt(x))`. The error
    /// of the approximation is part of the error bound.
    ///
    /// Of the slots, the caller promises what the magnitude does not imply: see
    /// [`Evaluator::evaluate_chebyshev`]. Levels as for [`Evaluator::evaluate_chebyshev`].
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_chebyshev`].
    pub fn evaluate_function(
        &self,
        x: &Ciphertext<Ckks<M>>,
        function: &Approximation,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.approximated("evaluate_function", x, function)
    }

    fn approximated(
        &self,
        operation: &'static str,
        x: &Ciphertext<Ckks<M>>,
        function: &Approximation,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let Approximation { coefficients, interval, error, magnitude } = function;
        let result = self.chebyshev_sum(operation, x, coefficients, *interval)?;
        Ok(result.with_error(*error).bounded(*magnitude))
    }

    /// Computes `exp(decrypt(x))` for slots in an interval, by a Chebyshev interpolation of this
    /// degree.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_function`].
    pub fn exp(
        &self,
        x: &Ciphertext<Ckks<M>>,
        interval: Interval,
        degree: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let function = Approximation::new(f64::exp, interval, degree)?;
        self.approximated("exp", x, &function)
    }

    /// Computes the natural logarithm of slots in an interval of positive numbers, by a Chebyshev
    /// interpolation of this degree.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_function`].
    pub fn log(
        &self,
        x: &Ciphertext<Ckks<M>>,
        interval: Interval,
        degree: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let function = Approximation::new(f64::ln, interval, degree)?;
        self.approximated("log", x, &function)
    }

    /// Computes the logistic function `1 / (1 + exp(-x))` of slots in an interval, by a Chebyshev
    /// interpolation of this degree.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_function`].
    pub fn sigmoid(
        &self,
        x: &Ciphertext<Ckks<M>>,
        interval: Interval,
        degree: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let function = Approximation::new(logistic, interval, degree)?;
        self.approximated("sigmoid", x, &function)
    }
}

/// Returns Chebyshev point `k` of `count`.
fn node(k: usize, count: usize) -> f64 {
    (PI * (k as f64 + 0.5) / count as f64).cos()
}

/// Returns the coefficients of the interpolation at `count` Chebyshev points.
fn interpolated(function: &impl Fn(f64) -> f64, interval: Interval, count: usize) -> Vec<f64> {
    let values: Vec<f64> = (0..count).map(|k| function(interval.at(node(k, count)))).collect();
    let cosines: Vec<f64> =
        (0..4 * count).map(|a| (PI * a as f64 / (2 * count) as f64).cos()).collect();
    let coefficient = |i: usize| {
        let term = |(k, v): (usize, &f64)| v * cosines[i * (2 * k + 1) % (4 * count)];
        let sum: f64 = values.iter().enumerate().map(term).sum();
        sum * if i == 0 { 1.0 } else { 2.0 } / count as f64
    };
    (0..count).map(coefficient).collect()
}
