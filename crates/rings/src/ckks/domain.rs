//! Checks of slots against what an operation assumes of them, and the promises of callers.

use super::facts::{BOUND_ROUNDING, Padding, SlotFacts};
use super::{Ckks, DomainError, Interval, Mode};
use crate::rlwe::{Bounds, Ciphertext, Evaluator};
use crate::{Error, WORST_CASE};
use std::fmt::Write as _;

/// Refuses a bound on absolute values that is none: zero and normal positive numbers are bounds.
pub(super) fn check_bound(bound: f64) -> Result<(), Error> {
    if bound.is_normal() && bound > 0.0 || bound == 0.0 {
        return Ok(());
    }
    Err(DomainError::NotABound { bound }.into())
}

/// Writes a magnitude with six digits behind the point, or behind that of a large one's exponent.
fn shown(magnitude: f64) -> String {
    if magnitude < 1e9 { format!("{magnitude:.6}") } else { format!("{magnitude:.6e}") }
}

/// Compares so that what is not a number exceeds every limit.
fn exceeds(number: f64, limit: f64) -> bool {
    number.is_nan() || number > limit
}

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Returns the same ciphertext with the caller's promise that the absolute value of *every*
    /// slot is at most `bound`, those included that no value was given for. It is recorded: the
    /// result has this [`Ciphertext::magnitude_bound`], and [`Ciphertext::promise`] returns the
    /// promise, also after a journey. A bound that is not less than what is known changes nothing.
    ///
    /// Magnitudes are computed from those of the inputs in the worst case. Where the caller knows
    /// better, as of the difference of numbers that are close to each other, a promise lets a
    /// function take them. If the promise is false, results and their error bounds are meaningless.
    /// `decrypt` then refuses a slot beyond the bound that follows from the promise, which finds
    /// most false promises but not all.
    ///
    /// # Errors
    /// [`DomainError::NotABound`]; [`DomainError::FalsePromise`] if slots that no value was given
    /// for are known to hold more; [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn assume_magnitude(
        &self,
        x: &Ciphertext<Ckks<M>>,
        bound: f64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.check_key(&[x])?;
        check_bound(bound)?;
        if x.tracked_magnitude() <= bound {
            return Ok(x.clone());
        }
        let known = x.facts.padding.filter(|p| p.occurs).map_or(0.0, |p| p.center.norm());
        if known > bound * (1.0 + BOUND_ROUNDING) {
            return Err(DomainError::FalsePromise { promised: bound, padding: known }.into());
        }
        let facts = x.facts.promised(Interval::around_zero(bound));
        let same = x.with(x.parts.clone(), x.noise);
        Ok(Ciphertext { facts, ..same }.bounded(bound))
    }
}

impl<M: Mode> Ciphertext<Ckks<M>> {
    /// Returns the narrowest promise that the bounds rely on: of
    /// [`assume_magnitude`](Evaluator::assume_magnitude), or of a function's interval that is not
    /// implied by the magnitude. `None` if they are proven.
    pub fn promise(&self) -> Option<Interval> {
        self.facts.promise
    }

    /// Returns whether all slots are known to be real numbers.
    pub fn is_real(&self) -> bool {
        !self.facts.complex
    }

    /// Returns an interval with the real parts of all slots that no value was given for, which
    /// `encode` filled with zeros; `None` if every slot was given a value.
    pub fn padding(&self) -> Option<Interval> {
        self.facts.padding.map(Padding::reals)
    }

    /// Describes the public facts about the message in a sentence, with the probability that the
    /// error exceeds its bound.
    pub fn describe(&self) -> String {
        let numbers = if self.facts.complex { "complex" } else { "real" };
        let magnitude = self.magnitude_bound();
        let error = self.error_bound();
        let mut text = format!(
            "{numbers} numbers up to {} with an error up to {error:.1e}, level {}, scale 2^{:.2}",
            shown(magnitude),
            self.level(),
            self.scale().log2()
        );
        let failure = self.probabilistic_bound().failure_log2;
        if failure > WORST_CASE {
            let _ = write!(text, ", failure probability 2^{failure:.1}");
        }
        if let Some(Interval { low, high }) = self.padding() {
            let _ = write!(text, ", slots without a value hold {low:?}..={high:?}");
        }
        if let Some(Interval { low, high }) = self.promise() {
            let _ = write!(text, ", relies on the promise of {low:?}..={high:?}");
        }
        text
    }

    /// Returns the bound on the absolute values of the message, without the slack for roundings.
    pub(crate) fn tracked_magnitude(&self) -> f64 {
        self.noise.message.root / self.meta
    }

    /// Returns the operand of a function on an interval: its slots are real numbers of the
    /// interval, which is proven but for the sign of numbers in an interval that is not symmetric.
    ///
    /// # Errors
    /// [`DomainError::Complex`], [`DomainError::Magnitude`], [`DomainError::Padding`].
    pub(crate) fn on_interval(
        &self,
        operation: &'static str,
        interval: Interval,
    ) -> Result<Self, Error> {
        interval.check()?;
        let Interval { low, high } = interval;
        let SlotFacts { complex, padding, .. } = self.facts;
        if complex {
            return Err(DomainError::Complex { operation }.into());
        }
        let (magnitude, limit) = (self.tracked_magnitude(), interval.magnitude());
        if exceeds(magnitude, limit * (1.0 + BOUND_ROUNDING)) {
            return Err(DomainError::Magnitude { operation, low, high, magnitude }.into());
        }
        let outside = padding.map_or(0.0, |p| p.excess(interval));
        if let Some(p) = padding.filter(|p| exceeds(outside, BOUND_ROUNDING * p.magnitude())) {
            let Interval { low: padding_low, high: padding_high } = p.reals();
            let error = DomainError::Padding { operation, low, high, padding_low, padding_high };
            return Err(error.into());
        }
        let reach = magnitude.min(limit);
        let proven = low <= -reach && reach <= high;
        let facts = if proven { self.facts } else { self.facts.promised(interval) };
        let facts = SlotFacts { deviation: 0.0, ..facts };
        let excess = (magnitude - limit).max(outside).max(0.0);
        let operand = self.with(self.parts.clone(), self.noise).with_noise_in_slots(excess);
        Ok(Ciphertext { facts, ..operand }.bounded(limit))
    }

    /// Returns the same ciphertext, whose message is proven or promised to be at most `magnitude`
    /// in every slot.
    pub(crate) fn bounded(mut self, magnitude: f64) -> Self {
        let bound = magnitude * self.meta;
        let Bounds { coefficient, euclidean, root } = self.noise.message;
        self.noise.message = Bounds {
            coefficient: coefficient.min(bound),
            euclidean: euclidean.min(bound),
            root: root.min(bound),
        };
        self.facts.padding = self.facts.padding.map(|p| p.cut(magnitude));
        self
    }

    /// Returns the same ciphertext for a message that differs by at most `error` in every slot.
    pub(crate) fn with_error(mut self, error: f64) -> Self {
        let added = Bounds::of_root_values(error * self.meta);
        self.noise.rest = self.noise.rest.plus(added);
        self.noise.message = self.noise.message.plus(added);
        self.facts.padding = self.facts.padding.map(|p| p.widened(error));
        self
    }
}
