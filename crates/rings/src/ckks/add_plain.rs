//! Sums of a ciphertext and a plaintext.

use super::encode::Plaintext;
use super::{Ckks, Mode, ScaleError, SlotFacts};
use crate::Error;
use crate::rlwe::sealed::Sealed;
use crate::rlwe::{
    Ciphertext, Evaluator, Facts, Known, Level, Noise, Params, Relation, Sign, Summand,
};
use fathom_ring::{Limbs, SecretPoly, WideCoefficients};
use std::fmt;
use std::sync::Arc;

/// A plaintext prepared to be added to ciphertexts of one level: rounded and transformed once, used
/// often.
#[derive(Clone)]
pub struct Addend<M: Mode> {
    params: Params<Ckks<M>>,
    level: Level,
    scale: f64,
    values: Arc<SecretPoly>,
    noise: Noise,
    facts: SlotFacts,
}

/// Omits the values, which may be secret.
impl<M: Mode> fmt::Debug for Addend<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Addend")
            .field("level", &self.level)
            .field("scale", &self.scale)
            .finish_non_exhaustive()
    }
}

impl<M: Mode> Sealed for Plaintext<M> {}
impl<M: Mode> Sealed for Addend<M> {}

impl<M: Mode> Plaintext<M> {
    /// Prepares the plaintext for sums with ciphertexts of this level and its scale.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`]; [`Error::NoiseExhausted`] for a magnitude beyond `2^105` at the
    /// scale.
    pub fn to_addend(&self, level: impl Into<Level>) -> Result<Addend<M>, Error> {
        let level = level.into();
        self.params.check_level(level)?;
        self.addend(self.params.level_scale(level), level, "to_addend")
    }

    fn addend(
        &self,
        scale: f64,
        level: Level,
        operation: &'static str,
    ) -> Result<Addend<M>, Error> {
        let limbs: Limbs = level.limbs().chain();
        let bound = self.fitting_bound(operation, scale)?;
        let wide = WideCoefficients::rounded(&self.coefficients, scale, bound);
        let wide = wide.spread(self.stride(), self.params.degree());
        let values = Arc::new(self.params.context().wide_values(limbs, &wide));
        let rest = self.transform_error(scale).plus(self.rounding_error(0.5));
        let noise = Noise { rest, ..Noise::of_message(self.message(scale)) };
        let (params, facts) = (self.params.clone(), self.facts);
        Ok(Addend { params, level, scale, values, noise, facts })
    }
}

impl<M: Mode> Summand<Ckks<M>> for Plaintext<M> {
    fn added(
        &self,
        evaluator: &Evaluator<Ckks<M>>,
        a: &Ciphertext<Ckks<M>>,
        sign: Sign,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        evaluator.check_key(&[a])?;
        evaluator.params.same(self.params())?;
        self.addend(a.meta, a.level(), sign.of_plain())?.combined(a, sign)
    }
}

impl<M: Mode> Summand<Ckks<M>> for Addend<M> {
    fn added(
        &self,
        evaluator: &Evaluator<Ckks<M>>,
        a: &Ciphertext<Ckks<M>>,
        sign: Sign,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        evaluator.check_key(&[a])?;
        evaluator.params.same(&self.params)?;
        let a = evaluator.brought_to(a, self.level)?;
        if a.meta.to_bits() != self.scale.to_bits() {
            let remedy =
                "rescale the ciphertext first, or add the Plaintext, which takes any scale";
            return Err(ScaleError::Mismatch { left: a.meta, right: self.scale, remedy }.into());
        }
        self.combined(&a, sign)
    }
}

impl<M: Mode> Addend<M> {
    /// Returns the public facts about the term that the operation adds, and the bound on it.
    fn known(&self, sign: Sign) -> Known<SlotFacts> {
        let magnitude = self.noise.message.root / self.scale;
        let term = Known { facts: self.facts, magnitude };
        if sign == Sign::Minus { term.negated() } else { term }
    }

    /// Adds the plaintext to a ciphertext of its level and scale, or subtracts it.
    fn combined(&self, a: &Ciphertext<Ckks<M>>, sign: Sign) -> Result<Ciphertext<Ckks<M>>, Error> {
        let mut parts = a.parts.clone();
        match sign {
            Sign::Plus => parts[0].add_assign(self.values.expose()),
            Sign::Minus => parts[0].sub_assign(self.values.expose()),
        }
        let noise = a.noise.plus(self.noise, Relation::Independent);
        let facts = SlotFacts::plus(a.known(), self.known(sign));
        Ciphertext { facts, ..a.with(parts, noise) }.checked(sign.of_plain(), &[a])
    }
}
