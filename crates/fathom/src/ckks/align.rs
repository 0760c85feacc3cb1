//! Levels and scales: rescaling, and bringing operands together.

use super::{Ckks, Mode};
use crate::Error;

use crate::rlwe::{Both, Ciphertext, Evaluator, Level, Levels, Noise, Scheme, common_level};
use fathom_ring::{Modulus, Ring, Scalar};
use std::borrow::Cow;

/// Scales that differ by less than this are taken for equal; the difference is counted as an error.
const EQUAL: f64 = 1.0 / (1_u64 << 40) as f64;
/// Smallest ratio of two scales for which an integer near it will do.
const WIDE_RATIO: f64 = (1_u64 << 20) as f64;

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Divides the phase by the last prime of its modulus and rounds, as after every product.
    ///
    /// Scale, noise and modulus are divided by that prime; the values in the slots do not change.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] at level 0; [`Error::NoiseExhausted`] if message and noise together
    /// could exceed half of the remaining modulus.
    pub fn rescale(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.own(&[a])?;
        let from = a.level();
        let to = from.next().ok_or(Error::NoSuchLevel { from, to: from })?;
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
        self.own(&[a])?;
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
        let from = a.level();
        if from < to {
            return Err(Error::NoSuchLevel { from, to });
        }
        if from != to && M::LEVELS == Levels::Explicit {
            return Err(Error::LevelMismatch { left: from, right: to });
        }
        Ok(lowered(self, a, to))
    }

    /// Rescales a product with a plaintext, unless the result would not fit below.
    pub(crate) fn rescaled_if_it_fits(&self, product: Ciphertext<Ckks<M>>) -> Ciphertext<Ckks<M>> {
        let Some(to) = product.level().next() else { return product };
        let rescaled = self.switched(&product, to).into_owned();
        if rescaled.noise_budget_bits() >= 0.0 { rescaled } else { product }
    }

    /// Multiplies the phase by the integer that changes its scale to the wanted one, up to a
    /// relative error that is added to the noise.
    pub(crate) fn multiplied_to_scale(
        &self,
        a: &Ciphertext<Ckks<M>>,
        integer: i128,
        scale: f64,
    ) -> Ciphertext<Ckks<M>> {
        let scalar = wide_scalar(&self.params.context().ring, integer);
        let mut parts = a.parts.clone();
        for part in &mut parts {
            part.mul_scalar_assign(&scalar);
        }
        let product = integer as f64 * a.meta;
        let noise = a.noise.times(integer.unsigned_abs() as f64);
        let noise = noise.with_relative_error(relative_difference(product, scale));
        let noise = Noise { message: a.noise.message.times((scale / a.meta).abs()), ..noise };
        Ciphertext { meta: scale, ..a.with(parts, noise) }
    }

    /// Returns the ciphertext at this scale, one level lower: it is multiplied by a constant before
    /// the division.
    fn rescaled_to(&self, a: &Ciphertext<Ckks<M>>, scale: f64) -> Ciphertext<Ckks<M>> {
        let to = a.level().next().expect("the caller aligns at the level below");
        let divisor = <Ckks<M>>::switched(&self.params, 1.0, a.level(), to).recip();
        let target = scale * divisor;
        let integer = (target / a.meta).round().clamp(1.0, 2f64.powi(120)) as i128;
        let multiplied = self.multiplied_to_scale(a, integer, target);
        let lowered = self.switched(&multiplied, to).into_owned();
        Ciphertext { meta: scale, ..lowered }
    }
}

/// See [`Scheme::lowered`]: products that were not rescaled are; then residues are dropped, and the
/// last prime is divided away together with a constant that makes the scale that of the level.
pub(super) fn lowered<'a, M: Mode>(
    evaluator: &Evaluator<Ckks<M>>,
    a: &'a Ciphertext<Ckks<M>>,
    level: Level,
) -> Cow<'a, Ciphertext<Ckks<M>>> {
    let mut a = Cow::Borrowed(a);
    while a.level() > level && a.meta > WIDE_RATIO * evaluator.params.scale(a.level()) {
        let next = a.level().next().expect("a level above another has a next one");
        a = Cow::Owned(evaluator.switched(&a, next).into_owned());
    }
    if a.level() <= level {
        return a;
    }
    let above = restricted(&a, level.above());
    Cow::Owned(evaluator.rescaled_to(&above, evaluator.params.scale(level)))
}

/// See [`Scheme::aligned`].
pub(super) fn aligned<'a, M: Mode>(
    evaluator: &Evaluator<Ckks<M>>,
    a: &'a Ciphertext<Ckks<M>>,
    b: &'a Ciphertext<Ckks<M>>,
) -> Result<Both<'a, Ckks<M>>, Error> {
    let level = common_level(a, b)?;
    let (left, right) = (lowered(evaluator, a, level), lowered(evaluator, b, level));
    let (l, r) = (left.meta, right.meta);
    if relative_difference(l, r) <= EQUAL {
        let right = relabelled(right, l);
        return Ok((left, right));
    }
    let mismatch = Error::ScaleMismatch { left: l, right: r };
    if M::LEVELS == Levels::Explicit {
        return Err(mismatch);
    }
    if l >= r * WIDE_RATIO {
        let right = evaluator.multiplied_to_scale(&right, (l / r).round() as i128, l);
        return Ok((left, Cow::Owned(right)));
    }
    if r >= l * WIDE_RATIO {
        let left = evaluator.multiplied_to_scale(&left, (r / l).round() as i128, r);
        return Ok((Cow::Owned(left), right));
    }
    let next = level.next().filter(|next| *next >= evaluator.params.last_level());
    let next = next.ok_or(mismatch)?;
    let scale = evaluator.params.scale(next) * (l.max(r) / evaluator.params.scale(level)).max(1.0);
    let both = [left, right].map(|c| Cow::Owned(evaluator.rescaled_to(&c, scale)));
    Ok(both.into())
}

/// Returns the same phase, read with a scale that differs by a relative error that is added to the
/// noise.
fn relabelled<M: Mode>(
    a: Cow<'_, Ciphertext<Ckks<M>>>,
    scale: f64,
) -> Cow<'_, Ciphertext<Ckks<M>>> {
    if a.meta.to_bits() == scale.to_bits() {
        return a;
    }
    let noise = a.noise.with_relative_error(relative_difference(a.meta, scale));
    let noise = Noise { message: a.noise.message.times(scale / a.meta), ..noise };
    Cow::Owned(Ciphertext { meta: scale, noise, ..a.into_owned() })
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
pub(super) fn wide_scalar(ring: &Ring, integer: i128) -> Scalar {
    Scalar::new(ring, |m: &Modulus| {
        let residue = m.reduce_u128(integer.unsigned_abs());
        if integer < 0 { m.neg(residue) } else { residue }
    })
}
