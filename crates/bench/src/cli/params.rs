//! `fathom params`: shows the presets, or finds the smallest parameter set for a depth.

use clap::Args;
use fathom::bfv;
use fathom_cases::record::{Security, assess};
use fathom_drivers::client::Driver;
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{Code, ParamsInfo, ParamsRequest, Purpose, Refusal};
use rayon::prelude::*;

use super::earlier;
use super::outcome::{Exit, Failure, Outcome};
use super::progress;
use super::shared::{DriverArgs, style};
use crate::report::table::Table;
use crate::report::terminal::table::draw;

/// The widest values that parameters can be found for, in bits.
const MOST_BITS: u32 = 40;

#[derive(Debug, Args)]
pub(super) struct ParamsArgs {
    /// Show only this scheme
    scheme: Option<String>,
    /// Find parameters for this many consecutive multiplications
    #[arg(long)]
    depth: Option<u32>,
    /// Width of the values in bits, and in CKKS the bits behind the point that results keep, with
    /// --depth
    #[arg(long, default_value_t = 16, requires = "depth")]
    bits: u32,
    /// Security level in bits, with --depth
    #[arg(long, default_value_t = 128, requires = "depth")]
    security: u32,
    #[command(flatten)]
    driver: DriverArgs,
}

pub(super) fn run(args: &ParamsArgs) -> Outcome {
    let moduli = plain_moduli(args.bits)?;
    let mut driver = Driver::start(&args.driver.launch()?).map_err(Failure::nothing)?;
    let known = driver.schemes.clone();
    let asked = args.scheme.as_deref().map(earlier::scheme);
    let wanted = |name: &str| asked.as_ref().is_none_or(|scheme| scheme == name);
    let schemes: Vec<_> = known.iter().filter(|s| wanted(&s.scheme)).collect();
    if schemes.is_empty() {
        let names: Vec<&str> = known.iter().map(|scheme| scheme.scheme.as_str()).collect();
        let wanted = args.scheme.as_deref().unwrap_or("any");
        let text = format!("there is no scheme `{wanted}`; there are: {}", names.join(", "));
        return Err(Failure::usage(text));
    }
    let mut found: Vec<(String, ParamsInfo)> = Vec::new();
    for scheme in schemes {
        if let Some(depth) = args.depth {
            match for_depth(&mut driver, &scheme.scheme, depth, args, &moduli) {
                Ok(params) => found.push((scheme.scheme.clone(), params)),
                // Without a scheme argument, schemes that have no such parameters are reported and
                // skipped.
                Err(Fault::Refused(refusal)) if args.scheme.is_none() => {
                    eprintln!("{}: {}", scheme.scheme, refusal.message);
                }
                Err(fault) => return Err(refused(&scheme.scheme, &fault)),
            }
            continue;
        }
        for name in &scheme.params {
            let prepared = driver.prepare(&scheme.scheme, preset(name), [1, 1], None);
            let prepared = prepared.map_err(|fault| refused(&scheme.scheme, &fault))?;
            found.push((scheme.scheme.clone(), prepared.params));
        }
    }
    if found.is_empty() {
        return Err(Failure::usage("no scheme has such parameters; see above"));
    }
    println!("{}", show(&found));
    for (scheme, params) in &found {
        if let Some(explanation) = &params.explanation {
            println!("\n{scheme} {}\n{explanation}", params.name);
        }
    }
    Ok(Exit::Ok)
}

fn preset(name: &str) -> ParamsRequest {
    ParamsRequest::Preset { preset: name.to_owned() }
}

/// Converts a driver's refusal of parameters: the reason alone if it gives one.
fn refused(scheme: &str, fault: &Fault) -> Failure {
    match fault {
        Fault::Refused(refusal) => Failure::usage(format!("{scheme}: {}", refusal.message)),
        Fault::NotStarted(_)
        | Fault::Crashed { .. }
        | Fault::Hung { .. }
        | Fault::Flooded { .. }
        | Fault::Violation(_)
        | Fault::Nonsense { .. } => Failure::nothing(fault),
    }
}

/// A ring degree, and the smallest plaintext modulus that has slots there.
type Modulus = (usize, u64);

/// Returns the smallest plaintext modulus for values of `bits` bits at each degree.
fn plain_moduli(bits: u32) -> Result<Vec<Modulus>, Failure> {
    if !(1..=MOST_BITS).contains(&bits) {
        let text = format!("values of {bits} bits: --bits takes 1 to {MOST_BITS}");
        return Err(Failure::usage(text));
    }
    let modulus = |degree: usize| {
        let primes = bfv::Params::batching_primes(degree, 1 << bits, 1);
        primes.map(|primes| (degree, primes[0])).map_err(Failure::usage)
    };
    (10..=16).map(|log| modulus(1 << log)).collect()
}

/// Finds parameters of the smallest degree for a depth; if there are none, returns the driver's
/// reason for the first modulus.
fn for_depth(
    driver: &mut Driver,
    scheme: &str,
    depth: u32,
    args: &ParamsArgs,
    moduli: &[Modulus],
) -> Result<ParamsInfo, Fault> {
    let mut best: Option<ParamsInfo> = None;
    let mut reason = None;
    for &(degree, plain_modulus) in moduli {
        let request = ParamsRequest::For(Purpose {
            depth,
            plain_modulus: Some(plain_modulus),
            scale_bits: None,
            precision_bits: Some(args.bits),
            security: args.security,
            n: None,
            defaults: false,
        });
        match driver.prepare(scheme, request, [1, 1], None) {
            Ok(prepared) => {
                let found = prepared.params;
                if best.as_ref().is_none_or(|best| found.n < best.n) {
                    best = Some(found);
                }
            }
            Err(Fault::Refused(refusal)) if refusal.code == Code::Unsupported => {
                reason.get_or_insert(Fault::Refused(refusal));
            }
            Err(fault) => return Err(fault),
        }
        // The moduli of larger degrees are larger.
        if best.as_ref().is_some_and(|best| best.n <= degree) {
            break;
        }
    }
    let none = || Fault::Refused(Refusal::unsupported("no plaintext modulus"));
    best.ok_or_else(|| reason.unwrap_or_else(none))
}

/// Assesses all parameters, with a bar on a terminal: the estimator takes a second for each torus
/// key.
fn assessments(found: &[(String, ParamsInfo)]) -> Vec<Option<Security>> {
    let bar = progress::bar(found.len());
    bar.set_message("estimating security");
    let assessed = found.par_iter().map(|(_, params)| {
        let security = assess(params);
        bar.inc(1);
        security
    });
    let assessed = assessed.collect();
    bar.finish_and_clear();
    assessed
}

fn show(found: &[(String, ParamsInfo)]) -> String {
    let header =
        ["scheme", "name", "n", "log q", "log qp", "t", "levels", "classical", "quantum", "source"];
    let mut table = Table::new("", &header);
    for ((scheme, params), security) in found.iter().zip(assessments(found)) {
        let bits = |pick: fn(&Security) -> Option<f64>| {
            security.as_ref().and_then(pick).map_or("-".into(), |bits| format!("{bits:.0}"))
        };
        table.push_texts([
            scheme.clone(),
            params.name.clone(),
            params.n.to_string(),
            format!("{:.1}", params.log_q),
            format!("{:.1}", params.log_qp),
            params.plain_modulus.to_string(),
            params.levels.to_string(),
            bits(|security| security.classical),
            bits(|security| security.quantum),
            security.as_ref().map_or("-".into(), |security| security.source.clone()),
        ]);
    }
    draw(&table, style())
}
