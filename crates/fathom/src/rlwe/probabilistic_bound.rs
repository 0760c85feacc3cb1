//! Bounds that fail with some probability.

use super::{Ciphertext, Encoding};
use std::fmt;

/// The bound on the phase of a ciphertext, with the probability that it fails: the sum over all
/// bounds of random errors in the circuit, each of which fails with at most the failure probability
/// of the parameters.
///
/// The circuit is counted from encryption, or from the bytes that the ciphertext was read from.
/// Errors that several operands share count once for each of them, so that a value that is squared
/// again and again loses a bit each time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbabilisticBound {
    /// `log2` of the bound on every coefficient of the phase.
    pub bound_bits: f64,
    /// `log2` of the probability that any coefficient exceeds it, at most 0;
    /// [`WORST_CASE`](crate::WORST_CASE) if none ever does.
    pub failure_log2: f64,
}

impl fmt::Display for ProbabilisticBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "below 2^{:.1}", self.bound_bits)?;
        if self.failure_log2 == crate::WORST_CASE {
            return f.write_str(" in every case");
        }
        write!(f, " but with a probability of 2^{:.1}", self.failure_log2)
    }
}

impl<S: Encoding> Ciphertext<S> {
    /// Returns the bound on the coefficients of the phase, with the probability that it fails.
    /// Computed from public data alone.
    pub fn probabilistic_bound(&self) -> ProbabilisticBound {
        let model = &self.params.context().model;
        ProbabilisticBound {
            bound_bits: model.bound_bits(self.noise),
            failure_log2: model.failure_log2(self.noise).min(0.0),
        }
    }
}
