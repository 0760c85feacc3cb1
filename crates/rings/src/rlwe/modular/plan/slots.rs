//! Plans without slots are refused, with the plaintext modulus or the depth that would do.

use super::gadgets::best_gadget;
use super::search::{DEGREES, Request};
use crate::Error;
use fathom_ring::is_prime;

/// Returns true if values modulo the prime `plain_modulus` fill the slots of a ring of this degree:
/// then `X^N + 1` splits into linear factors.
pub(super) fn are_there(plain_modulus: u64, degree: usize) -> bool {
    plain_modulus % step(degree) == 1
}

/// Returns the error for a plaintext modulus that fits the noise at `degree` and has no slots
/// there.
pub(super) fn absent(request: &Request, degree: usize) -> Error {
    let Request { depth, plain_modulus, security, .. } = *request;
    let remedy = match (larger_modulus(request, degree), greatest_depth(request)) {
        (Some((modulus, degree)), _) => {
            format!("take {modulus}, the smallest from there on with slots at degree {degree}")
        }
        (None, Some((depth, degree))) => format!(
            "no larger modulus leaves room for so many products either; lower the depth to \
             {depth}, which degree {degree} allows with slots"
        ),
        (None, None) => "no larger modulus leaves room for so many products either; lower the \
                         depth or the security level"
            .to_owned(),
    };
    let reason = format!(
        "{plain_modulus} has no slots at degree {degree}, the smallest that allows {depth} \
         products at {security} security: t - 1 would have to be a multiple of {}; {remedy}",
        step(degree)
    );
    Error::Spec { field: "plain_modulus", reason }
}

/// Finds the smallest prime, from the requested one on, that has slots at a degree where it leaves
/// room for the depth, together with that degree, which is at least `degree`.
fn larger_modulus(request: &Request, degree: usize) -> Option<(u64, usize)> {
    DEGREES.into_iter().filter(|other| *other >= degree).find_map(|degree| {
        let plain_modulus = smallest_with_slots(request.plain_modulus, degree)?;
        let request = Request { plain_modulus, ..*request };
        best_gadget(&request, degree, &mut Vec::new()).map(|_| (plain_modulus, degree))
    })
}

/// Finds the greatest depth below the requested one at the largest degree at which the modulus has
/// slots, together with that degree.
fn greatest_depth(request: &Request) -> Option<(usize, usize)> {
    let with_slots = |degree: &usize| are_there(request.plain_modulus, *degree);
    let degree = DEGREES.into_iter().rev().find(with_slots)?;
    let survives = |depth: usize| {
        best_gadget(&Request { depth, ..*request }, degree, &mut Vec::new()).is_some()
    };
    let depths: Vec<usize> = (0..request.depth).collect();
    // Parameters that suffice for a depth suffice for every smaller one.
    let count = depths.partition_point(|depth| survives(*depth));
    count.checked_sub(1).map(|depth| (depth, degree))
}

/// Returns the smallest prime from `least` on that is 1 modulo twice the degree.
pub(super) fn smallest_with_slots(least: u64, degree: usize) -> Option<u64> {
    let step = step(degree);
    let first = (least.saturating_sub(1)).div_ceil(step).max(1);
    (first..).map_while(|k| k.checked_mul(step)?.checked_add(1)).find(|t| is_prime(*t))
}

fn step(degree: usize) -> u64 {
    2 * degree as u64
}
