//! The choice of the gadget of key switching at one degree.

use super::search::{Candidate, Rejection, Request};
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

/// Returns the gadget with the cheapest product, if any fits under this degree, with as few spare
/// primes as it takes.
pub(super) fn best_gadget(
    request: &Request,
    degree: usize,
    alternatives: &mut Vec<String>,
) -> Option<Candidate> {
    let mut rejection = None;
    for spare_primes in 0..=request.depth + 2 {
        let request = Request { spare_primes, ..*request };
        match gadgets(&request, degree) {
            Ok(mut found) => {
                let best = found.remove(0);
                alternatives.extend(found.first().map(|second| {
                    let percent = 100.0 * (second.cost / best.cost - 1.0);
                    let gadget = describe(second.model.gadget);
                    format!("degree {degree}, {gadget}: {percent:.0} % more work a product")
                }));
                return Some(best);
            }
            // One more prime takes the place of larger ones that there are not.
            Err(Some(Rejection::PrimesTooSmall)) => {
                rejection.get_or_insert(Rejection::PrimesTooSmall);
            }
            Err(other) => {
                rejection = other.or(rejection);
                break;
            }
        }
    }
    let reason = rejection.map_or_else(String::new, |rejection| reason(request, &rejection));
    alternatives.push(format!("degree {degree}: {reason}"));
    None
}

/// Returns the smallest sizes of primes for every gadget that fits under a degree, those of the
/// cheapest product first; or the rejection of the gadget that would need the fewest bits.
fn gadgets(request: &Request, degree: usize) -> Result<Vec<Candidate>, Option<Rejection>> {
    let longest = LONGEST_DIGIT.min(request.limbs().get());
    let hybrid = (1..=longest).map(|limbs| Gadget::Hybrid { limbs });
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
    if found.is_empty() {
        return Err(least.map(|(_, rejection)| rejection));
    }
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    Ok(found)
}

fn reason(request: &Request, rejection: &Rejection) -> String {
    match rejection {
        Rejection::NoLimit => format!("too small for {} security", request.security),
        Rejection::PrimesTooSmall => {
            let widest = request.widest;
            format!("a product needs a prime of more than {widest} bits for t this large")
        }
        Rejection::Modulus { needed, limit } => {
            format!("needs {needed:.1} bits of log2 QP, {limit} are allowed")
        }
        Rejection::LeastModulus { least, limit } => {
            format!("needs more than {least:.1} bits of log2 QP, {limit} are allowed")
        }
    }
}
