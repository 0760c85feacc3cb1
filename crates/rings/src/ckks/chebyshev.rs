//! Chebyshev interpolation of functions on an interval, with a bound on its error.

use super::polynomial::{trimmed, unit_factor};
use super::scalar::keeps_level;
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
/// No interpolation has more points.
const MOST_POINTS: usize = 4096;
/// The greatest degree: the error is measured at four points for each coefficient.
const GREATEST_DEGREE: usize = MOST_POINTS / 4 - 1;
/// Numbers on each of two grids at which a function is compared with its approximation.
const COMPARED: usize = 1 << 14;
/// The part of the size of a function by which it may differ from the stated error: roundings of a
/// function that is not computed to the last bit.
const UNRESOLVED: f64 = 1e-9;

impl Approximation {
    /// Interpolates `function` at the `degree + 1` Chebyshev points of the interval.
    ///
    /// The error is bounded from the coefficients of a finer interpolation: twice the sum of those
    /// beyond the degree (Trefethen, *Approximation Theory and Approximation Practice*, theorem
    /// 4.2). The function must be smooth enough for that interpolation to be accurate to double
    /// precision.
    ///
    /// A closure can only be sampled. It is compared with the approximation at 32768 more numbers,
    /// which lie between those of every interpolation, and refused if it differs there by more than
    /// the error. What happens between all of these numbers is not seen: a spike that is narrower
    /// than about a ten-thousandth of the interval may be missed.
    ///
    /// # Errors
    /// [`Error::Spec`] for an empty interval, a degree beyond 1023, or a function that is not
    /// finite or not resolved by 4096 points there.
    pub fn new(
        function: impl Fn(f64) -> f64,
        interval: Interval,
        degree: usize,
    ) -> Result<Approximation, Error> {
        Approximation::of_smooth(&function, interval, degree)?.compared(&function)
    }

    /// Interpolates a function that is known to be analytic, so that coefficients that have decayed
    /// do not return.
    fn of_smooth(
        function: impl Fn(f64) -> f64,
        interval: Interval,
        degree: usize,
    ) -> Result<Approximation, Error> {
        interval.check()?;
        if degree > GREATEST_DEGREE {
            let reason = format!(
                "{degree} is more than {GREATEST_DEGREE}; divide the interval, or compose functions"
            );
            return Err(Error::Spec { field: "degree", reason });
        }
        let coefficients = interpolated(&function, interval, degree + 1);
        // The error is estimated from coefficients beyond the degree, which takes an interpolation
        // several times as fine.
        let mut points = FINEST.max(4 * (degree + 1));
        loop {
            let fine = interpolated(&function, interval, points);
            let size = fine.iter().map(|c| c.abs()).sum::<f64>();
            let last = fine[points - points / 4..].iter().map(|c| c.abs()).sum::<f64>();
            if !size.is_finite() {
                let reason = "the function is not finite on the interval; choose another interval";
                return Err(Error::Spec { field: "function", reason: reason.to_owned() });
            }
            // The last quarter of the coefficients has decayed to rounding errors: the
            // interpolation has resolved the function.
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
            if points > MOST_POINTS {
                return Err(unresolved("so many points do not resolve it"));
            }
        }
    }

    /// Compares the function with its approximation at numbers whose positions have the fractional
    /// parts of the multiples of the golden ratio, in the interval and in the angle: no grid of
    /// equal steps fits them, so that no oscillation looks slow on all grids.
    fn compared(mut self, function: impl Fn(f64) -> f64) -> Result<Approximation, Error> {
        let size = self.coefficients.iter().map(|c| c.abs()).sum::<f64>() + self.magnitude;
        // Multiples of the golden ratio are the least regular positions: no frequency of the
        // function is in step with them.
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        let mut largest = 0.0f64;
        for k in 1..=COMPARED {
            let position = (golden * k as f64).fract();
            // Equally dense in the interval, and equally dense in the angle: functions may vary
            // fast inside or at the ends.
            for y in [2.0 * position - 1.0, (PI * position).cos()] {
                let value = function(self.interval.at(y));
                let difference = (chebyshev_sum(&self.coefficients, y) - value).abs();
                // What is not a number is not within the error either.
                if difference.is_nan() || difference > self.error + UNRESOLVED * size {
                    return Err(unresolved("it varies between the points"));
                }
                largest = largest.max(difference);
                self.magnitude = self.magnitude.max(value.abs());
            }
        }
        self.error = self.error.max(largest);
        Ok(self)
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

    /// Returns the number of levels that [`Evaluator::evaluate_function`] takes:
    /// `ceil(log2(d + 1))` for the degree `d`, and one more unless the map of the interval to
    /// `-1..=1` is a shift times an integer.
    pub fn depth(&self) -> usize {
        let terms = trimmed(&self.coefficients).len().max(1);
        let unit = unit_factor(self.interval);
        terms.next_power_of_two().ilog2() as usize + usize::from(!keeps_level(unit))
    }
}

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Evaluates the approximated function in every slot: `decrypt(out) = f(decrypt(x))`. The error
    /// of the approximation is part of the error bound.
    ///
    /// The caller promises of the slots what the magnitude does not imply: see
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
        result.with_error(*error).bounded(*magnitude).checked(operation, &[x])
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
        let function = Approximation::of_smooth(f64::exp, interval, degree)?;
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
        let function = Approximation::of_smooth(f64::ln, interval, degree)?;
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
        let function = Approximation::of_smooth(logistic, interval, degree)?;
        self.approximated("sigmoid", x, &function)
    }
}

/// Returns the error for a function that varies too fast.
fn unresolved(how: &str) -> Error {
    let reason = format!(
        "the function is not resolved by {MOST_POINTS} points on the interval: {how}; choose a \
         shorter interval or a smoother function"
    );
    Error::Spec { field: "function", reason }
}

/// Evaluates a sum of Chebyshev polynomials by Clenshaw's recurrence.
fn chebyshev_sum(coefficients: &[f64], y: f64) -> f64 {
    let (mut next, mut after) = (0.0, 0.0);
    for c in coefficients.iter().skip(1).rev() {
        (next, after) = (c + 2.0 * y * next - after, next);
    }
    coefficients.first().copied().unwrap_or(0.0) + y * next - after
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
