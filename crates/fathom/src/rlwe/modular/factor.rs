//! The factors of messages: products, switches, and small multipliers that make two factors equal.
//!
//! A ciphertext hides `f m + t e` with a public unit `f` modulo `t`. Products multiply factors, a
//! division by a prime `q` divides them by `q`, and a sum needs equal ones.

use super::Modular;
use crate::Error;
use crate::rlwe::mod_switch::common_level;
use crate::rlwe::{AlignedPair, Ciphertext, Evaluator, Level, Params};
use fathom_ring::{Modulus, Scalar};
use std::borrow::Cow;

impl<S: Modular> Params<S> {
    /// Returns the factor of a product.
    pub(crate) fn multiplied_factor(&self, left: u64, right: u64) -> u64 {
        self.plain().modulus().mul(left, right)
    }

    /// Returns the factor after the primes between two levels are divided away.
    pub(crate) fn switched_factor(&self, factor: u64, from: Level, to: Level) -> u64 {
        let t = self.plain().modulus();
        self.chain()[to.limbs().get()..from.limbs().get()]
            .iter()
            .fold(factor, |f, &q| quotient(t, f, t.reduce(q)))
    }
}

/// Brings both to one level with one factor.
pub(crate) fn aligned<'a, S: Modular>(
    evaluator: &Evaluator<S>,
    a: &'a Ciphertext<S>,
    b: &'a Ciphertext<S>,
) -> Result<AlignedPair<'a, S>, Error> {
    let level = common_level(a, b)?;
    if a.level() > level {
        return Ok(evaluator.lowered(a, b));
    }
    if b.level() > level {
        let (b, a) = evaluator.lowered(b, a);
        return Ok((a, b));
    }
    Ok(evaluator.multiplied_to_match(Cow::Borrowed(a), Cow::Borrowed(b)))
}

impl<S: Modular> Evaluator<S> {
    /// Brings `high` to the level and factor of `low`: by one multiplier before the switch, which
    /// divides the added noise away, or by small multipliers of both after it, whichever leaves
    /// less noise.
    fn lowered<'a>(&self, high: &'a Ciphertext<S>, low: &'a Ciphertext<S>) -> AlignedPair<'a, S> {
        let t = self.params.plain().modulus();
        let after = self.params.switched_factor(high.meta, high.level(), low.level());
        let scaled = self.scaled(high, t.to_signed(quotient(t, low.meta, after)));
        let before = self.switched(&scaled, low.level()).into_owned();
        let (left, right) = matching_multipliers(t, after, low.meta);
        let noise =
            self.params.switched_noise(high.noise, high.parts.len(), high.level(), low.level());
        let tails = self.params.context().tails;
        let both = noise.times(left.unsigned_abs() as f64).bound(tails)
            + low.noise.times(right.unsigned_abs() as f64).bound(tails);
        if before.noise.bound(tails) + low.noise.bound(tails) <= both {
            return (Cow::Owned(before), Cow::Borrowed(low));
        }
        self.multiplied_to_match(self.switched(high, low.level()), Cow::Borrowed(low))
    }

    fn multiplied_to_match<'a>(
        &self,
        a: Cow<'a, Ciphertext<S>>,
        b: Cow<'a, Ciphertext<S>>,
    ) -> AlignedPair<'a, S> {
        if a.meta == b.meta {
            return (a, b);
        }
        let t = self.params.plain().modulus();
        let (left, right) = matching_multipliers(t, a.meta, b.meta);
        (Cow::Owned(self.scaled(&a, left)), Cow::Owned(self.scaled(&b, right)))
    }

    /// Multiplies the phase by an integer: message and factor both change, their quotient does not.
    pub(crate) fn scaled(&self, a: &Ciphertext<S>, multiplier: i64) -> Ciphertext<S> {
        let t = self.params.plain().modulus();
        let scalar = Scalar::from_signed(&self.params.context().ring, multiplier);
        let mut parts = a.parts.clone();
        for p in &mut parts {
            p.mul_scalar_assign(&scalar);
        }
        let meta = t.mul(a.meta, t.from_signed(multiplier));
        let noise = a.noise.times(multiplier.unsigned_abs() as f64);
        Ciphertext { meta, ..a.with(parts, noise) }
    }
}

/// Returns `numerator / denominator` modulo the prime `t`, for a denominator that is a factor of a
/// message or a prime of the modulus.
pub(crate) fn quotient(t: &Modulus, numerator: u64, denominator: u64) -> u64 {
    let inverse = t.inverse(denominator);
    t.mul(numerator, inverse.expect("factors and primes of the modulus are units modulo t"))
}

/// Finds small nonzero integers `(l, r)` with `l * left = r * right mod t`, which make the sum of
/// ciphertexts with factors `left` and `right` possible at the least cost in noise: about `sqrt(t)`
/// each (rational reconstruction by Euclid's algorithm).
fn matching_multipliers(t: &Modulus, left: u64, right: u64) -> (i64, i64) {
    let ratio = quotient(t, right, left);
    let (mut previous, mut current) = ((t.value() as i64, 0i64), (ratio as i64, 1i64));
    let mut best = current;
    while current.0 != 0 {
        if size(current) < size(best) {
            best = current;
        }
        let quotient = previous.0 / current.0;
        let next = (previous.0 - quotient * current.0, previous.1 - quotient * current.1);
        (previous, current) = (current, next);
    }
    best
}

fn size((l, r): (i64, i64)) -> u64 {
    l.unsigned_abs().max(r.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN_MODULI: [u64; 4] = [257, 65537, 786_433, 2_013_265_921];

    proptest! {
        #[test]
        fn multipliers_match_and_are_small(t in prop::sample::select(PLAIN_MODULI.to_vec()),
                                           left in 1u64.., right in 1u64..) {
            let m = Modulus::new(t).unwrap();
            let (left, right) = (left % (t - 1) + 1, right % (t - 1) + 1);
            let (l, r) = matching_multipliers(&m, left, right);
            prop_assert_eq!(m.mul(m.from_signed(l), left), m.mul(m.from_signed(r), right));
            prop_assert!(l != 0 && r != 0);
            prop_assert!(size((l, r)) as f64 <= (t as f64).sqrt() + 1.0);
        }
    }

    #[test]
    fn equal_factors_need_nothing() {
        let m = Modulus::new(65537).unwrap();
        assert_eq!(matching_multipliers(&m, 5, 5), (1, 1));
    }
}
