//! Sums of ciphertexts with clear weights: every ciphertext is read once for many sums.

use super::mod_switch::common_level;
use super::{Bounds, Ciphertext, Evaluator, Level, Lineage, Mechanics, Noise, Norms, Relation};
use crate::Error;
use fathom_ring::{Eval, Poly};
use std::borrow::Cow;

/// One sum: integers that multiply the phases of the terms, and the public facts about the result.
pub(crate) struct WeightedSum<S: Mechanics> {
    pub(crate) weights: Vec<Weight>,
    pub(crate) meta: S::Meta,
    pub(crate) facts: S::Facts,
}

/// An integer in place of the exact weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight {
    pub(crate) integer: i128,
    /// Bound on the difference from the exact weight.
    pub(crate) error: f64,
}

/// Terms at one level, of which sums can be computed.
pub(crate) struct Terms<'a, S: Mechanics> {
    operation: &'static str,
    pub(crate) all: Vec<Cow<'a, Ciphertext<S>>>,
    pub(crate) level: Level,
    /// The relation of each term to the sum of those before it.
    relations: Vec<Relation>,
    lineage: Lineage,
}

impl<S: Mechanics> Evaluator<S> {
    /// Brings at least one ciphertext to one level.
    pub(crate) fn terms<'a>(
        &self,
        operation: &'static str,
        all: &'a [Ciphertext<S>],
        lists: &[usize],
    ) -> Result<Terms<'a, S>, Error> {
        let left = all.len();
        let wrong = lists.iter().copied().find(|&right| right != left || right == 0);
        if let Some(right) = wrong {
            return Err(Error::ListLength { operation, left, right });
        }
        self.check_key(&all.iter().collect::<Vec<_>>())?;
        let first = all.first().ok_or(Error::ListLength { operation, left, right: 0 })?;
        let mut level = first.level();
        for term in all {
            level = level.min(common_level(first, term)?);
        }
        let all: Result<Vec<_>, Error> =
            all.iter().map(|term| S::lowered(self, term, level)).collect();
        let all = all?;
        // Known before the sums, since all sums have the same terms.
        let (relations, lineage) = Lineage::relations(all.iter().map(|term| &term.lineage));
        Ok(Terms { operation, all, level, relations, lineage })
    }

    /// Computes sums of the same terms. Nothing is divided away.
    pub(crate) fn sums_of_terms(
        &self,
        terms: &Terms<'_, S>,
        sums: &[WeightedSum<S>],
    ) -> Result<Vec<Ciphertext<S>>, Error> {
        let mut noises = Vec::with_capacity(sums.len());
        for sum in sums {
            // Every bound is checked before any component is computed.
            noises.push(terms.noise(sum.meta, |i, noise| sum.weights[i].times(noise))?);
        }
        let mut results: Vec<_> = noises.iter().map(|_| Vec::new()).collect();
        for component in 0..terms.components() {
            self.go_on()?;
            for (parts, part) in results.iter_mut().zip(terms.component(sums, component)) {
                parts.push(part);
            }
        }
        let results = results.into_iter().zip(noises).zip(sums);
        let result = |((parts, noise), sum): ((_, _), &WeightedSum<S>)| {
            self.sum_of(terms, parts, noise, sum.meta, sum.facts)
        };
        results.map(result).collect()
    }

    /// Computes the sum of the products of terms and plaintexts of the same number, which has these
    /// metadata and facts; `noise(i, ..)` bounds the noise of product `i`. Nothing is divided away.
    pub(crate) fn dot_of_terms(
        &self,
        terms: &Terms<'_, S>,
        plain: &[&Poly<Eval>],
        meta: S::Meta,
        facts: S::Facts,
        noise: impl Fn(usize, Noise) -> Noise,
    ) -> Result<Ciphertext<S>, Error> {
        let noise = terms.noise(meta, noise)?;
        let component = |at: usize| {
            let pairs = terms.all.iter().zip(plain);
            let (parts, plain): (Vec<_>, Vec<_>) =
                pairs.filter_map(|(term, plain)| Some((term.parts.get(at)?, *plain))).unzip();
            Poly::dot(&parts, &plain, terms.level.limbs().chain())
        };
        let parts = (0..terms.components()).map(component).collect();
        self.sum_of(terms, parts, noise, meta, facts)
    }

    /// Makes a sum of terms of these metadata and facts from its components.
    fn sum_of(
        &self,
        terms: &Terms<'_, S>,
        parts: Vec<Poly<Eval>>,
        noise: Noise,
        meta: S::Meta,
        facts: S::Facts,
    ) -> Result<Ciphertext<S>, Error> {
        let lineage = terms.lineage.clone();
        let sum = Ciphertext { meta, facts, lineage, ..terms.all[0].with(parts, noise) };
        self.check_noise_and_mask(sum, terms.operation, &terms.operands())
    }
}

impl<S: Mechanics> Terms<'_, S> {
    /// Computes one component of every sum: some terms may have fewer components than others.
    fn component(&self, sums: &[WeightedSum<S>], component: usize) -> Vec<Poly<Eval>> {
        let has_it = |term: &Ciphertext<S>| term.parts.len() > component;
        let lists: Vec<Vec<i128>> = sums
            .iter()
            .map(|sum| {
                let pairs = self.all.iter().zip(&sum.weights);
                pairs.filter(|(term, _)| has_it(term)).map(|(_, weight)| weight.integer).collect()
            })
            .collect();
        let terms: Vec<_> = self.all.iter().filter_map(|term| term.parts.get(component)).collect();
        Poly::weighted_sums(&terms, &lists, self.level.limbs().chain())
    }

    /// Bounds the noise of a sum of these metadata, where `product(i, ..)` bounds that of a
    /// multiple of term `i`. Refuses one that does not fit.
    fn noise(
        &self,
        meta: S::Meta,
        product: impl Fn(usize, Noise) -> Noise,
    ) -> Result<Noise, Error> {
        let products = self.all.iter().zip(&self.relations).enumerate();
        let noise = products.fold(Noise::default(), |sum, (i, (term, &relation))| {
            sum.plus(product(i, term.noise), relation)
        });
        let noise = noise.with_relative_error(S::META_ERROR);
        let params = &self.all[0].params;
        S::check_range(params, self.operation, meta)?;
        params.check_budget(self.operation, meta, self.level, noise, &self.operands())?;
        Ok(noise)
    }

    fn operands(&self) -> Vec<&Ciphertext<S>> {
        self.all.iter().map(AsRef::as_ref).collect()
    }

    /// Returns the largest number of components of a term.
    fn components(&self) -> usize {
        self.all.iter().map(|term| term.parts.len()).max().unwrap_or(0)
    }
}

impl Weight {
    /// Bounds the product with a phase.
    fn times(self, noise: Noise) -> Noise {
        let size = self.integer.unsigned_abs() as f64;
        if self.error <= 0.0 {
            return noise.times(size);
        }
        let [message, error] = [size + self.error, self.error].map(Bounds::of_root_values);
        noise.times_inexact(Norms::of_integer(size), message, error)
    }
}
