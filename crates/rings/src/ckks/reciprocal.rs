//! Reciprocals, square roots and inverse square roots by iteration.

use super::facts::{Padding, SlotFacts};
use super::sensitivity::Sensitivity;
use super::{Ckks, Interval, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Computes `1 / decrypt(x)` for slots in an interval of positive numbers, by Goldschmidt's
    /// iteration: with `e = 1 - 2x / (low + high)`, `1/x` is `2 / (low + high)` times the product
    /// of `1 + e^(2^i)` for all `i` (Cheon, Kim, Kim, Lee and Lee, eprint 2019/417).
    ///
    /// After `iterations` factors, at least one, the relative error is `r^(2^iterations)` with
    /// `r = (high - low) / (high + low)`; it is part of the error bound. Of the slots, the caller
    /// promises what the magnitude does not imply: see [`Evaluator::evaluate_chebyshev`]. Takes
    /// up to `iterations + 2` levels.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_chebyshev`]; [`Error::Spec`] unless `0 < low < high`, or without
    /// iterations.
    pub fn reciprocal(
        &self,
        x: &Ciphertext<Ckks<M>>,
        interval: Interval,
        iterations: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let Interval { low, high } = positive(interval)?;
        let first = 2.0 / (low + high);
        let ratio = (high - low) / (high + low);
        check_iterations(iterations)?;
        self.check_key(&[x])?;
        let x = x.on_interval("reciprocal", interval)?;
        let x = self.with_depth(&x, iterations.saturating_add(2))?;
        // The iteration computes on what the operand holds, message and error.
        let error = first * x.slot_error();
        let held = x.taken_exactly();
        // The constant factor is part of the first sum: both come from one multiplication.
        let scaled = self.mul_scalar(&held, -first)?;
        let mut size = ratio + error;
        let mut power = self.add_scalar(&scaled, 1.0)?.bounded(size);
        let mut total = 1.0 + size;
        let mut product = self.add_scalar(&power, 1.0)?.bounded(total);
        for _ in 1..iterations {
            size *= size;
            power = self.square(&power)?.bounded(size);
            let factor = self.add_scalar(&power, 1.0)?;
            total *= 1.0 + size;
            product = self.mul(&product, &factor)?.bounded(total);
        }
        let result = self.mul_scalar(&product, first)?;
        let result = result.with_error_of(&x, effect(first, ratio, error));
        let rest = ratio.powf((iterations as f64).exp2()) / low;
        let result = result.with_error(rest).bounded(1.0 / low);
        let inverse = |p: Padding| p.mapped(p.center.inv(), 1.01 / (low * low), 1.0 / low);
        of_slots(result, &x, inverse).checked("reciprocal", &[&x])
    }

    /// Computes `1 / sqrt(decrypt(x))` for slots in an interval of positive numbers, by Newton's
    /// iteration `y <- y (3 - x y^2) / 2` from the constant `sqrt(2 / (low + high))`.
    ///
    /// With `g = (1 - x y^2) / 2` a step is `y <- y (1 + g)`, `g <- g^2 (g + 3/2)`, which adds no
    /// errors that it does not shrink again. After `iterations` steps, at least one, `2 |g|` is at
    /// most what the iteration makes of `(high - low) / (high + low)`, and the relative error
    /// `1 - sqrt(1 - 2 |g|)` is part of the error bound. Of the slots, the caller promises what the
    /// magnitude does not imply: see [`Evaluator::evaluate_chebyshev`]. Takes one level for a
    /// single step, and two for each of several.
    ///
    /// # Errors
    /// As [`Evaluator::reciprocal`].
    pub fn inverse_sqrt(
        &self,
        x: &Ciphertext<Ckks<M>>,
        interval: Interval,
        iterations: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let Interval { low, high } = positive(interval)?;
        check_iterations(iterations)?;
        let square = 2.0 / (low + high);
        let start = square.sqrt();
        let ratio = (high - low) / (high + low);
        self.check_key(&[x])?;
        let x = x.on_interval("inverse_sqrt", interval)?;
        let depth = if iterations == 1 { 1 } else { iterations.saturating_mul(2) };
        let x = self.with_depth(&x, depth)?;
        // The iteration computes on what the operand holds, message and error.
        let error = square * x.slot_error();
        let held = x.taken_exactly();
        // What a step makes of positive numbers is at most the inverse root.
        let most = (low - x.slot_error()).max(0.0).sqrt().recip();
        let mut size = 0.5 * (ratio + error);
        // The first step is a sum: y = start (3 - start^2 x) / 2.
        let first = self.mul_scalar(&held, -0.5 * start * square)?;
        let mut root = self.add_scalar(&first, 1.5 * start)?.bounded(start * (1.0 + size));
        let mut g = self.add_scalar(&self.mul_scalar(&held, -0.5 * square)?, 0.5)?.bounded(size);
        for _ in 1..iterations {
            let factor = self.add_scalar(&g, 1.5)?;
            g = self.mul(&self.square(&g)?.bounded(size * size), &factor)?;
            size = size * size * (size + 1.5);
            g = g.bounded(size);
            root = self.mul(&root, &self.add_scalar(&g, 1.0)?)?.bounded(most);
        }
        size = size * size * (size + 1.5);
        let (largest, slope) = (low.sqrt().recip(), 0.51 * low.powf(-1.5));
        let root = root.with_error_of(&x, inverse_sqrt_effect(start, ratio, error));
        let rest = (1.0 - (1.0 - 2.0 * size).max(0.0).sqrt()) * largest;
        let root = root.with_error(rest).bounded(largest);
        let inverse = |p: Padding| p.mapped(p.center.sqrt().inv(), slope, largest);
        of_slots(root, &x, inverse).checked("inverse_sqrt", &[&x])
    }

    /// Computes the square root of `decrypt(x)` for slots from `low` to 1, by Wilkes' iteration
    /// `a <- a (1 - b/2)`, `b <- b^2 (b - 3) / 4` from `a = x`, `b = x - 1` (Cheon, Kim, Kim, Lee
    /// and Lee, eprint 2019/417).
    ///
    /// The iteration preserves `a^2 = x (1 + b)`, so that the error after it is at most
    /// `1 - sqrt(1 - |b|)`; it is part of the error bound. Of the slots, the caller promises what
    /// the magnitude does not imply: see [`Evaluator::evaluate_chebyshev`]. Takes two levels for
    /// each iteration.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_chebyshev`]; [`Error::Spec`] unless `0 < low < 1`.
    pub fn sqrt(
        &self,
        x: &Ciphertext<Ckks<M>>,
        low: f64,
        iterations: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let Interval { low, .. } = positive(Interval::new(low, 1.0))?;
        self.check_key(&[x])?;
        let x = x.on_interval("sqrt", Interval::new(low, 1.0))?;
        let x = self.with_depth(&x, iterations.saturating_mul(2))?;
        // The iteration computes on what the operand holds, message and error.
        let error = x.slot_error();
        let effect = sqrt_effect(low, error, iterations);
        let most = 1.0 + low.sqrt().recip() * error + effect.remainder;
        let mut root = x.taken_exactly().bounded(most);
        let mut size = 1.0 - low + error;
        let mut b = self.add_scalar(&root, -1.0)?.bounded(size);
        for iteration in 0..iterations {
            let half = self.add_scalar(&self.mul_scalar(&b, -0.5)?, 1.0)?;
            root = self.mul(&root, &half)?.bounded(most);
            if iteration + 1 < iterations {
                let quarter = self.mul_scalar(&b, 0.25)?;
                let shifted = self.add_scalar(&quarter, -0.75)?;
                let square = self.square(&b)?.bounded(size * size);
                size = next_of_sqrt(size);
                b = self.mul(&square, &shifted)?.bounded(size);
            }
        }
        let root = root.with_error_of(&x, effect);
        let left = (0..iterations).fold(1.0 - low, |size, _| next_of_sqrt(size));
        let root = root.with_error(1.0 - (1.0 - left).sqrt()).bounded(1.0);
        let rooted = |p: Padding| p.mapped(p.center.sqrt(), 0.51 / low.sqrt(), 1.0);
        of_slots(root, &x, rooted).checked("sqrt", &[&x])
    }
}

/// Returns the effect of the sum of all powers of `e`, times `first`, on an error in the argument
/// that changes `e`, of absolute value at most `ratio`, by up to `error`. The sum has more terms
/// than the iteration, all of one sign in both bounds.
fn effect(first: f64, ratio: f64, error: f64) -> Sensitivity {
    let left = 1.0 - ratio;
    let beyond = left - error;
    let remainder =
        if beyond > 0.0 { first * error * error / (left * left * beyond) } else { f64::INFINITY };
    Sensitivity { slope: 1.000_001 * first * first / (left * left), remainder }
}

/// Returns the effect of the steps of an inverse square root that starts with a constant, on an
/// error in the argument that changes `h = 1 - x start^2`, of absolute value at most `ratio`, by up
/// to `error`. The coefficients of the steps as a power series in `h` are positive and at most
/// those of `start (1 - h)^(-1/2)`, whose derivatives are the bounds.
fn inverse_sqrt_effect(start: f64, ratio: f64, error: f64) -> Sensitivity {
    let left = 1.0 - ratio;
    let beyond = left - error;
    let remainder = if beyond > 0.0 {
        0.375 * start * error * error * beyond.powf(-2.5)
    } else {
        f64::INFINITY
    };
    Sensitivity { slope: 0.500_001 * start.powi(3) * left.powf(-1.5), remainder }
}

/// Bounds `|b|` after a step of a square root, from a bound before it.
fn next_of_sqrt(size: f64) -> f64 {
    size * size * (3.0 + size) / 4.0
}

/// Returns the effect of the steps of a square root of numbers from `low` to 1, on an error of at
/// most `error` in the argument. With `h = 1 - x` and `c = -b` the result is `(1 - h) Q(h)`, where
/// the coefficients of `Q` as a power series are positive and at most those of `(1 - h)^(-1/2)`;
/// its derivative is `Q / 2 + c' / (2 Q)` in absolute value, with `Q^2 = (1 - c) / (1 - h)`, and
/// both `Q` and `c'` are largest at `low`.
fn sqrt_effect(low: f64, error: f64, iterations: usize) -> Sensitivity {
    let step = |(c, slope): (f64, f64), _| (next_of_sqrt(c), 0.75 * c * (c + 2.0) * slope);
    let (c, left) = (0..iterations).fold((1.0 - low, 1.0), step);
    let largest = ((1.0 - c) / low).sqrt();
    let beyond = low - error;
    let remainder = if beyond > 0.0 {
        error * error * (0.375 * low * beyond.powf(-2.5) + 0.5 * beyond.powf(-1.5))
    } else {
        f64::INFINITY
    };
    Sensitivity { slope: 1.000_001 * low.sqrt().recip().min(0.5 * (largest + left)), remainder }
}

/// Returns the result of a function of every slot, which holds in slots without a value what the
/// function makes of the operand's.
fn of_slots<M: Mode>(
    result: Ciphertext<Ckks<M>>,
    x: &Ciphertext<Ckks<M>>,
    function: impl Fn(Padding) -> Padding,
) -> Ciphertext<Ckks<M>> {
    let padding = x.facts.padding.map(function);
    Ciphertext { facts: SlotFacts { padding, deviation: 0.0, ..x.facts }, ..result }
}

fn check_iterations(iterations: usize) -> Result<(), Error> {
    if iterations > 0 {
        return Ok(());
    }
    let reason = "there are none; take at least one".to_owned();
    Err(Error::Spec { field: "iterations", reason })
}

fn positive(interval: Interval) -> Result<Interval, Error> {
    interval.check()?;
    if interval.low > 0.0 {
        return Ok(interval);
    }
    let reason = format!("{} is not positive", interval.low);
    Err(Error::Spec { field: "interval", reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_ring::Complex64;

    /// Computes the steps of a square root exactly.
    fn steps(x: Complex64, iterations: usize) -> Complex64 {
        let step =
            |(a, b): (Complex64, Complex64), _| (a * (1.0 - b / 2.0), b * b * (b - 3.0) / 4.0);
        (0..iterations).fold((x, x - 1.0), step).0
    }

    #[test]
    fn no_error_of_a_square_root_exceeds_its_bound() {
        for low in [0.05, 0.3, 0.7] {
            for (iterations, error) in [(0, 0.01), (1, 1e-4), (2, 0.03), (4, 0.01), (6, 1e-6)] {
                let effect = sqrt_effect(low, error, iterations);
                let mut largest = 0.0_f64;
                for k in 0..4000 {
                    let x = low + (1.0 - low) * (f64::from(k) * 0.618_034).fract();
                    let e = Complex64::from_polar(error, 0.37 * f64::from(k));
                    let x = Complex64::from(if k < 64 { low } else { x });
                    let moved = (steps(x + e, iterations) - steps(x, iterations)).norm();
                    assert!(moved <= effect.slope * error + effect.remainder, "{low} {iterations}");
                    largest = largest.max(moved);
                }
                // The bound is near where it has converged or has not begun.
                let most = 1.5 * largest + effect.remainder;
                assert!(effect.slope * error <= most, "{low} {iterations} {largest:e} {effect:?}");
            }
        }
    }
}
