//! Products of a ciphertext with a plaintext.

use super::encode::{Plaintext, rounding_error};
use super::encrypt::DITHER_BIAS;
use super::{Ckks, Mode, SlotFacts};
use crate::Error;
use crate::rlwe::{
    Bounds, Ciphertext, Encoding, Evaluator, Facts, Known, Level, Mechanics, Noise, Norms, Params,
};
use fathom_ring::{Eval, Limbs, Poly, Seed, WideCoefficients};
use std::borrow::Cow;

/// A plaintext prepared to multiply ciphertexts of one level: rounded and transformed once, used
/// often.
#[derive(Clone, Debug)]
pub struct Multiplicand<M: Mode> {
    params: Params<Ckks<M>>,
    level: Level,
    scale: f64,
    values: Poly<Eval>,
    norms: Rounded,
    /// The error of a rounding at random, which the norms leave out.
    dither: Noise,
    facts: SlotFacts,
}

/// Norms of a rounded polynomial, of the polynomial it stands for, and of the difference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    pub(crate) integer: Norms,
    pub(crate) message: Bounds,
    pub(crate) error: Bounds,
}

impl<M: Mode> Plaintext<M> {
    /// Prepares the plaintext for products with ciphertexts of this level.
    ///
    /// The error of rounding is measured at the roots, so the plaintext should be public.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`]; [`Error::NoiseExhausted`] for a magnitude beyond `2^105` at the
    /// scale.
    pub fn to_multiplicand(&self, level: impl Into<Level>) -> Result<Multiplicand<M>, Error> {
        let level = level.into();
        self.params.check_level(level)?;
        let scale = self.params.level_scale(level);
        let (values, norms) = self.rounded_at(scale, level.limbs().chain())?;
        let (params, facts, dither) = (self.params.clone(), self.facts, Noise::default());
        Ok(Multiplicand { params, level, scale, values, norms, dither, facts })
    }

    /// Prepares a plaintext of all slots as [`Plaintext::to_multiplicand`] does, rounded at random
    /// by a seed that no message depends on: what rounding does to a sum of slots then adds up as
    /// independent errors do, for every message. To the nearest where nothing is random.
    pub(super) fn to_dithered_multiplicand(
        &self,
        level: Level,
        seed: &Seed,
    ) -> Result<Multiplicand<M>, Error> {
        let model = &self.params.context().model;
        if model.tails.are_worst_case() || self.stride() > 1 {
            return self.to_multiplicand(level);
        }
        let scale = self.params.level_scale(level);
        let bound = self.fitting_bound("to_multiplicand", scale)?;
        let count = self.coefficients.len();
        let words = seed.words(count.div_ceil(2));
        let wide = WideCoefficients::dithered_by(&self.coefficients, scale, bound, &words);
        let values = self.params.context().wide_values(level.limbs().chain(), &wide).into_masked();
        // What holds for every seed, so that a simulation has the same bound.
        let dither = model.dither_error();
        let norms = model.norms(dither);
        let error = self.transform_error(scale).plus(rounding_error(count, DITHER_BIAS));
        let size = self.magnitude * scale;
        let squares: f64 = self.coefficients.iter().map(|c| c * c).sum();
        let euclidean = squares.sqrt() * scale + norms.euclidean;
        let absolute = (count as f64).sqrt() * euclidean;
        let integer = Norms { absolute, euclidean, root: size + norms.root + error.root };
        let norms = Rounded { integer, message: Bounds::of_root_values(size), error };
        let (params, facts) = (self.params.clone(), self.facts);
        Ok(Multiplicand { params, level, scale, values, norms, dither, facts })
    }

    /// Returns the NTT values of the polynomial at a scale, and its norms.
    pub(crate) fn rounded_at(
        &self,
        scale: f64,
        limbs: Limbs,
    ) -> Result<(Poly<Eval>, Rounded), Error> {
        let (values, norms, _) = self.rounded_in_slots(scale, limbs)?;
        Ok((values, norms))
    }

    /// Returns the NTT values of the polynomial at a scale, its norms, and bounds on the error of
    /// each slot.
    pub(crate) fn rounded_in_slots(
        &self,
        scale: f64,
        limbs: Limbs,
    ) -> Result<(Poly<Eval>, Rounded, Vec<f64>), Error> {
        let bound = self.fitting_bound("to_multiplicand", scale)?;
        let wide = WideCoefficients::rounded(&self.coefficients, scale, bound);
        let integer = wide.to_reals();
        let differences: Vec<f64> =
            integer.iter().zip(self.coefficients.iter()).map(|(i, c)| i - c * scale).collect();
        let norm = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let absolute = integer.iter().map(|x| x.abs()).sum();
        let embedding = self.params.embedding(self.coefficients.len());
        let root = embedding.largest(&integer);
        let transform = self.transform_error(scale);
        let slots = embedding.sizes(&differences);
        let error = Bounds {
            coefficient: differences.iter().fold(0.0, |m, x| m.max(x.abs())),
            euclidean: norm(&differences),
            root: slots.iter().copied().fold(0.0, f64::max),
        };
        let error = error.plus(transform);
        let slots = slots.into_iter().map(|size| size + transform.root).collect();
        let spread = wide.spread(self.stride(), self.params.degree());
        let values = self.params.context().wide_values(limbs, &spread).into_masked();
        let integer = Norms { absolute, euclidean: norm(&integer), root };
        // Rounding takes no value beyond the magnitude of the plaintext.
        let message = Bounds::of_root_values((root + error.root).min(self.magnitude * scale));
        Ok((values, Rounded { integer, message, error }, slots))
    }
}

impl<M: Mode> Evaluator<Ckks<M>> {
    pub(super) fn times_plain(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &Multiplicand<M>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let product = self.times_plain_undivided(a, b)?;
        <Ckks<M>>::after_plain_product(self, product)
    }

    /// Multiplies by a plaintext, and keeps the level and the scale of the product.
    pub(super) fn times_plain_undivided(
        &self,
        a: &Ciphertext<Ckks<M>>,
        b: &Multiplicand<M>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.check_key(&[a])?;
        self.params.same(&b.params)?;
        let a = self.brought_to(a, b.level)?;
        let product = |p: &Poly<_>| Poly::product(p, &b.values, a.limbs());
        let parts = a.parts.iter().map(product).collect();
        let noise = b.multiplied(a.noise);
        let noise = noise.with_relative_error(<Ckks<M> as Encoding>::META_ERROR);
        let meta = a.meta * b.scale;
        let facts = SlotFacts::times(a.known(), b.known());
        let product = Ciphertext { meta, facts, ..a.with(parts, noise) };
        self.check_noise_and_mask(product, "mul_plain", &[&a])
    }

    /// Computes the inner product with plaintexts:
    /// `decrypt(out) = sum_i decrypt(all[i]) * plain[i]`, in every slot, with one pass over the
    /// products and one division for the whole sum. Plaintexts of different levels, or ciphertexts
    /// of different scales, are multiplied one by one.
    ///
    /// # Errors
    /// As [`Evaluator::mul_plain`]; [`Error::ListLength`] for lists of different lengths or none.
    pub fn dot_plain(
        &self,
        all: &[Ciphertext<Ckks<M>>],
        plain: &[Multiplicand<M>],
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let [left, right] = [all.len(), plain.len()];
        let Some(first) = plain.first().filter(|_| left == right) else {
            return Err(Error::ListLength { operation: "dot_plain", left, right });
        };
        plain.iter().try_for_each(|plain| self.params.same(&plain.params))?;
        let level = first.level;
        if plain.iter().any(|plain| plain.level != level) {
            return self.sum_of_plain_products(all, plain);
        }
        self.check_key(&all.iter().collect::<Vec<_>>())?;
        let brought = all.iter().map(|a| self.brought_to(a, level).map(Cow::into_owned));
        let brought: Vec<_> = brought.collect::<Result<_, _>>()?;
        let scale = brought[0].meta;
        if brought.iter().any(|a| a.meta.to_bits() != scale.to_bits()) {
            return self.sum_of_plain_products(&brought, plain);
        }
        let terms = self.terms("dot_plain", &brought, &[right])?;
        let known = brought.iter().zip(plain).map(|(a, plain)| {
            let factor = plain.known();
            let facts = SlotFacts::times(a.known(), factor);
            Known { facts, magnitude: a.known().magnitude * factor.magnitude }
        });
        let known = known.reduce(|sum, next| Known {
            facts: SlotFacts::plus(sum, next),
            magnitude: sum.magnitude + next.magnitude,
        });
        let facts = known.map(|known| known.facts).unwrap_or_default();
        let values: Vec<_> = plain.iter().map(|plain| &plain.values).collect();
        let noise = |i: usize, noise: Noise| plain[i].multiplied(noise);
        let sum = self.dot_of_terms(&terms, &values, scale * first.scale, facts, noise)?;
        <Ckks<M>>::after_plain_product(self, sum)
    }

    fn sum_of_plain_products(
        &self,
        all: &[Ciphertext<Ckks<M>>],
        plain: &[Multiplicand<M>],
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let products = all.iter().zip(plain).map(|(a, b)| self.mul_plain(a, b));
        self.sum(&products.collect::<Result<Vec<_>, _>>()?)
    }
}

impl<M: Mode> Multiplicand<M> {
    /// Returns the noise of a product with it.
    pub(super) fn multiplied(&self, noise: Noise) -> Noise {
        let Rounded { integer, message, error } = self.norms;
        let product = noise.times_inexact(integer, message, error);
        product.plus_independent(self.dithered(noise))
    }

    /// Returns what a rounding at random adds to the product with a message.
    pub(super) fn dithered(&self, noise: Noise) -> Noise {
        self.dither.times_polynomial(noise.message.norms(self.params.degree()))
    }

    /// Returns the largest error of rounding in a slot.
    pub(super) fn rounding_error(&self) -> f64 {
        let dither = self.params.context().model.norms(self.dither);
        (self.norms.error.root + dither.root) / self.scale
    }

    /// Returns the public facts about the message and the bound on its values.
    fn known(&self) -> Known<SlotFacts> {
        Known { facts: self.facts, magnitude: self.norms.message.root / self.scale }
    }
}
