//! Levels and scales: rescaling, and bringing operands together.

use super::{Ckks, Mode, ScaleError};
use crate::Error;
use crate::rlwe::{AlignedPair, Ciphertext, Evaluator, Level, Levels, Mechanics, common_level};
use fathom_ring::{Modulus, Ring, Scalar};
use std::borrow::Cow;

/// Scales that differ by less than this are taken for equal; the difference is counted as an error.
const EQUAL: f64 = 1.0 / (1_u64 << 40) as f64;
/// Smallest ratio of two scales for which an integer near it will do.
const WIDE_RATIO: f64 = (1_u64 << 20) as f64;
/// Largest integer that changes a scale.
const LARGEST_MULTIPLIER: f64 = (1_u128 << 120) as f64;

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Divides the phase by the last prime of its modulus and rounds, as after every product.
    ///
    /// Scale, noise and modulus are divided by that prime; the values in the slots do not change.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] at level 0; [`ScaleError::BelowOne`]; [`Error::NoiseExhausted`] if
    /// message and noise together could exceed half of the remaining modulus.
    pub fn rescale(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.check_key(&[a])?;
        let from = a.level();
        let to = from.next().ok_or(Error::NoSuchLevel { from, to: from })?;
        let scale = <Ckks<M>>::switched(&self.params, a.meta, from, to);
        <Ckks<M>>::check_range(&self.params, "rescale", scale)?;
        self.switched(a, to).into_owned().checked("rescale", &[a])
    }

    /// Reduces the ciphertext to the modulus of `level` without a division, which is the cheapest
    /// way to a lower level: nothing is copied if at least half of the residues remain. Scale and
    /// noise do not change.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] if the ciphertext is below `level`; [`Error::NoiseExhausted`] if
    /// message and noise together could exceed half of the remaining modulus.
    pub fn drop_to(
        &self,
        a: &Ciphertext<Ckks<M>>,
        level: impl Into<Level>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let (from, to) = (a.level(), level.into());
        self.check_key(&[a])?;
        if to > from {
            return Err(Error::NoSuchLevel { from, to });
        }
        restricted(a, to).checked("drop_to", &[a])
    }

    /// Brings a ciphertext to the level for which a plaintext was prepared.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] if the ciphertext is below that level; [`Error::LevelMismatch`] if it
    /// is above and levels are explicit.
    pub(crate) fn brought_to<'a>(
        &self,
        a: &'a Ciphertext<Ckks<M>>,
        to: Level,
    ) -> Result<Cow<'a, Ciphertext<Ckks<M>>>, Error> {
        let a = self.at_least(a, to)?;
        let from = a.level();
        if from < to {
            return Err(Error::NoSuchLevel { from, to });
        }
        match a {
            Cow::Borrowed(_) if from != to && M::LEVELS == Levels::Explicit => {
                Err(Error::LevelMismatch { left: from, right: to })
            }
            Cow::Borrowed(a) => lowered(self, a, to),
            // The caller did not choose the level of what was bootstrapped.
            Cow::Owned(a) => Ok(Cow::Owned(lowered(self, &a, to)?.into_owned())),
        }
    }

    /// Rescales a product with a plaintext, unless the result would not fit below.
    pub(crate) fn rescaled_if_it_fits(&self, product: Ciphertext<Ckks<M>>) -> Ciphertext<Ckks<M>> {
        let Some(to) = product.level().next() else { return product };
        let rescaled = self.switched(&product, to).into_owned();
        if rescaled.noise_budget_bits() >= 0.0 { rescaled } else { product }
    }

    /// Multiplies the phase by an integer, and with it the values.
    pub(crate) fn multiplied(&self, a: &Ciphertext<Ckks<M>>, integer: i128) -> Ciphertext<Ckks<M>> {
        let scalar = wide_scalar(&self.params.context().ring, integer);
        let mut parts = a.parts.clone();
        for part in &mut parts {
            part.mul_scalar_assign(&scalar);
        }
        a.with(parts, a.noise.times(integer.unsigned_abs() as f64))
    }

    /// Multiplies the phase by the integer that brings its scale closest to the wanted one. The
    /// relative error is added to the noise.
    fn multiplied_to_scale(
        &self,
        a: &Ciphertext<Ckks<M>>,
        scale: f64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let integer = (scale / a.meta).round();
        // What is not a number is not in the range either.
        if !(1.0..=LARGEST_MULTIPLIER).contains(&integer) {
            return Err(ScaleError::OutOfReach { from: a.meta, to: scale }.into());
        }
        let multiplied = self.multiplied(a, integer as i128);
        let raised = Ciphertext { meta: integer * a.meta, ..multiplied };
        Ok(relabeled(raised, scale))
    }

    /// Returns the ciphertext at this scale, one level lower: it is multiplied by a constant before
    /// the division.
    fn rescaled_to(
        &self,
        a: &Ciphertext<Ckks<M>>,
        scale: f64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let to = a.level().next().expect("the caller aligns at the level below");
        let divisor = <Ckks<M>>::switched(&self.params, 1.0, a.level(), to).recip();
        let multiplied = self.multiplied_to_scale(a, scale * divisor)?;
        let lowered = self.switched(&multiplied, to).into_owned();
        Ok(Ciphertext { meta: scale, ..lowered })
    }
}

/// See [`Mechanics::lowered`]: products that were not rescaled are; then residues are dropped, and
/// the last prime is divided away together with a constant that makes the scale that of the level.
pub(super) fn lowered<'a, M: Mode>(
    evaluator: &Evaluator<Ckks<M>>,
    a: &'a Ciphertext<Ckks<M>>,
    level: Level,
) -> Result<Cow<'a, Ciphertext<Ckks<M>>>, Error> {
    let mut a = Cow::Borrowed(a);
    // A product that was not rescaled has about the square of the scale. Dropping its residues
    // would leave too little modulus for it.
    while a.level() > level && a.meta > WIDE_RATIO * evaluator.params.level_scale(a.level()) {
        let next = a.level().next().expect("a level above another has a next one");
        a = Cow::Owned(evaluator.switched(&a, next).into_owned());
    }
    if a.level() <= level {
        return Ok(a);
    }
    // Residues are dropped down to one level above the target, for the division that corrects the
    // scale.
    let above = restricted(&a, level.above());
    Ok(Cow::Owned(evaluator.rescaled_to(&above, evaluator.params.level_scale(level))?))
}

/// See [`Mechanics::aligned`].
pub(super) fn aligned<'a, M: Mode>(
    evaluator: &Evaluator<Ckks<M>>,
    a: &'a Ciphertext<Ckks<M>>,
    b: &'a Ciphertext<Ckks<M>>,
) -> Result<AlignedPair<'a, Ckks<M>>, Error> {
    let level = common_level(a, b)?;
    let (left, right) = (lowered(evaluator, a, level)?, lowered(evaluator, b, level)?);
    let (l, r) = (left.meta, right.meta);
    if is_same_scale(l, r) {
        let same = r.to_bits() == l.to_bits();
        let right = if same { right } else { Cow::Owned(relabeled(right.into_owned(), l)) };
        return Ok((left, right));
    }
    // With a large ratio an integer is near enough to it, and no level is spent. With a small one,
    // rounding the ratio to an integer would be an error of more than 2^-21 of the message.
    let wide = is_wide([l, r]);
    let next = level.next().filter(|next| *next >= evaluator.params.last_level());
    if M::LEVELS == Levels::Explicit {
        let remedy = mismatch_remedy([l, r], next);
        return Err(ScaleError::Mismatch { left: l, right: r, remedy }.into());
    }
    if wide && l > r {
        let right = evaluator.multiplied_to_scale(&right, l)?;
        return Ok((left, Cow::Owned(right)));
    }
    if wide {
        let left = evaluator.multiplied_to_scale(&left, r)?;
        return Ok((Cow::Owned(left), right));
    }
    let remedy = mismatch_remedy([l, r], next);
    let next = next.ok_or(ScaleError::Mismatch { left: l, right: r, remedy })?;
    let (to, from) = (evaluator.params.level_scale(next), evaluator.params.level_scale(level));
    // Both are brought to the same multiple of the next canonical scale as the larger scale is of
    // the canonical one here, but not below it.
    let scale = to * (l.max(r) / from).max(1.0);
    let [left, right] = [left, right].map(|c| evaluator.rescaled_to(&c, scale).map(Cow::Owned));
    Ok((left?, right?))
}

/// Tells whether two scales are taken for equal.
pub(super) fn is_same_scale(left: f64, right: f64) -> bool {
    relative_difference(left, right) <= EQUAL
}

/// Tells whether an integer near the ratio of two scales is precise enough.
fn is_wide([left, right]: [f64; 2]) -> bool {
    left.max(right) >= left.min(right) * WIDE_RATIO
}

/// Returns the change that brings operands of these scales together, with or without a level below.
fn mismatch_remedy(scales: [f64; 2], next: Option<Level>) -> &'static str {
    match (is_wide(scales), next) {
        (true, Some(_)) => {
            "rescale the one of the larger scale, and bring the other one to its level with \
             mod_switch_to"
        }
        (false, Some(_)) => "bring both to the next level with mod_switch_to",
        (_, None) => {
            "no level is left for that: bring each to the last level with mod_switch_to before \
             they are combined, not with drop_to or rescale"
        }
    }
}

/// Returns the same phase, read with a scale that differs little: the difference is an error.
pub fn relabeled<M: Mode>(mut a: Ciphertext<Ckks<M>>, scale: f64) -> Ciphertext<Ckks<M>> {
    a.noise = a.noise.read_with_scale(scale / a.meta);
    a.meta = scale;
    a
}

fn restricted<M: Mode>(a: &Ciphertext<Ckks<M>>, level: Level) -> Ciphertext<Ckks<M>> {
    let limbs = level.limbs().chain();
    a.with(a.parts.iter().map(|p| p.shared_prefix(limbs)).collect(), a.noise)
}

/// Returns an upper bound on the difference relative to the second number, rounding included.
fn relative_difference(a: f64, b: f64) -> f64 {
    (a / b - 1.0).abs() + 2.0 * f64::EPSILON
}

/// Returns the residues of an integer modulo every prime of a ring.
pub fn wide_scalar(ring: &Ring, integer: i128) -> Scalar {
    Scalar::new(ring, |m: &Modulus| {
        let residue = m.reduce_u128(integer.unsigned_abs());
        if integer < 0 { m.neg(residue) } else { residue }
    })
}
