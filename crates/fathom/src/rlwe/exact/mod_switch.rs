//! Modulus switching: fewer primes, the same message, less noise.

use super::scheme::Levels;
use super::{Ciphertext, Evaluator, Scheme};
use crate::Error;
use crate::rlwe::Noise;
use fathom_ring::Scalar;
use std::borrow::Cow;

/// Two operands, copied only if they had to change.
pub(super) type Both<'a, S> = (Cow<'a, Ciphertext<S>>, Cow<'a, Ciphertext<S>>);

impl<S: Scheme> Evaluator<S> {
    /// Drops primes until `level`: divides ciphertext and noise by them. No keys needed.
    ///
    /// Noise: the budget shrinks only where the noise was near the rounding error already.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] for a level above that of `a`; [`Error::NoiseExhausted`] if the
    /// message would not fit.
    pub fn mod_switch_to(&self, a: &Ciphertext<S>, level: usize) -> Result<Ciphertext<S>, Error> {
        self.own(&[a])?;
        if level > a.level() {
            return Err(Error::NoSuchLevel { from: a.level(), to: level });
        }
        self.switched(a, level).into_owned().checked("mod_switch_to", &[a])
    }

    fn switched<'a>(&self, a: &'a Ciphertext<S>, level: usize) -> Cow<'a, Ciphertext<S>> {
        if level == a.level() {
            return Cow::Borrowed(a);
        }
        let down = self.params.context().mod_down(a.limbs(), level + 1);
        let parts = a.parts.iter().map(|p| down.apply(p.clone())).collect();
        let noise = self.params.switched_noise(a.noise, a.parts.len(), a.level(), level);
        let factor = self.params.switched_factor(a.factor, a.level(), level);
        Cow::Owned(Ciphertext { factor, ..a.with(parts, noise) })
    }

    /// Both at one level, whatever their factors: for products.
    pub(crate) fn same_level<'a>(
        &self,
        a: &'a Ciphertext<S>,
        b: &'a Ciphertext<S>,
    ) -> Result<Both<'a, S>, Error> {
        self.own(&[a, b])?;
        let level = common_level(a, b)?;
        Ok((self.switched(a, level), self.switched(b, level)))
    }

    /// Both at one level with one factor: for sums.
    pub(crate) fn matched<'a>(
        &self,
        a: &'a Ciphertext<S>,
        b: &'a Ciphertext<S>,
    ) -> Result<Both<'a, S>, Error> {
        self.own(&[a, b])?;
        let level = common_level(a, b)?;
        if a.level() > level {
            return Ok(self.lowered(a, b));
        }
        if b.level() > level {
            let (b, a) = self.lowered(b, a);
            return Ok((a, b));
        }
        Ok(self.multiplied_to_match(Cow::Borrowed(a), Cow::Borrowed(b)))
    }

    /// `high` brought to the level and factor of `low`: by one multiplier before the switch, where
    /// its noise is divided away, or by small multipliers of both after it, whichever leaves less
    /// noise.
    fn lowered<'a>(&self, high: &'a Ciphertext<S>, low: &'a Ciphertext<S>) -> Both<'a, S> {
        let t = self.params.plain().modulus();
        let after = self.params.switched_factor(high.factor, high.level(), low.level());
        let multiplier = t.to_signed(t.mul(low.factor, t.inverse(after).unwrap_or(1)));
        let scaled = self.scaled(high, multiplier);
        let before = self.switched(&scaled, low.level()).into_owned();
        let (left, right) = super::factor::matching_multipliers(t, after, low.factor);
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
    ) -> Both<'a, S> {
        if a.factor == b.factor {
            return (a, b);
        }
        let t = self.params.plain().modulus();
        let (left, right) = super::factor::matching_multipliers(t, a.factor, b.factor);
        (Cow::Owned(self.scaled(&a, left)), Cow::Owned(self.scaled(&b, right)))
    }

    /// The phase times an integer: message and factor both change, their quotient does not.
    pub(crate) fn scaled(&self, a: &Ciphertext<S>, multiplier: i64) -> Ciphertext<S> {
        let t = self.params.plain().modulus();
        let scalar = Scalar::from_signed(&self.params.context().ring, multiplier);
        let mut parts = a.parts.clone();
        for p in &mut parts {
            p.mul_scalar_assign(&scalar);
        }
        let factor = t.mul(a.factor, t.from_signed(multiplier));
        let noise = a.noise.times(multiplier.unsigned_abs() as f64);
        Ciphertext { factor, ..a.with(parts, noise) }
    }
}

fn common_level<S: Scheme>(a: &Ciphertext<S>, b: &Ciphertext<S>) -> Result<usize, Error> {
    let (left, right) = (a.level(), b.level());
    match S::LEVELS {
        Levels::Explicit if left != right => Err(Error::LevelMismatch { left, right }),
        Levels::Explicit | Levels::Automatic => Ok(left.min(right)),
    }
}

impl<S: Scheme> super::Params<S> {
    /// The factor after dropping the primes between two levels: division by them modulo `t`.
    pub(crate) fn switched_factor(&self, factor: u64, from: usize, to: usize) -> u64 {
        let t = self.plain().modulus();
        self.chain()[to + 1..=from].iter().fold(factor, |f, &q| {
            // The primes differ from the prime t, so they are units.
            t.mul(f, t.inverse(t.reduce(q)).unwrap_or(1))
        })
    }

    pub(crate) fn switched_noise(&self, n: Noise, parts: usize, from: usize, to: usize) -> Noise {
        self.context().switched(n, parts, from + 1, to + 1)
    }
}
