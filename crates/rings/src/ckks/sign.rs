//! Sign, comparison, maximum and minimum by compositions of minimax polynomials.

use super::composition::{Composition, Reach, levels_of};
use super::facts::BOUND_ROUNDING;
use super::minimax::OddMinimax;
use super::sensitivity::Sensitivity;
use super::{Ckks, DomainError, Interval, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};

/// The most levels that parameters have.
const MOST_LEVELS: usize = 64;
/// The size to which a difference is scaled down, with room for the rounding of a constant.
const LESS_THAN_ONE: f64 = 1.0 - 1.0 / 1024.0;

/// A composition of odd polynomials that approximates the sign function for numbers of absolute
/// value from `gap` to 1: each is the best one for the image of the one before (Lee, Lee, No and
/// Kim, eprint 2020/834 and 2021/1215; Cheon, Kim and Kim, eprint 2019/1234).
#[derive(Clone, Debug, PartialEq)]
pub struct SignApproximation {
    composition: Composition,
    gap: f64,
}

impl SignApproximation {
    /// Computes the best polynomials of these degrees, odd and at most 63, in order of evaluation.
    ///
    /// # Errors
    /// [`Error::Spec`] for a gap outside `(0, 1)`, degrees out of range, or polynomials that
    /// together take more levels than any parameters have.
    pub fn new(gap: f64, degrees: &[usize]) -> Result<SignApproximation, Error> {
        if !(gap > 0.0 && gap < 1.0) {
            let reason = format!("{gap} is not between 0 and 1");
            return Err(Error::Spec { field: "gap", reason });
        }
        let refused = |reason| Err(Error::Spec { field: "degrees", reason });
        if degrees.is_empty() {
            return refused("there is no degree; give at least one".to_owned());
        }
        if let Some(degree) = degrees.iter().find(|d| *d % 2 == 0 || **d >= 64) {
            return refused(format!("{degree} is not an odd number below 64"));
        }
        let levels: usize = degrees.iter().map(|d| levels_of(d + 1)).sum();
        if levels > MOST_LEVELS {
            return refused(format!(
                "polynomials of these {} degrees take {levels} levels, and no parameters have more \
                 than {MOST_LEVELS}; give fewer",
                degrees.len()
            ));
        }
        let mut stages: Vec<OddMinimax> = Vec::with_capacity(degrees.len());
        for &degree in degrees {
            let (low, high) = match stages.last() {
                None => (gap, 1.0),
                // The image of a stage, around 1 and -1, is the domain of the next.
                Some(last) => (1.0 - last.error, 1.0 + last.error),
            };
            stages.push(OddMinimax::new(low, high, degree));
        }
        Ok(SignApproximation { composition: Composition::new(&stages), gap })
    }

    /// Returns the bound on the difference from the sign, for numbers of absolute value from the
    /// gap to 1.
    pub fn error(&self) -> f64 {
        self.composition.error()
    }

    /// Returns the least absolute value for which the error bound holds.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// Returns the number of levels that the evaluation takes.
    pub fn depth(&self) -> usize {
        self.composition.depth()
    }

    /// Returns the bound on the difference of `x (1 + sign(x)) / 2` from the larger one of `x` and
    /// 0, for numbers of absolute value up to 1.
    fn step_error(&self) -> f64 {
        // Within the gap the polynomials have the sign of the number, so that the factor is on the
        // right side of one half: half of the number is missing at most.
        0.5 * self.error().max(self.gap)
    }
}

/// Returns the difference of two numbers within these bounds, if it is at most 1 in absolute value.
fn in_reach<M: Mode>(
    operation: &'static str,
    difference: &Ciphertext<Ckks<M>>,
    [left, right]: [f64; 2],
) -> Result<Ciphertext<Ckks<M>>, Error> {
    difference.on_interval(operation, Interval::UNIT).map_err(|error| {
        if !matches!(error, Error::CkksDomain(DomainError::Magnitude { .. })) {
            return error;
        }
        DomainError::Difference { operation, left, right }.into()
    })
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
        let x = self.with_depth(&x, sign.depth())?;
        let result = self.composed(&x, &sign.composition, 1.0, Reach::BeyondGap)?;
        result.with_error(sign.error()).checked("sign", &[&x])
    }

    /// Compares in every slot: the result is 1 where `decrypt(a) > decrypt(b)` and 0 where it is
    /// less, up to half the error of [`Evaluator::sign`], for differences of absolute value from
    /// the gap to 1. The sum of the magnitudes of both operands must be at most 1; of numbers that
    /// are nearer to each other than that, take the [`Evaluator::sign`] of the difference, promised
    /// with [`Evaluator::assume_magnitude`].
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
        let bounds = [a, b].map(Ciphertext::tracked_magnitude);
        let difference = in_reach("gt", &self.sub(a, b)?, bounds)?;
        let difference = self.with_depth(&difference, sign.depth())?;
        let halves = self.composed(&difference, &sign.composition, 0.5, Reach::BeyondGap)?;
        let steps = self.add_scalar(&halves, 0.5)?.with_error(0.5 * sign.error());
        steps.checked("gt", &[a, b])
    }

    /// Computes the larger of `decrypt(a)` and `decrypt(b)` in every slot, as
    /// `(a + b + (a - b) sign(a - b)) / 2`, for differences of absolute value up to 1. Where the
    /// difference is within the gap, the error is at most half the gap, or half that of the sign if
    /// that is more. Operands that are maxima themselves may exceed their bounds by their errors;
    /// if their difference may exceed 1 by those, one level more scales it down.
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
        // Of approximations, the larger one is an approximation of the larger number, as near as
        // the worse of both.
        let bounds = [a, b].map(Ciphertext::tracked_magnitude);
        let [left, right] = bounds;
        let [(a, of_a), (b, of_b)] = [a, b].map(Ciphertext::taken_as_approximated);
        let difference = self.sub(&a, &b)?;
        // max(a, b) = b + (a - b) (1 + sign) / 2.
        let exceeds = |bound: f64| bound > 1.0 + BOUND_ROUNDING;
        // Beyond 1 by the deviations of approximations alone, the difference is divided instead of
        // refused.
        let (step, error) = if exceeds(difference.tracked_magnitude()) && !exceeds(left + right) {
            self.step_of_approximations(operation, &difference, sign)?
        } else {
            self.step(operation, &in_reach(operation, &difference, bounds)?, sign)?
        };
        let deviation = error + of_a.max(of_b);
        let largest = self.add(&b, &step)?.deviating(deviation).bounded(left.max(right));
        largest.checked(operation, &[&a, &b])
    }

    /// Computes `x (1 + sign(x)) / 2` of a difference, and returns the error of the approximation.
    fn step(
        &self,
        operation: &'static str,
        difference: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
    ) -> Result<(Ciphertext<Ckks<M>>, f64), Error> {
        // One level more for the product with the difference.
        let difference = self.with_depth(difference, sign.depth() + 1)?;
        // The step is a function of the difference, whose slope is near 1 or 0 but for the gap,
        // although that of the sign is large there.
        let held = difference.taken_exactly();
        let halves = self.composed_held(&difference, &sign.composition, 0.5, Reach::Everywhere)?;
        // The bound of the second factor leaves out the first order of the effect of the operand's
        // error, which comes last: it must not be bootstrapped by itself.
        let factor = self.add_scalar(&halves, 0.5)?;
        let step = self.sum_of_tensors(operation, &[(&held, &factor)])?;
        let effect = sign.composition.step_effect(difference.slot_error());
        Ok((step.with_error_of(&difference, effect), sign.step_error()))
    }

    /// Computes [`Evaluator::step`] for a difference of approximations, which are further apart
    /// than the numbers that they approximate: the sign is that of a fraction of it, for one level
    /// more.
    fn step_of_approximations(
        &self,
        operation: &'static str,
        difference: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
    ) -> Result<(Ciphertext<Ckks<M>>, f64), Error> {
        let difference = self.with_depth(difference, sign.depth() + 2)?;
        let held = difference.taken_exactly();
        let largest = held.tracked_magnitude() * LESS_THAN_ONE.recip();
        let fraction = self.mul_scalar(&held, largest.recip())?;
        let fraction = fraction.on_interval(operation, Interval::UNIT)?;
        let halves = self.composed(&fraction, &sign.composition, 0.5, Reach::Everywhere)?;
        let factor = self.add_scalar(&halves, 0.5)?;
        let step = self.sum_of_tensors(operation, &[(&held, &factor)])?;
        // What the difference holds, its error included, is in the range of the step, so that the
        // slope of this bounds the whole effect of the error.
        let effect = Sensitivity { remainder: 0.0, ..sign.composition.step_effect(0.0) };
        Ok((step.with_error_of(&difference, effect), largest * sign.step_error()))
    }

    /// Computes the smaller of both in every slot, as `-max(-a, -b)`.
    ///
    /// # Errors
    /// As [`Evaluator::max`].
    pub fn min(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &Ciphertext<Ckks<M>>,
        sign: &SignApproximation,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.neg(&self.larger("min", &self.neg(a)?, &self.neg(b)?, sign)?)
    }
}
