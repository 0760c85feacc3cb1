//! The wording of a noise budget that does not suffice.

use std::fmt;

/// The bits of noise budget that an operation needs and those that are left.
pub(super) struct Shortfall {
    pub(super) needed_bits: f64,
    pub(super) left_bits: f64,
}

/// The most digits behind the point. Bounds are no more precise.
const MOST_DIGITS: usize = 9;

impl fmt::Display for Shortfall {
    /// Writes as many digits as tell the two numbers apart.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shortfall { needed_bits, left_bits } = *self;
        if !needed_bits.is_finite() || !left_bits.is_finite() {
            return write!(f, "would leave a noise beyond every limit");
        }
        if left_bits < 0.0 {
            return write!(f, "is given noise that exceeds the limit by {:.1} bits", -left_bits);
        }
        let apart = |digits: &usize| {
            let [needed, left] =
                [needed_bits, left_bits].map(|bits| format!("{bits:.digits$}", digits = *digits));
            needed != left
        };
        let digits = (1..MOST_DIGITS).find(apart).unwrap_or(MOST_DIGITS);
        write!(
            f,
            "needs {needed_bits:.digits$} bits of noise budget, {left_bits:.digits$} are left"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(needed_bits: f64, left_bits: f64) -> String {
        Shortfall { needed_bits, left_bits }.to_string()
    }

    #[test]
    fn as_many_digits_are_written_as_tell_the_numbers_apart() {
        assert_eq!(text(12.34, 5.0), "needs 12.3 bits of noise budget, 5.0 are left");
        assert_eq!(text(0.004, 0.0), "needs 0.004 bits of noise budget, 0.000 are left");
    }

    #[test]
    fn a_noise_beyond_the_limit_is_stated_as_that() {
        assert_eq!(text(0.0, -37.8), "is given noise that exceeds the limit by 37.8 bits");
        assert_eq!(text(f64::INFINITY, 3.0), "would leave a noise beyond every limit");
        assert_eq!(text(f64::NAN, 3.0), "would leave a noise beyond every limit");
    }
}
