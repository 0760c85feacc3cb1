//! Evaluators that bootstrap.

use super::Bootstrapper;
use fathom_base::{CancelToken, Error};
use fathom_rings::ckks::{Ckks, Mode};
use fathom_rings::internals::Refresh;
use fathom_rings::rlwe::Ciphertext;

/// The rule by which an evaluator that has the keys of a bootstrapping uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The evaluator bootstraps where [`Evaluator::bootstrap`] is called, and nowhere else.
    ///
    /// [`Evaluator::bootstrap`]: fathom_rings::rlwe::Evaluator::bootstrap
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
    ///
    /// [`Evaluator::bootstrap`]: fathom_rings::rlwe::Evaluator::bootstrap
    Automatic,
}

/// The bootstrapping of an evaluator.
#[derive(Debug)]
pub(crate) struct Held<M: Mode> {
    bootstrapper: Bootstrapper<M>,
    policy: Policy,
}

impl<M: Mode> Held<M> {
    /// Creates the bootstrapping of an evaluator.
    pub(crate) fn new(bootstrapper: Bootstrapper<M>, policy: Policy) -> Held<M> {
        Held { bootstrapper, policy }
    }
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
