//! The rotated primal hybrid on keys of RLWE schemes (eprint 2026/279).
//!
//! Only the variants in `hybrid.rs` that are known attacks are used: exhaustive search with a sieve
//! or with Babai's rounding, and a meet in the middle with Babai's rounding. A key over a ring of
//! degree `N` has `N` rotations.

use crate::SecretDistribution;
use crate::guess::Guesses;
use crate::hybrid::{Decoding, GuessRange, Hybrid, Search};
use crate::key::{Attack, AttackCost};
use crate::lwe::Lwe;

/// The known variants.
const FORMS: [(Search, Decoding, Attack); 3] = [
    (Search::MeetInTheMiddle, Decoding::Babai, Attack::RotatedHybridMeet),
    (Search::Exhaustive, Decoding::Sieve, Attack::RotatedHybrid),
    (Search::Exhaustive, Decoding::Babai, Attack::RotatedHybridBabai),
];

/// Largest degree estimated; larger ones are estimated as this degree, which is at most as secure.
const LARGEST_DEGREE: u32 = 1 << 17;

/// Largest block size tried; larger ones cost more than every level.
const LARGEST_BLOCK: u32 = 1000;

/// Number of steps of the first search over the number of guessed coordinates.
const STEPS: u32 = 64;

/// Returns the cost of the cheapest known variant against a ternary secret on a ring, or `None` if
/// nothing is guessed or no number of guesses succeeds. Only block sizes up to `largest_block` are
/// tried.
pub(crate) fn cheapest(
    lwe: &Lwe,
    secret: SecretDistribution,
    largest_block: u32,
) -> Option<AttackCost> {
    let degree = (lwe.degree as u32).min(LARGEST_DEGREE);
    let lwe = &Lwe { degree: f64::from(degree), ..*lwe };
    let weight = match secret {
        SecretDistribution::Ternary => (2 * degree).div_ceil(3),
        SecretDistribution::SparseTernary { weight } => weight.min(degree),
        SecretDistribution::Gaussian => return None,
    };
    if degree < 2 || weight == 0 {
        return None;
    }
    let guesses = |guessed| match guessed {
        0 => Guesses::none(),
        _ => Guesses::coordinates(degree, weight, 2, guessed),
    };
    let range = GuessRange { unit: 1, most: degree - 1, step: (degree / STEPS).max(1) };
    let costs = FORMS.map(|(search, decoding, attack)| {
        let hybrid = Hybrid { search, decoding, rotations: degree };
        let (bits, guessed) =
            hybrid.cheapest(lwe, largest_block.min(LARGEST_BLOCK), range, guesses);
        AttackCost { attack, bits, guessed: Some(guessed) }
    });
    costs.into_iter().filter(|cost| cost.bits.is_finite()).min_by(|a, b| a.bits.total_cmp(&b.bits))
}
