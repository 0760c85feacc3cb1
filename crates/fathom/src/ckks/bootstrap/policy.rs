//! Evaluators that bootstrap.

use super::super::{Ckks, Mode};
use super::{BootstrapError, Bootstrapper};
use crate::rlwe::{Ciphertext, Evaluator, Level, Refresh, same_key};
use crate::{CancelToken, Error};
use std::borrow::Cow;
use std::sync::Arc;

/// The rule by which an evaluator that has the keys of a bootstrapping uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The evaluator bootstraps where [`Evaluator::bootstrap`] is called, and nowhere else.
    Explicit,
    /// The evaluator also bootstraps by itself, where an operand has too few levels for an
    /// operation: products, inner products, weighted sums, polynomials, signs, maps, and factors
    /// and maps that were prepared for a level above that of the operand. It does not bootstrap
    /// within one operation: an operation that takes more levels than a bootstrapping gives back is
    /// refused, and so are the pairs of `dot_stream`. A factor that was prepared for the last level
    /// leads below it, from where nothing is bootstrapped.
    ///
    /// An operand of several operations is bootstrapped by each of them; keep the result of
    /// [`Evaluator::bootstrap`] for them. The keys are those for all slots: with others, operands
    /// would be replaced by means of their slots without being asked for.
    Automatic,
}

/// Two ciphertexts to be multiplied.
type Factors<'a, M> = (&'a Ciphertext<Ckks<M>>, &'a Ciphertext<Ckks<M>>);

/// The bootstrapping of an evaluator.
#[derive(Debug)]
struct Held<M: Mode> {
    bootstrapper: Bootstrapper<M>,
    policy: Policy,
}

impl<M: Mode> Refresh<Ckks<M>> for Held<M> {
    fn refreshed(
        &self,
        a: &Ciphertext<Ckks<M>>,
        cancel: Option<&CancelToken>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        match cancel {
            Some(token) => self.bootstrapper.with_cancel(token).bootstrap(a),
            None => self.bootstrapper.bootstrap(a),
        }
    }

    fn is_automatic(&self) -> bool {
        self.policy == Policy::Automatic
    }

    fn count(&self) -> usize {
        self.bootstrapper.count()
    }
}

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Returns the same evaluator with the keys of a bootstrapping, which it uses as the policy
    /// says: [`BootstrappingKeys`](crate::ckks::BootstrappingKeys), whose tables are prepared here
    /// in seconds, or a [`Bootstrapper`](crate::ckks::Bootstrapper) that has them, for instance
    /// with threads.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], and [`Error::KeyMismatch`] if the evaluator has keys of another
    /// secret key; [`BootstrapError::NotByItself`] for [`Policy::Automatic`] and keys of sparse
    /// slots.
    pub fn with_bootstrapping(
        &self,
        bootstrapper: impl Into<Bootstrapper<M>>,
        policy: Policy,
    ) -> Result<Evaluator<Ckks<M>>, Error> {
        let bootstrapper = bootstrapper.into();
        self.params.same(bootstrapper.params())?;
        if let Some(own) = self.keys().key_id() {
            same_key(own, bootstrapper.key_id())?;
        }
        let slots = bootstrapper.slots();
        if policy == Policy::Automatic && slots < self.params.slot_count() {
            return Err(BootstrapError::NotByItself { slots }.into());
        }
        Ok(self.refreshing_with(Arc::new(Held { bootstrapper, policy })))
    }

    /// Refreshes a ciphertext, as a [`Bootstrapper`](crate::ckks::Bootstrapper) does.
    ///
    /// # Errors
    /// [`BootstrapError::NoKeys`] unless the evaluator comes from
    /// [`Evaluator::with_bootstrapping`]; those of `Bootstrapper::bootstrap`.
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
    pub(in super::super) fn at_least<'a>(
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
    pub(in super::super) fn with_depth<'a>(
        &self,
        a: &'a Ciphertext<Ckks<M>>,
        depth: usize,
    ) -> Result<Cow<'a, Ciphertext<Ckks<M>>>, Error> {
        self.at_least(a, Level::new(self.params.last_level().get() + depth))
    }

    /// Returns the operands, each with this number of levels to spend.
    pub(in super::super) fn all_with_depth<'a>(
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
    pub(in super::super) fn sum_of_refreshed_products(
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
