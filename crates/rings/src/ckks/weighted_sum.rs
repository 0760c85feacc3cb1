//! Sums of ciphertexts with real weights.

use super::align::is_same_scale;
use super::scalar::LARGEST_INTEGER;
use super::{Ckks, DomainError, Mode, SlotFacts};
use crate::Error;
use crate::rlwe::{
    Ciphertext, Evaluator, Facts, Known, Levels, Mechanics, Terms, Weight, WeightedSum,
};

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Computes a sum with real weights: `decrypt(out) = sum_i weights[i] * decrypt(all[i])`, in
    /// every slot, one level below the lowest of the terms. Integers of up to `2^20` alone, for
    /// terms of one scale, keep the level.
    ///
    /// The error of a term is multiplied by its weight; those of different encryptions add up as
    /// squares. The division that restores the scale is one for the whole sum.
    ///
    /// # Errors
    /// [`Error::ListLength`] for lists of different lengths or none;
    /// [`DomainError::NotFinite`] for a weight that is not finite;
    /// [`Error::NoiseExhausted`], [`Error::ParamsMismatch`], [`Error::KeyMismatch`];
    /// [`Error::LevelMismatch`] and [`Error::Scale`] (explicit levels); [`Error::Transparent`] if
    /// the terms cancel and there is no encryption of zero.
    pub fn weighted_sum(
        &self,
        all: &[Ciphertext<Ckks<M>>],
        weights: &[f64],
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let mut sums = self.weighted("weighted_sum", all, &[weights])?;
        Ok(sums.pop().expect("one list of weights gives one sum"))
    }

    /// Computes several sums of the same ciphertexts, each with its own real weights: a matrix
    /// times a list. Every ciphertext is read once for 32 sums, which costs a fraction of
    /// [`Evaluator::mul_scalar`] and [`Evaluator::add`] for each weight.
    ///
    /// # Errors
    /// As [`Evaluator::weighted_sum`], for each list of weights.
    pub fn weighted_sums(
        &self,
        all: &[Ciphertext<Ckks<M>>],
        weights: &[impl AsRef<[f64]>],
    ) -> Result<Vec<Ciphertext<Ckks<M>>>, Error> {
        let lists: Vec<&[f64]> = weights.iter().map(AsRef::as_ref).collect();
        self.weighted("weighted_sums", all, &lists)
    }

    fn weighted(
        &self,
        operation: &'static str,
        all: &[Ciphertext<Ckks<M>>],
        lists: &[&[f64]],
    ) -> Result<Vec<Ciphertext<Ckks<M>>>, Error> {
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        for list in lists {
            if let Some(index) = list.iter().position(|weight| !weight.is_finite()) {
                return Err(DomainError::NotFinite { operation, index }.into());
            }
        }
        let small = |weight: &f64| weight.abs() <= LARGEST_INTEGER && weight.fract().abs() <= 0.0;
        let small = lists.iter().copied().flatten().all(small);
        let depth = usize::from(!small);
        let all = self.all_with_depth(all, depth)?;
        let terms = self.terms(operation, &all, &lengths)?;
        let largest = terms.all.iter().map(|term| term.meta).fold(0.0, f64::max);
        let same = terms.all.iter().all(|term| is_same_scale(term.meta, largest));
        if M::LEVELS == Levels::Explicit && !same {
            // The alignment says which scales differ.
            for term in &terms.all {
                self.aligned(&terms.all[0], term)?;
            }
        }
        let whole = same && small;
        let scale = if whole { 1.0 } else { self.params.level_scale(terms.level) };
        let sums: Result<Vec<_>, Error> =
            lists.iter().map(|list| self.one_sum(operation, &terms, list, scale)).collect();
        let results = self.sums_of_terms(&terms, &sums?)?;
        if whole {
            return Ok(results);
        }
        results.into_iter().map(|sum| <Ckks<M>>::after_plain_product(self, sum)).collect()
    }

    /// Rounds the weights at a scale. Where the scales of the terms differ, the weights make up for
    /// it.
    fn one_sum(
        &self,
        operation: &'static str,
        terms: &Terms<'_, Ckks<M>>,
        weights: &[f64],
        scale: f64,
    ) -> Result<WeightedSum<Ckks<M>>, Error> {
        let largest = terms.all.iter().map(|term| term.meta).fold(0.0, f64::max);
        let meta = largest * scale;
        let mut rounded = Vec::with_capacity(weights.len());
        let mut known: Option<Known<SlotFacts>> = None;
        for (term, &weight) in terms.all.iter().zip(weights) {
            let exact = weight * (meta / term.meta);
            self.fitting_constant(operation, exact)?;
            let integer = exact.round();
            let error = if scale > 1.0 || (integer - exact).abs() > 0.0 {
                (integer - exact).abs() + 2.0 * exact.abs() * f64::EPSILON
            } else {
                0.0
            };
            rounded.push(Weight { integer: integer as i128, error });
            let own = term.known();
            let facts = own.facts.scaled(weight.into());
            let product = Known { facts, magnitude: own.magnitude * weight.abs() };
            known = Some(known.map_or(product, |sum| Known {
                facts: SlotFacts::plus(sum, product),
                magnitude: sum.magnitude + product.magnitude,
            }));
        }
        let facts = known.map(|known| known.facts).unwrap_or_default();
        Ok(WeightedSum { weights: rounded, meta, facts })
    }
}
