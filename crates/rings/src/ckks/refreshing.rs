//! Operands of evaluators that bootstrap by themselves: each is refreshed where it has too few
//! levels for an operation.
//!
//! What refreshes them comes from outside, as a [`Refresh`] of the evaluator.

use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Level, Refresh};
use fathom_base::error::BootstrapError;
use std::borrow::Cow;

/// Two ciphertexts to be multiplied.
type Factors<'a, M> = (&'a Ciphertext<Ckks<M>>, &'a Ciphertext<Ckks<M>>);

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Refreshes a ciphertext, as the bootstrapping that it was given does.
    ///
    /// # Errors
    /// [`BootstrapError::NoKeys`] unless the evaluator comes from `with_bootstrapping`; those of
    /// the bootstrapping.
    pub fn bootstrap(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        let refresh = self.refresh().ok_or(BootstrapError::NoKeys)?;
        refresh.refreshed(a, self.cancel_token())
    }

    /// Returns the number of bootstrappings that the bootstrapper of this evaluator has computed,
    /// for all evaluators that share it.
    pub fn bootstrap_count(&self) -> usize {
        self.refresh().map_or(0, Refresh::count)
    }

    /// Returns the operand, bootstrapped if it is below the level and the evaluator bootstraps by
    /// itself. What it cannot bootstrap is left to the operation: a level above the top one, and
    /// operands below the last level of products or of three components.
    pub(super) fn at_least<'a>(
        &self,
        a: &'a Ciphertext<Ckks<M>>,
        level: Level,
    ) -> Result<Cow<'a, Ciphertext<Ckks<M>>>, Error> {
        let low = a.level() < level && level <= self.params.top_level();
        let can = a.level() >= self.params.last_level() && a.component_count() == 2;
        if low && can && self.bootstraps_by_itself() {
            return Ok(Cow::Owned(self.bootstrap(a)?));
        }
        Ok(Cow::Borrowed(a))
    }

    /// Returns the operand with this number of levels to spend, as [`Evaluator::at_least`] does.
    pub(super) fn with_depth<'a>(
        &self,
        a: &'a Ciphertext<Ckks<M>>,
        depth: usize,
    ) -> Result<Cow<'a, Ciphertext<Ckks<M>>>, Error> {
        self.at_least(a, Level::new(self.params.last_level().get() + depth))
    }

    /// Returns the operands, each with this number of levels to spend.
    pub(super) fn all_with_depth<'a>(
        &self,
        all: &'a [Ciphertext<Ckks<M>>],
        depth: usize,
    ) -> Result<Cow<'a, [Ciphertext<Ckks<M>>]>, Error> {
        let needed = Level::new(self.params.last_level().get() + depth);
        if !self.bootstraps_by_itself() || all.iter().all(|a| a.level() >= needed) {
            return Ok(Cow::Borrowed(all));
        }
        let each = all.iter().map(|a| Ok(self.with_depth(a, depth)?.into_owned()));
        each.collect::<Result<Vec<_>, Error>>().map(Cow::Owned)
    }

    /// Returns the sum of products of pairs whose members have a level for a product. An operand
    /// that occurs several times is bootstrapped once.
    pub(super) fn sum_of_refreshed_products(
        &self,
        operation: &'static str,
        pairs: &[Factors<'_, M>],
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        if !self.bootstraps_by_itself() {
            return self.sum_of_tensors(operation, pairs);
        }
        let mut refreshed: Vec<(&Ciphertext<Ckks<M>>, Cow<'_, _>)> = Vec::new();
        for operand in pairs.iter().flat_map(|(a, b)| [*a, *b]) {
            if !refreshed.iter().any(|(own, _)| std::ptr::eq(*own, operand)) {
                refreshed.push((operand, self.with_depth(operand, 1)?));
            }
        }
        let of = |operand: &Ciphertext<Ckks<M>>| {
            let own = refreshed.iter().find(|(own, _)| std::ptr::eq(*own, operand));
            own.map(|(_, refreshed)| &**refreshed).expect("every operand is there")
        };
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| (of(a), of(b))).collect();
        self.sum_of_tensors(operation, &pairs)
    }

    fn bootstraps_by_itself(&self) -> bool {
        self.refresh().is_some_and(Refresh::is_automatic)
    }
}
