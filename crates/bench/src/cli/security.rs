//! `fathom security`: estimates the bits of security of lattice parameters and names the cost
//! model.

use clap::Args;
use fathom_cases::record::{lwe_secret, secret_distribution};
use fathom_drivers::limits::MOST_COEFFICIENTS;
use fathom_security::{
    Level, LweKey, MODEL, SecretDistribution, assess, check, check_lwe, estimate, estimate_lwe,
    rotated_hybrid,
};

use super::outcome::{Exit, Failure, Outcome};

#[derive(Debug, Args)]
pub(super) struct SecurityArgs {
    /// Ring degree of an RLWE key, whose error has standard deviation `sigma`
    #[arg(long, required_unless_present = "lwe", conflicts_with = "lwe")]
    degree: Option<usize>,
    /// Dimension of an LWE key, or dimension times ring degree of a GLWE key, for torus schemes
    #[arg(long, value_name = "COEFFICIENTS", requires = "log_noise")]
    lwe: Option<usize>,
    /// log2 of the noise's standard deviation divided by the modulus, with `--lwe`
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, requires = "lwe")]
    log_noise: Option<f64>,
    /// Largest ring degree of anything published under the key, with `--lwe`: N of a GLWE key, or
    /// the degree of a module or packing key-switching key; 1 for plain LWE
    #[arg(long, value_name = "DEGREE", default_value_t = 1, conflicts_with = "degree")]
    ring_degree: usize,
    /// log2 of the largest modulus published under the key, special primes included
    #[arg(long, value_name = "BITS")]
    log_q: f64,
    /// Secret distribution: ternary, gaussian or `sparse_ternary:<weight>`; with `--lwe` also
    /// binary or `block_binary:<length>`, but not sparse
    #[arg(long, default_value = "ternary")]
    secret: String,
    /// Standard deviation of the error
    #[arg(long, default_value_t = fathom_security::STANDARD_ERROR_DEVIATION)]
    sigma: f64,
    /// Exit with code 1 below this security level: 128, 192 or 256
    #[arg(long, value_name = "BITS")]
    level: Option<u32>,
}

pub(super) fn run(args: &SecurityArgs) -> Outcome {
    let level = args.level.map(Level::try_from).transpose().map_err(Failure::usage)?;
    match (args.degree, args.lwe, args.log_noise) {
        (Some(degree), _, _) => ring(args, degree, level),
        (None, Some(dimension), Some(log_noise)) => {
            let secret = lwe_secret(&args.secret).ok_or_else(|| unknown_secret(args))?;
            check_lwe_range(dimension, args.log_q, log_noise)?;
            let (log_modulus, ring_degree) = (args.log_q, args.ring_degree);
            let key = LweKey { dimension, log_modulus, log_noise, secret, ring_degree };
            lwe(&key, level)
        }
        (None, _, _) => Err(Failure::usage("give --degree, or --lwe with --log-noise")),
    }
}

fn unknown_secret(args: &SecurityArgs) -> Failure {
    Failure::usage(format!(
        "there is no secret distribution `{}`: a ring takes ternary, gaussian or \
         sparse_ternary:<weight>, --lwe takes binary, block_binary:<length>, ternary or gaussian",
        args.secret
    ))
}

/// Prints the cost of every attack on a key of a torus scheme.
fn lwe(key: &LweKey, level: Option<Level>) -> Outcome {
    let costs = estimate_lwe(key);
    if costs.is_empty() {
        let text = "the estimator takes a dimension of at least 2, log q from 2 to 512, noise from \
                    one unit to 1/4 of the modulus, and a ring degree from 1 to 2^24";
        return Err(Failure::usage(text));
    }
    println!("model                                {MODEL}");
    for cost in &costs {
        let guessed = match cost.guessed {
            Some(count) if count > 0 => format!(" ({count} coefficients guessed)"),
            _ => String::new(),
        };
        println!("{:<36} {:.1} bits{guessed}", cost.attack.to_string(), cost.bits);
    }
    if let Some(level) = level
        && let Err(insecure) = check_lwe(key, level)
    {
        println!("{insecure}");
        return Ok(Exit::Check);
    }
    Ok(Exit::Ok)
}

/// Prints the level by the standard table and the estimator's costs for an RLWE key.
fn ring(args: &SecurityArgs, degree: usize, level: Option<Level>) -> Outcome {
    let secret = secret_distribution(&args.secret).ok_or_else(|| unknown_secret(args))?;
    check_ring_range(degree, args.log_q, args.sigma, secret)?;
    let verdict = assess(degree, args.log_q, secret, args.sigma);
    let costs = estimate(degree, args.log_q, secret, args.sigma);
    let met = verdict.level.map_or("below 128 bits".into(), |level| level.to_string());
    println!("level        {met} ({})", verdict.source);
    println!("badge        {}", verdict.badge);
    println!("classical    {:.1} bits ({})", verdict.classical_bits, verdict.model);
    println!("quantum      {:.1} bits", verdict.quantum_bits);
    println!("primal uSVP  {:.1} bits", costs.usvp_bits);
    println!("dual         {:.1} bits", costs.dual_bits);
    if let Some(cost) = rotated_hybrid(degree, args.log_q, secret, args.sigma) {
        let guessed = cost.guessed.unwrap_or(0);
        println!("rotated      {:.1} bits ({}, {guessed} guessed)", cost.bits, cost.attack);
    }
    println!(
        "core-SVP     {:.1} bits, quantum {:.1}",
        costs.core_svp_bits, costs.core_svp_quantum_bits
    );
    if let Some(level) = level
        && let Err(insecure) = check(degree, args.log_q, secret, level)
    {
        println!("{insecure}");
        return Ok(Exit::Check);
    }
    Ok(Exit::Ok)
}

/// Smallest and largest ring degree that the estimator accepts.
const DEGREES: [usize; 2] = [64, 1 << 20];

/// Checks the parameters of an RLWE key.
///
/// # Errors
/// The first argument that is out of range, with the range.
fn check_ring_range(
    degree: usize,
    log_q: f64,
    sigma: f64,
    secret: SecretDistribution,
) -> Result<(), Failure> {
    let [least, most] = DEGREES;
    in_range(degree >= least && degree <= most, "--degree", degree, format!("{least} to {most}"))?;
    in_range(log_q > 1.0 && log_q < 1e5, "--log-q", log_q, "more than 1 and less than 100000")?;
    let fits = sigma > 0.0 && sigma.log2() <= log_q - 2.0;
    let allowed = format!("more than 0, at most a quarter of the modulus, 2^{}", log_q - 2.0);
    in_range(fits, "--sigma", sigma, allowed)?;
    if let SecretDistribution::SparseTernary { weight } = secret {
        let allowed = format!("sparse_ternary:<weight> with a weight from 1 to {degree}");
        let found = format!("sparse_ternary:{weight}");
        in_range(weight >= 1 && weight as usize <= degree, "--secret", found, allowed)?;
    }
    Ok(())
}

/// Checks the parameters of an LWE key; the estimator reports its further conditions itself.
///
/// # Errors
/// The first argument that is out of range, with the range.
fn check_lwe_range(coefficients: usize, log_q: f64, log_noise: f64) -> Result<(), Failure> {
    let fits = (2..=MOST_COEFFICIENTS).contains(&coefficients);
    in_range(fits, "--lwe", coefficients, format!("2 to {MOST_COEFFICIENTS} coefficients"))?;
    in_range((2.0..=512.0).contains(&log_q), "--log-q", log_q, "2 to 512")?;
    let fits = (-log_q..=-2.0).contains(&log_noise);
    let allowed = format!("-{log_q} to -2: one unit to a quarter of the modulus");
    in_range(fits, "--log-noise", log_noise, allowed)
}

fn in_range(
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
