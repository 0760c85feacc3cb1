//! Range checks of the arguments of `fathom security`; an error names the argument and its range.

use fathom_security::SecretDistribution;

use super::outcome::Failure;
use crate::drivers::limits::MOST_COEFFICIENTS;

/// Smallest and largest ring degree that the estimator accepts.
const DEGREES: [usize; 2] = [64, 1 << 20];

/// Checks the parameters of an RLWE key.
///
/// # Errors
/// The first argument that is out of range, with the range.
pub(super) fn check_ring(
    degree: usize,
    log_q: f64,
    sigma: f64,
    secret: SecretDistribution,
) -> Result<(), Failure> {
    let [least, most] = DEGREES;
    check(degree >= least && degree <= most, "--degree", degree, format!("{least} to {most}"))?;
    check(log_q > 1.0 && log_q < 1e5, "--log-q", log_q, "more than 1 and less than 100000")?;
    let fits = sigma > 0.0 && sigma.log2() <= log_q - 2.0;
    let allowed = format!("more than 0, at most a quarter of the modulus, 2^{}", log_q - 2.0);
    check(fits, "--sigma", sigma, allowed)?;
    if let SecretDistribution::SparseTernary { weight } = secret {
        let allowed = format!("sparse_ternary:<weight> with a weight from 1 to {degree}");
        let found = format!("sparse_ternary:{weight}");
        check(weight >= 1 && weight as usize <= degree, "--secret", found, allowed)?;
    }
    Ok(())
}

/// Checks the parameters of an LWE key; the estimator reports its further conditions itself.
///
/// # Errors
/// The first argument that is out of range, with the range.
pub(super) fn check_lwe(coefficients: usize, log_q: f64, log_noise: f64) -> Result<(), Failure> {
    let fits = (2..=MOST_COEFFICIENTS).contains(&coefficients);
    check(fits, "--lwe", coefficients, format!("2 to {MOST_COEFFICIENTS} coefficients"))?;
    check((2.0..=512.0).contains(&log_q), "--log-q", log_q, "2 to 512")?;
    let fits = (-log_q..=-2.0).contains(&log_noise);
    let allowed = format!("-{log_q} to -2: one unit to a quarter of the modulus");
    check(fits, "--log-noise", log_noise, allowed)
}

fn check(
    fits: bool,
    argument: &str,
    found: impl std::fmt::Display,
    allowed: impl std::fmt::Display,
) -> Result<(), Failure> {
    if fits {
        Ok(())
    } else {
        Err(Failure::usage(format!("{argument} is {found}; allowed: {allowed}")))
    }
}
