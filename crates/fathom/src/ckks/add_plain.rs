//! Sums of a ciphertext and a plaintext.

use super::encode::Plaintext;
use super::{Ckks, Mode, ScaleError, SlotFacts};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Facts, Known, Level, Noise, Params, Relation};
use fathom_ring::{Eval, Limbs, Poly, SecretPoly, WideCoefficients};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Name of the operation that negates its second operand.
const SUBTRACTION: &str = "sub_plain";

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

/// A ciphertext at the level of a sum, and the prepared plaintext.
type Prepared<'a, 's, M> = (Cow<'a, Ciphertext<Ckks<M>>>, Cow<'s, Addend<M>>);

/// An operand of [`Evaluator::add_plain`]: a [`Plaintext`](super::Plaintext), which it rounds and
/// transforms, or an [`Addend`](super::Addend), which was prepared once for all ciphertexts of its
/// level.
pub trait Summand<M: Mode>: sealed::Sealed {
    /// Returns the ciphertext at the level of the sum, and the prepared plaintext.
    #[doc(hidden)]
    fn prepared<'s, 'a>(
        &'s self,
        evaluator: &Evaluator<Ckks<M>>,
        a: &'a Ciphertext<Ckks<M>>,
        operation: &'static str,
    ) -> Result<Prepared<'a, 's, M>, Error>;
}

mod sealed {
    pub trait Sealed {}
}

impl<M: Mode> sealed::Sealed for Plaintext<M> {}
impl<M: Mode> sealed::Sealed for Addend<M> {}

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

impl<M: Mode> Summand<M> for Plaintext<M> {
    fn prepared<'s, 'a>(
        &'s self,
        evaluator: &Evaluator<Ckks<M>>,
        a: &'a Ciphertext<Ckks<M>>,
        operation: &'static str,
    ) -> Result<Prepared<'a, 's, M>, Error> {
        evaluator.params.same(self.params())?;
        let addend = self.addend(a.meta, a.level(), operation)?;
        Ok((Cow::Borrowed(a), Cow::Owned(addend)))
    }
}

impl<M: Mode> Summand<M> for Addend<M> {
    fn prepared<'s, 'a>(
        &'s self,
        evaluator: &Evaluator<Ckks<M>>,
        a: &'a Ciphertext<Ckks<M>>,
        _: &'static str,
    ) -> Result<Prepared<'a, 's, M>, Error> {
        evaluator.params.same(&self.params)?;
        let a = evaluator.brought_to(a, self.level)?;
        if a.meta.to_bits() != self.scale.to_bits() {
            let remedy =
                "rescale the ciphertext first, or add the Plaintext, which takes any scale";
            return Err(ScaleError::Mismatch { left: a.meta, right: self.scale, remedy }.into());
        }
        Ok((a, Cow::Borrowed(self)))
    }
}

impl<M: Mode> Addend<M> {
    /// Returns what is known of the term that the operation adds.
    fn known(&self, operation: &'static str) -> Known<SlotFacts> {
        let magnitude = self.noise.message.root / self.scale;
        let term = Known { facts: self.facts, magnitude };
        if operation == SUBTRACTION { term.negated() } else { term }
    }
}

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Adds a [`Plaintext`](super::Plaintext) (one transform per limb) or an
    /// [`Addend`](super::Addend) (no transform) to every slot: `decrypt(out) = decrypt(a) + b`. If
    /// `a` is above the level of an addend, it is brought to that level first.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::ParamsMismatch`]. For an addend,
    /// [`Error::NoSuchLevel`] if `a` is below its level, [`Error::LevelMismatch`] (explicit
    /// levels), and [`ScaleError::Mismatch`] if `a` has another scale than that of its level, such
    /// as a product that was not rescaled.
    pub fn add_plain(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &impl Summand<M>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.with_plain(a, b, "add_plain", Poly::add_assign)
    }

    /// Subtracts a plaintext or addend: `decrypt(out) = decrypt(a) - b`, with `b` as in
    /// [`Evaluator::add_plain`].
    ///
    /// # Errors
    /// As [`Evaluator::add_plain`].
    pub fn sub_plain(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &impl Summand<M>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.with_plain(a, b, SUBTRACTION, Poly::sub_assign)
    }

    fn with_plain(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &impl Summand<M>,
        operation: &'static str,
        op: impl Fn(&mut Poly<Eval>, &Poly<Eval>),
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.own(&[a])?;
        let (a, addend) = b.prepared(self, a, operation)?;
        let mut parts = a.parts.clone();
        op(&mut parts[0], addend.values.expose());
        let noise = a.noise.plus(addend.noise, Relation::Independent);
        let facts = SlotFacts::plus(a.known(), addend.known(operation));
        Ciphertext { facts, ..a.with(parts, noise) }.checked(operation, &[&a])
    }
}
