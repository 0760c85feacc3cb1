//! Operands of evaluators that bootstrap by themselves: each is refreshed where it has too few
//! levels for an operation.
//!
//! The bootstrapping that refreshes them comes from outside, as a [`Refresh`] of the evaluator.

use super::{Ciphertext, Evaluator, Level, Mechanics, Refresh};
use crate::Error;
use std::borrow::Cow;

/// Two ciphertexts to be multiplied.
type Pair<'a, S> = (&'a Ciphertext<S>, &'a Ciphertext<S>);

impl<S: Mechanics> Evaluator<S> {
    /// Returns the operand, bootstrapped if it is below the level and the evaluator bootstraps by
    /// itself. What it cannot bootstrap is left to the operation: a level above the top one, and
    /// operands below the last level of products or of three components.
    ///
    /// Every operation that spends levels begins here, so that a ciphertext of others is refused
    /// before its level is looked up among those of these parameters.
    pub(crate) fn at_least<'a>(
        &self,
        a: &'a Ciphertext<S>,
        level: Level,
    ) -> Result<Cow<'a, Ciphertext<S>>, Error> {
        self.check_key(&[a])?;
        let low = a.level() < level && level <= self.params.top_level();
        let can = a.level() >= S::last_level(&self.params) && a.component_count() == 2;
        match self.automatic_refresh() {
            Some(refresh) if low && can => {
                refresh.refreshed(a, self.cancel_token()).map(Cow::Owned)
            }
            _ => Ok(Cow::Borrowed(a)),
        }
    }

    /// Returns the operand with this number of levels to spend, as [`Evaluator::at_least`] does.
    pub(crate) fn with_depth<'a>(
        &self,
        a: &'a Ciphertext<S>,
        depth: usize,
    ) -> Result<Cow<'a, Ciphertext<S>>, Error> {
        self.at_least(a, Level::new(S::last_level(&self.params).get() + depth))
    }

    /// Returns the operands, each with this number of levels to spend.
    pub(crate) fn all_with_depth<'a>(
        &self,
        all: &'a [Ciphertext<S>],
        depth: usize,
    ) -> Result<Cow<'a, [Ciphertext<S>]>, Error> {
        self.check_key(&all.iter().collect::<Vec<_>>())?;
        let needed = Level::new(S::last_level(&self.params).get() + depth);
        if self.automatic_refresh().is_none() || all.iter().all(|a| a.level() >= needed) {
            return Ok(Cow::Borrowed(all));
        }
        let each = all.iter().map(|a| Ok(self.with_depth(a, depth)?.into_owned()));
        each.collect::<Result<Vec<_>, Error>>().map(Cow::Owned)
    }

    /// Returns the sum of products of pairs whose members have a level for a product. An operand
    /// that occurs several times is bootstrapped once.
    pub(crate) fn sum_of_products(
        &self,
        operation: &'static str,
        pairs: &[Pair<'_, S>],
    ) -> Result<Ciphertext<S>, Error> {
        if self.automatic_refresh().is_none() {
            return S::sum_of_products(self, operation, pairs);
        }
        let mut refreshed: Vec<(&Ciphertext<S>, Cow<'_, _>)> = Vec::new();
        for operand in pairs.iter().flat_map(|(a, b)| [*a, *b]) {
            if !refreshed.iter().any(|(own, _)| std::ptr::eq(*own, operand)) {
                refreshed.push((operand, self.with_depth(operand, 1)?));
            }
        }
        let of = |operand: &Ciphertext<S>| {
            let own = refreshed.iter().find(|(own, _)| std::ptr::eq(*own, operand));
            own.map(|(_, refreshed)| &**refreshed).expect("every operand is there")
        };
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| (of(a), of(b))).collect();
        S::sum_of_products(self, operation, &pairs)
    }

    fn automatic_refresh(&self) -> Option<&dyn Refresh<S>> {
        self.refresh().filter(|refresh| refresh.is_automatic())
    }
}
