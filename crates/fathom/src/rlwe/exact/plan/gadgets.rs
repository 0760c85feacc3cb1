//! The choice of the gadget of key switching at one degree.

use super::search::{Candidate, Rejection, Request, WIDEST_PRIME};
use crate::rlwe::{NoiseModel, Norms, SecretBounds, Tails};
use fathom_ring::Gadget;
use fathom_security::SecretDistribution;

/// Digits of more primes than this are never the best choice.
const LONGEST_DIGIT: usize = 12;

/// Describes the gadget in words.
pub(super) fn describe(gadget: Gadget) -> String {
    match gadget {
        Gadget::Hybrid { limbs: 1 } => "hybrid, 1 prime a digit".to_owned(),
        Gadget::Hybrid { limbs } => format!("hybrid, {limbs} primes a digit"),
        Gadget::Positional { base_log } => format!("positional, {base_log} bits a digit"),
    }
}

/// Returns the gadget with the cheapest product, if any fits under this degree.
pub(super) fn best_gadget(
    request: &Request,
    degree: usize,
    alternatives: &mut Vec<String>,
) -> Option<Candidate> {
    let hybrid = (1..=LONGEST_DIGIT.min(request.depth + 1)).map(|limbs| Gadget::Hybrid { limbs });
    let positional = [20, 18, 16, 14, 12, 10, 8, 6].map(|base_log| Gadget::Positional { base_log });
    let mut found: Vec<Candidate> = Vec::new();
    let mut least: Option<(f64, Rejection)> = None;
    for gadget in hybrid.chain(positional) {
        let base = NoiseModel {
            degree,
            error_factor: Norms::of_integer(request.plain_modulus as f64),
            secret: SecretBounds::new(SecretDistribution::Ternary, degree),
            gadget,
            chain_bits: Vec::new(),
            special_bits: Vec::new(),
            tails: Tails::new(request.failure_log2, degree),
        };
        match request.smallest(&base) {
            Ok(candidate) => found.push(candidate),
            Err(rejection) => {
                let bits = match rejection {
                    Rejection::Modulus { needed: bits, .. }
                    | Rejection::LeastModulus { least: bits, .. } => bits,
                    Rejection::NoLimit | Rejection::PrimesTooSmall => f64::INFINITY,
                };
                if least.as_ref().is_none_or(|(smallest, _)| bits < *smallest) {
                    least = Some((bits, rejection));
                }
            }
        }
    }
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    if found.is_empty() {
        let reason = least.map_or_else(String::new, |(_, r)| reason(request, &r));
        alternatives.push(format!("degree {degree}: {reason}"));
        return None;
    }
    let best = found.remove(0);
    if let Some(second) = found.first() {
        let percent = 100.0 * (second.cost / best.cost - 1.0);
        let gadget = describe(second.model.gadget);
        alternatives.push(format!("degree {degree}, {gadget}: {percent:.0} % more work a product"));
    }
    Some(best)
}

fn reason(request: &Request, rejection: &Rejection) -> String {
    match rejection {
        Rejection::NoLimit => format!("too small for {} security", request.security),
        Rejection::PrimesTooSmall => {
            format!("a product needs a prime of more than {WIDEST_PRIME} bits for t this large")
        }
        Rejection::Modulus { needed, limit } => {
            format!("needs {needed:.1} bits of log2 QP, {limit} are allowed")
        }
        Rejection::LeastModulus { least, limit } => {
            format!("needs more than {least:.1} bits of log2 QP, {limit} are allowed")
        }
    }
}
