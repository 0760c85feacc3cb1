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
        let Multipliers { left, right } = Multipliers::matching(t, after, low.meta);
        let noise =
            self.params.switched_noise(high.noise, high.parts.len(), high.level(), low.level());
        let tails = self.params.context().model.tails;
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
        let Multipliers { left, right } = Multipliers::matching(t, a.meta, b.meta);
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

/// Integers that make the factors `f` and `g` of two ciphertexts equal:
/// `left * f = right * g mod t`.
#[derive(Clone, Copy, Debug)]
struct Multipliers {
    left: i64,
    right: i64,
}

impl Multipliers {
    /// Finds small nonzero multipliers for the factors `left` and `right`, which allow a sum at the
    /// least cost in noise: about `sqrt(t)` each (rational reconstruction by Euclid's algorithm).
    fn matching(t: &Modulus, left: u64, right: u64) -> Multipliers {
        let ratio = quotient(t, right, left);
        let mut previous = Multipliers { left: t.value() as i64, right: 0 };
        let mut current = Multipliers { left: ratio as i64, right: 1 };
        let mut best = current;
        while current.left != 0 {
            if current.size() < best.size() {
                best = current;
            }
            let quotient = previous.left / current.left;
            let next = Multipliers {
                left: previous.left - quotient * current.left,
                right: previous.right - quotient * current.right,
            };
            (previous, current) = (current, next);
        }
        best
    }

    /// Returns the larger absolute value.
    fn size(self) -> u64 {
        self.left.unsigned_abs().max(self.right.unsigned_abs())
    }
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
            let matching = Multipliers::matching(&m, left, right);
            let Multipliers { left: l, right: r } = matching;
            prop_assert_eq!(m.mul(m.from_signed(l), left), m.mul(m.from_signed(r), right));
            prop_assert!(l != 0 && r != 0);
            prop_assert!(matching.size() as f64 <= (t as f64).sqrt() + 1.0);
        }
    }

    #[test]
    fn equal_factors_need_nothing() {
        let m = Modulus::new(65537).unwrap();
        let Multipliers { left, right } = Multipliers::matching(&m, 5, 5);
        assert_eq!((left, right), (1, 1));
    }
}
