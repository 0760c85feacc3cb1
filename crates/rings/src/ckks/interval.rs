//! Intervals of real numbers.

use crate::Error;

/// An interval of real numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Least number.
    pub low: f64,
    /// Greatest number.
    pub high: f64,
}

impl Interval {
    /// The interval from -1 to 1.
    pub const UNIT: Interval = Interval { low: -1.0, high: 1.0 };

    /// Makes the interval from `low` to `high`.
    pub fn new(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    /// Returns the interval of the numbers whose absolute value is at most `magnitude`.
    pub(crate) fn around_zero(magnitude: f64) -> Interval {
        Interval { low: -magnitude, high: magnitude }
    }

    /// Returns the greatest absolute value.
    pub(crate) fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    pub(crate) fn width(self) -> f64 {
        self.high - self.low
    }

    pub(crate) fn check(self) -> Result<(), Error> {
        let Interval { low, high } = self;
        if low < high && (high - low).is_finite() {
            return Ok(());
        }
        let reason = format!("{low} is not less than {high}, or one is not finite");
        Err(Error::Spec { field: "interval", reason })
    }

    /// Returns the number that the interval maps to the point `y` of `-1..=1`.
    pub(crate) fn at(self, y: f64) -> f64 {
        0.5 * (self.low + self.high) + 0.5 * (self.high - self.low) * y
    }
}
