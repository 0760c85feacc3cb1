//! Modulus switching: division of a ciphertext and its noise by primes of the chain.

use super::{AlignedPair, Ciphertext, Evaluator, Level, Levels, Mechanics, Noise, Params};
use crate::Error;
use std::borrow::Cow;

impl<S: Mechanics> Evaluator<S> {
    /// Drops primes until `level`: divides ciphertext and noise by them. No keys needed. In CKKS a
    /// multiplication by a constant makes up for the division, so that the scale is that of fresh
    /// ciphertexts at `level`.
    ///
    /// Noise: the budget shrinks only where the noise was near the rounding error already.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] for a level above that of `a`; [`Error::NoiseExhausted`] if the
    /// message would not fit.
    pub fn mod_switch_to(
        &self,
        a: &Ciphertext<S>,
        level: impl Into<Level>,
    ) -> Result<Ciphertext<S>, Error> {
        let level = level.into();
        self.check_key(&[a])?;
        if level > a.level() {
            return Err(Error::NoSuchLevel { from: a.level(), to: level });
        }
        S::lowered(self, a, level)?.into_owned().checked("mod_switch_to", &[a])
    }

    /// Returns the ciphertext at `level`, which is not above its own. The caller checks the noise.
    pub(crate) fn switched<'a>(
        &self,
        a: &'a Ciphertext<S>,
        level: Level,
    ) -> Cow<'a, Ciphertext<S>> {
        if level == a.level() {
            return Cow::Borrowed(a);
        }
        let down = self.params.context().mod_down(a.limbs(), level.limbs());
        let parts = a.parts.iter().map(|p| down.apply(p.clone())).collect();
        let noise = self.params.switched_noise(a.noise, a.parts.len(), a.level(), level);
        let noise = noise.with_relative_error(S::META_ERROR);
        let meta = S::switched(&self.params, a.meta, a.level(), level);
        Cow::Owned(Ciphertext { meta, ..a.with(parts, noise) })
    }

    /// Brings both operands to one level, whatever their metadata: for products.
    pub(crate) fn same_level<'a>(
        &self,
        a: &'a Ciphertext<S>,
        b: &'a Ciphertext<S>,
    ) -> Result<AlignedPair<'a, S>, Error> {
        self.check_key(&[a, b])?;
        let level = common_level(a, b)?;
        if a.level() == b.level() {
            return Ok((Cow::Borrowed(a), Cow::Borrowed(b)));
        }
        Ok((S::lowered(self, a, level)?, S::lowered(self, b, level)?))
    }

    /// Brings both operands to one level and equal metadata: for sums.
    pub(crate) fn aligned<'a>(
        &self,
        a: &'a Ciphertext<S>,
        b: &'a Ciphertext<S>,
    ) -> Result<AlignedPair<'a, S>, Error> {
        self.check_key(&[a, b])?;
        S::aligned(self, a, b)
    }
}

/// Returns the level to which two operands are brought.
///
/// # Errors
/// [`Error::LevelMismatch`] for unequal levels where levels are the caller's.
pub(crate) fn common_level<S: Mechanics>(
    a: &Ciphertext<S>,
    b: &Ciphertext<S>,
) -> Result<Level, Error> {
    let (left, right) = (a.level(), b.level());
    match S::LEVELS {
        Levels::Explicit if left != right => Err(Error::LevelMismatch { left, right }),
        Levels::Explicit | Levels::Automatic => Ok(left.min(right)),
    }
}

impl<S: Mechanics> Params<S> {
    /// Returns the noise of a ciphertext of `parts` components after a switch.
    pub(crate) fn switched_noise(&self, n: Noise, parts: usize, from: Level, to: Level) -> Noise {
        self.context().model.switched(n, parts, from.limbs(), to.limbs())
    }
}
