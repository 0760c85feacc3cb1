//! `fathom params`: the presets, or the smallest set for a purpose.

use clap::Args;

use super::{DriverArgs, Exit, Failure, Outcome, style};
use crate::drivers::client::Driver;
use crate::drivers::protocol::{ParamsInfo, ParamsRequest, Purpose};
use crate::record::Security;
use crate::table;

/// Plaintext moduli with slots at every degree up to 2^15, smallest first.
const PLAIN_MODULI: [u64; 3] = [65537, 786_433, 2_013_265_921];

#[derive(Debug, Args)]
pub(super) struct ParamsArgs {
    /// Only this scheme
    scheme: Option<String>,
    /// Find parameters for so many multiplications one after another
    #[arg(long)]
    depth: Option<u32>,
    /// Width of the values in bits, for --depth
    #[arg(long, default_value_t = 16, requires = "depth")]
    bits: u32,
    /// Bits of security, for --depth
    #[arg(long, default_value_t = 128, requires = "depth")]
    security: u32,
    #[command(flatten)]
    driver: DriverArgs,
}

pub(super) fn run(args: &ParamsArgs) -> Outcome {
    let mut driver = Driver::start(&args.driver.launch()?).map_err(Failure::nothing)?;
    let capabilities = driver.capabilities().map_err(Failure::nothing)?;
    let wanted = |name: &str| args.scheme.as_ref().is_none_or(|scheme| scheme == name);
    let schemes: Vec<_> = capabilities.schemes.into_iter().filter(|s| wanted(&s.scheme)).collect();
    if schemes.is_empty() {
        return Err(Failure::usage("there is no such scheme; see `fathom list schemes`"));
    }
    let mut found: Vec<(String, ParamsInfo)> = Vec::new();
    for scheme in schemes {
        let requests = match args.depth {
            Some(depth) => vec![for_depth(depth, args.bits, args.security)?],
            None => scheme.params.iter().map(|name| preset(name)).collect(),
        };
        for request in requests {
            let prepared =
                driver.prepare(&scheme.scheme, request, [1, 1], None).map_err(Failure::usage)?;
            found.push((scheme.scheme.clone(), prepared.params));
        }
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

fn for_depth(depth: u32, bits: u32, security: u32) -> Result<ParamsRequest, Failure> {
    let wide_enough = |t: &&u64| **t > (1_u64 << bits.min(63)) - 1;
    let plain_modulus = PLAIN_MODULI.iter().find(wide_enough).copied().ok_or_else(|| {
        Failure::usage(format!("values of {bits} bits: at most 30 fit the plaintext moduli"))
    })?;
    Ok(ParamsRequest::For(Purpose {
        depth,
        plain_modulus: Some(plain_modulus),
        scale_bits: None,
        security,
        n: None,
        defaults: false,
    }))
}

fn show(found: &[(String, ParamsInfo)]) -> String {
    let header =
        ["scheme", "name", "n", "log q", "log qp", "t", "levels", "classical", "quantum", "source"];
    let mut table = table::empty(style(), &header);
    for (scheme, params) in found {
        let security = Security::of(params);
        let bits = |pick: fn(&Security) -> Option<f64>| {
            security.as_ref().and_then(pick).map_or("-".into(), |bits| format!("{bits:.0}"))
        };
        table.add_row([
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
    table.to_string()
}
