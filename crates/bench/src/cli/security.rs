//! `fathom security`: bits of security of lattice parameters, with the model's name.

use clap::Args;
use fathom_security::{Level, assess, check, estimate};

use super::{Exit, Failure, Outcome};
use crate::record::secret_distribution;

#[derive(Debug, Args)]
pub(super) struct SecurityArgs {
    /// Ring degree
    #[arg(long)]
    degree: usize,
    /// log2 of the largest modulus published under the key, special primes included
    #[arg(long, value_name = "BITS")]
    log_q: f64,
    /// Secret: ternary, gaussian or `sparse_ternary:<weight>`
    #[arg(long, default_value = "ternary")]
    secret: String,
    /// Standard deviation of the error
    #[arg(long, default_value_t = fathom_security::STANDARD_ERROR_DEVIATION)]
    sigma: f64,
    /// Exit with 1 below this level: 128, 192 or 256
    #[arg(long, value_name = "BITS")]
    level: Option<u32>,
}

pub(super) fn run(args: &SecurityArgs) -> Outcome {
    let unknown = || Failure::usage(format!("there is no secret distribution {}", args.secret));
    let secret = secret_distribution(&args.secret).ok_or_else(unknown)?;
    let sensible = args.degree >= 64
        && args.degree <= 1 << 20
        && args.log_q > 1.0
        && args.log_q < 1e5
        && args.sigma > 0.0;
    if !sensible {
        let text = "degree from 64 to 2^20, log q from 1 to 100000 and a positive sigma are wanted";
        return Err(Failure::usage(text));
    }
    let level = args.level.map(Level::try_from).transpose().map_err(Failure::usage)?;
    let verdict = assess(args.degree, args.log_q, secret, args.sigma);
    let costs = estimate(args.degree, args.log_q, secret, args.sigma);
    let met = verdict.level.map_or("below 128 bits".into(), |level| level.to_string());
    println!("level        {met} ({})", verdict.source);
    println!("badge        {}", verdict.badge);
    println!("classical    {:.1} bits ({})", verdict.classical_bits, verdict.model);
    println!("quantum      {:.1} bits", verdict.quantum_bits);
    println!("primal uSVP  {:.1} bits", costs.usvp_bits);
    println!("dual         {:.1} bits", costs.dual_bits);
    println!(
        "core-SVP     {:.1} bits, quantum {:.1}",
        costs.core_svp_bits, costs.core_svp_quantum_bits
    );
    if let Some(level) = level
        && let Err(insecure) = check(args.degree, args.log_q, secret, level)
    {
        println!("{insecure}");
        return Ok(Exit::Check);
    }
    Ok(Exit::Ok)
}
