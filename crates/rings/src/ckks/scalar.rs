//! Sums and products of a ciphertext with one number, the same in every slot.

use super::align::wide_scalar;
use super::{Ckks, DomainError, Mode};
use crate::Error;
use crate::rlwe::{
    Bounds, Ciphertext, Encoding, Evaluator, Mechanics, Noise, Norms, Relation, Sign,
};
use fathom_ring::Complex64;

/// Integers up to this size multiply without a scale of their own.
pub(super) const LARGEST_INTEGER: f64 = (1_u64 << 20) as f64;
/// Constants at their scale are below this.
const LARGEST_CONSTANT: f64 = (1_u128 << 120) as f64;

/// Tells whether a product with this number keeps the level.
pub(super) fn keeps_level(factor: f64) -> bool {
    factor.abs() <= LARGEST_INTEGER && factor.fract().abs() <= 0.0
}

impl<M: Mode> Evaluator<Ckks<M>> {
    pub(super) fn times_number(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: Complex64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let operation = "mul_scalar";
        self.check_key(&[a])?;
        check_finite(operation, b)?;
        if b.im != 0.0 {
            let plain = self.params.encode_public_repeated(&[b])?;
            let a = &*self.with_depth(a, 1)?;
            return self.mul_plain(a, &plain.to_multiplicand(a.level())?);
        }
        if keeps_level(b.re) {
            let facts = a.facts.scaled(b);
            let product = Ciphertext { facts, ..self.multiplied(a, b.re as i128) };
            return self.check_noise_and_mask(product, operation, &[a]);
        }
        let a = &*self.with_depth(a, 1)?;
        let scale = self.params.level_scale(a.level());
        let product = self.times_constant(a, b.re, scale)?;
        let product = self.check_noise_and_mask(product, operation, &[a])?;
        <Ckks<M>>::after_plain_product(self, product)
    }

    pub(super) fn plus_number(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: Complex64,
        sign: Sign,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let operation = sign.of_scalar();
        let b = if sign == Sign::Minus { -b } else { b };
        self.check_key(&[a])?;
        check_finite(operation, b)?;
        if b.im != 0.0 {
            return self.add_plain(a, &self.params.encode_public_repeated(&[b])?);
        }
        let mut sum = a.with(a.parts.clone(), a.noise);
        self.add_constant(&mut sum, b.re, operation)?;
        sum.checked(operation, &[a])
    }

    /// Multiplies by a real number at a scale, without rescaling. The caller checks the noise.
    pub(crate) fn times_constant(
        &self,
        a: &Ciphertext<Ckks<M>>,
        constant: f64,
        scale: f64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let exact = constant * scale;
        self.fitting_constant("mul_scalar", exact)?;
        let integer = exact.round();
        let mut parts = a.parts.clone();
        let scalar = wide_scalar(&self.params.context().ring, integer as i128);
        for part in &mut parts {
            part.mul_scalar_assign(&scalar);
        }
        let size = integer.abs();
        let norms = Norms { absolute: size, euclidean: size, root: size };
        let error = (integer - exact).abs() + exact.abs() * f64::EPSILON;
        let [message, error] = [size + error, error].map(Bounds::of_root_values);
        let noise = a.noise.times_inexact(norms, message, error);
        let noise = noise.with_relative_error(<Ckks<M> as Encoding>::META_ERROR);
        let facts = a.facts.scaled(constant.into());
        Ok(Ciphertext { meta: a.meta * scale, facts, ..a.with(parts, noise) })
    }

    /// Adds a real number; the noise check is the caller's.
    pub(crate) fn add_constant(
        &self,
        a: &mut Ciphertext<Ckks<M>>,
        constant: f64,
        operation: &'static str,
    ) -> Result<(), Error> {
        let exact = constant * a.meta;
        self.fitting_constant(operation, exact)?;
        let integer = exact.round();
        let scalar = wide_scalar(&self.params.context().ring, integer as i128);
        a.parts[0].add_constant_assign(&scalar);
        let error = (integer - exact).abs() + exact.abs() * f64::EPSILON;
        let rest = Bounds::of_root_values(error);
        let added = Noise { rest, ..Noise::of_message(Bounds::of_root_values(exact.abs())) };
        a.noise = a.noise.plus(added, Relation::Independent);
        a.facts = a.facts.shifted(constant.into());
        Ok(())
    }

    pub(super) fn fitting_constant(
        &self,
        operation: &'static str,
        exact: f64,
    ) -> Result<(), Error> {
        if exact.abs() < LARGEST_CONSTANT {
            return Ok(());
        }
        let level = self.params.top_level();
        let (needed_bits, left_bits) = (exact.abs().log2(), LARGEST_CONSTANT.log2());
        let remedy = "scale the values down";
        Err(Error::NoiseExhausted { operation, level, needed_bits, left_bits, remedy })
    }
}

/// Refuses a number that is infinite or not a number.
fn check_finite(operation: &'static str, number: Complex64) -> Result<(), Error> {
    if number.is_finite() {
        return Ok(());
    }
    Err(DomainError::NotFinite { operation, index: 0 }.into())
}
