//! Evaluators that bootstrap.

use super::super::{Ckks, Mode};
use super::{BootstrapError, Bootstrapper};
use crate::rlwe::{Ciphertext, Evaluator, Refresh, same_key};
use crate::{CancelToken, Error};
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
}
