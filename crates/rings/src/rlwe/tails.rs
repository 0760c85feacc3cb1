//! The factors by which errors exceed their deviations, for a failure probability.

use crate::{Error, WORST_CASE};

/// The factors by which random polynomials exceed their sub-Gaussian parameters, except with the
/// failure probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tails {
    /// `log2` of the failure probability; [`WORST_CASE`](crate::WORST_CASE) if nothing may fail.
    pub(crate) failure_log2: f64,
    /// Factor for every coefficient: `k` with `2 N exp(-k^2 / 2)` the failure probability.
    pub coefficient: f64,
    /// Factor for the Euclidean norm beyond its root mean square: `sqrt(2 t)` with `exp(-t)` the
    /// failure probability.
    pub euclidean: f64,
    /// Factor for the value at every root of `X^N + 1`, in units of its root mean square.
    pub root: f64,
}

/// Directions in which a complex value is looked at; it exceeds the largest of them by at most
/// `1 / cos(pi / DIRECTIONS)`.
const DIRECTIONS: f64 = 32.0;

/// The factor for random polynomials where nothing may fail: there are none, and one that slipped
/// in would be refused.
const NEVER: f64 = 1e100;

/// Refuses what is neither a failure probability nor [`WORST_CASE`](crate::WORST_CASE).
pub(crate) fn check_failure(failure_log2: f64) -> Result<(), Error> {
    let probability = (-256.0..=-20.0).contains(&failure_log2);
    if probability || failure_log2 == WORST_CASE {
        return Ok(());
    }
    let reason = format!("2^{failure_log2} is not between 2^-256 and 2^-20, nor WORST_CASE");
    Err(Error::Spec { field: "failure_log2", reason })
}

impl Tails {
    /// Returns the factors at degree `degree`, for a failure probability of `2^failure_log2`, which
    /// is [`WORST_CASE`](crate::WORST_CASE) for bounds that hold always.
    pub(crate) fn new(failure_log2: f64, degree: usize) -> Tails {
        if failure_log2 == WORST_CASE {
            return Tails { failure_log2, coefficient: NEVER, euclidean: NEVER, root: NEVER };
        }
        let exponent = -failure_log2 * std::f64::consts::LN_2;
        let n = degree as f64;
        let root = (exponent + (n / 2.0).ln() + DIRECTIONS.ln()).sqrt();
        Tails {
            failure_log2,
            coefficient: (2.0 * (exponent + (2.0 * n).ln())).sqrt(),
            euclidean: (2.0 * exponent).sqrt(),
            root: root / (std::f64::consts::PI / DIRECTIONS).cos(),
        }
    }

    /// Tells whether bounds hold always, so that no part of a phase counts as random.
    pub fn are_worst_case(self) -> bool {
        self.coefficient >= NEVER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 4096;

    #[test]
    fn tails_are_those_of_their_definitions() {
        let tails = Tails::new(-128.0, N);
        let failure = |k: f64| 2.0 * N as f64 * (-k * k / 2.0).exp();
        assert!((failure(tails.coefficient).log2() + 128.0).abs() < 1e-6);
        assert!((tails.euclidean.powi(2) / 2.0 - 128.0 * std::f64::consts::LN_2).abs() < 1e-9);
        assert!((9.9..10.2).contains(&tails.root));
    }

    #[test]
    fn numbers_that_are_no_probability_are_refused() {
        for wrong in [0.0, -19.0, -257.0, f64::INFINITY, f64::NAN] {
            let refused = check_failure(wrong).unwrap_err().to_string();
            assert!(refused.contains("nor WORST_CASE"), "{refused}");
        }
        for right in [-20.0, -40.0, -128.0, -256.0, WORST_CASE] {
            check_failure(right).unwrap();
            assert_eq!(Tails::new(right, N).are_worst_case(), right == WORST_CASE);
        }
    }
}
