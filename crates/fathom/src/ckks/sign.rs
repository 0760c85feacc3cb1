//! Sign, comparison, maximum and minimum by compositions of minimax polynomials.

use super::minimax::OddMinimax;
use super::{Ckks, Interval, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};

/// A composition of odd polynomials that approximates the sign function for numbers of absolute
/// value from `gap` to 1: each is the best one for the image of the one before (Lee, Lee, No and
/// Kim, eprint 2020/834 and 2021/1215; Cheon, Kim and Kim, eprint 2019/1234).
#[derive(Clone, Debug, PartialEq)]
pub struct SignApproximation {
    stages: Vec<OddMinimax>,
    gap: f64,
}

impl SignApproximation {
    /// Computes the best polynomials of these degrees, odd and at most 63, in order of evaluation.
    ///
    /// # Errors
    /// [`Error::Spec`] for a gap outside `(0, 1)`, or degrees out of range.
    pub fn new(gap: f64, degrees: &[usize]) -> Result<SignApproximation, Error> {
        if !(gap > 0.0 && gap < 1.0) {
            let reason = format!("{gap} is not between 0 and 1");
            return Err(Error::Spec { field: "gap", reason });
        }
        let fits = |d: &usize| d % 2 == 1 && *d < 64;
        if degrees.is_empty() || !degrees.iter().all(fits) {
            let reason = format!("{degrees:?} are not odd numbers below 64, at least one");
            return Err(Error::Spec { field: "degrees", reason });
        }
        let mut stages: Vec<OddMinimax> = Vec::with_capacity(degrees.len());
        for &degree in degrees {
            let (low, high) = match stages.last() {
                None => (gap, 1.0),
                Some(last) => (1.0 - last.error, 1.0 + last.error),
            };
            stages.push(OddMinimax::new(low, high, degree));
        }
        Ok(SignApproximation { stages, gap })
    }

    /// Returns the bound on the difference from the sign, for numbers of absolute value from the
    /// gap to 1.
    pub fn error(&self) -> f64 {
        self.stages.last().expect("an approximation has at least one stage").error
    }

    /// Returns the least absolute value for which the error bound holds.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// Returns the number of levels that the evaluation takes.
    pub fn depth(&self) -> usize {
        let degree = |stage: &OddMinimax| stage.coefficients.len().next_power_of_two().ilog2();
        self.stages.iter().map(|stage| degree(stage) as usize).sum()
    }
}

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Computes the sign of `decrypt(x)`, 1 or -1, up to the error of the approximation, which is
    /// part of the error bound.
    ///
    /// The slots must be real numbers of absolute value from the gap to 1. What may exceed 1 is
    /// refused; below the gap, the result is a number of -1 to 1 and the error bound does not hold.
    /// Takes [`SignApproximation::depth`] levels.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_chebyshev`].
    pub fn sign(
        &self,
        x: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let x = x.on_interval("sign", Interval::UNIT)?;
        self.composed(&x, sign, 1.0)?.with_error(sign.error()).checked("sign", &[&x])
    }

    /// Compares in every slot: the result is 1 where `decrypt(a) > decrypt(b)` and 0 where it is
    /// less, up to half the error of [`Evaluator::sign`], for differences of absolute value from
    /// the gap to 1. The sum of the magnitudes of both operands must be at most 1.
    ///
    /// Unlike the comparisons of integers, this one is approximate: the result is a real number
    /// close to 0 or 1, and where the difference is within the gap, it lies anywhere between
    /// them. There is no `ge` besides, because numbers with an error cannot be told to be equal.
    ///
    /// # Errors
    /// As [`Evaluator::sign`].
    pub fn gt(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        // The last polynomial halved, so that one half needs no level of its own.
        let difference = self.sub(a, b)?.on_interval("gt", Interval::UNIT)?;
        let halves = self.composed(&difference, sign, 0.5)?;
        let steps = self.add_scalar(&halves, 0.5)?.with_error(0.5 * sign.error());
        steps.checked("gt", &[a, b])
    }

    /// Computes the larger of `decrypt(a)` and `decrypt(b)` in every slot, as
    /// `(a + b + (a - b) sign(a - b)) / 2`, for differences of absolute value up to 1. Where the
    /// difference is within the gap, the error is at most the gap.
    ///
    /// # Errors
    /// As [`Evaluator::sign`].
    pub fn max(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.larger("max", a, b, sign)
    }

    fn larger(
        &self,
        operation: &'static str,
        a: &Ciphertext<Ckks<M>>,
        b: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let difference = self.sub(a, b)?.on_interval(operation, Interval::UNIT)?;
        // max(a, b) = b + (a - b) (1 + sign) / 2.
        let halves = self.add_scalar(&self.composed(&difference, sign, 0.5)?, 0.5)?;
        let step = self.mul(&difference, &halves)?;
        // Within the gap the factor is somewhere from -error to 1 + error.
        let error = (0.5 * sign.error()).max(sign.gap() * (1.0 + sign.error()));
        let greatest = a.tracked_magnitude().max(b.tracked_magnitude());
        let largest = self.add(b, &step)?.with_error(error).bounded(greatest);
        largest.checked("max", &[a, b])
    }

    /// Computes the smaller of both in every slot, as `a + b - max(a, b)`.
    ///
    /// # Errors
    /// As [`Evaluator::max`].
    pub fn min(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let largest = self.larger("min", a, b, sign)?;
        let greatest = a.tracked_magnitude().max(b.tracked_magnitude());
        Ok(self.sub(&self.add(a, b)?, &largest)?.bounded(greatest))
    }

    /// Evaluates the composition of the polynomials, the last one times a factor, at numbers up to
    /// 1.
    fn composed(
        &self,
        x: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
        factor: f64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let mut x = x.clone();
        for (i, stage) in sign.stages.iter().enumerate() {
            // Each polynomial leaves its result divided by the bound of the next argument, so that
            // no argument has to be mapped to the unit interval.
            let factor = sign.stages.get(i + 1).map_or(factor, |next| 1.0 / next.high);
            let scaled: Vec<f64> = stage.coefficients.iter().map(|c| c * factor).collect();
            x = self.evaluate_chebyshev(&x, &scaled, Interval::UNIT)?;
            x = x.bounded((1.0 + stage.error) * factor);
        }
        Ok(x)
    }
}
