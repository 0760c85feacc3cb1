//! The evaluator: computes on ciphertexts with public keys only.
//!
//! It holds the evaluation keys or the state of a simulation, a token that cancels its operations,
//! and the bootstrapping that brings its ciphertexts back to the top level, if there is one.

use super::simulation::Simulation;
use super::{
    Ciphertext, Encoding, EvaluationKeys, Galois, KeyUse, Level, Params, SwitchingKey, same_key,
};
use crate::{CancelToken, Error, cancel};
use std::fmt;
use std::fmt::Debug;
use std::sync::Arc;

/// Evaluator of operations on ciphertexts. It holds evaluation keys, never a secret, and may be
/// shared between threads.
#[derive(Clone, Debug)]
pub struct Evaluator<S: Encoding> {
    pub(crate) params: Params<S>,
    keys: EvaluationKeys<S>,
    /// Counters of a simulated evaluator; `None` for every other one.
    simulation: Option<Arc<Simulation>>,
    cancel: Option<CancelToken>,
    /// The bootstrapping that it uses; none if it has no keys for one.
    refresh: Option<Arc<dyn Refresh<S>>>,
}

impl<S: Encoding> Evaluator<S> {
    /// Creates an evaluator with these keys.
    pub fn new(keys: EvaluationKeys<S>) -> Evaluator<S> {
        let params = keys.params().clone();
        Evaluator { params, keys, simulation: None, cancel: None, refresh: None }
    }

    /// Returns the same evaluator, whose operations end with [`Error::Cancelled`] once the token is
    /// cancelled. It is read before each operation, and within linear maps and polynomials.
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> Evaluator<S> {
        Evaluator { cancel: Some(token.clone()), ..self.clone() }
    }

    /// Creates an evaluator without keys, for additions and products with plaintexts only.
    pub fn without_keys(params: &Params<S>) -> Evaluator<S> {
        Evaluator::new(EvaluationKeys::empty(params))
    }

    /// Returns the parameters of the evaluator.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the keys of the evaluator.
    pub fn keys(&self) -> &EvaluationKeys<S> {
        &self.keys
    }

    /// Returns whether the evaluator computes without data: see [`Evaluator::simulated`].
    pub fn is_simulated(&self) -> bool {
        self.simulation.is_some()
    }

    pub(crate) fn with_simulation(keys: EvaluationKeys<S>, state: Simulation) -> Evaluator<S> {
        Evaluator { simulation: Some(Arc::new(state)), ..Evaluator::new(keys) }
    }

    /// Returns the same evaluator, which bootstraps with `refresh`.
    pub(crate) fn refreshing_with(&self, refresh: Arc<dyn Refresh<S>>) -> Evaluator<S> {
        Evaluator { refresh: Some(refresh), ..self.clone() }
    }

    /// Returns the bootstrapping of the evaluator, if it has one.
    pub(crate) fn refresh(&self) -> Option<&dyn Refresh<S>> {
        self.refresh.as_deref()
    }

    /// Returns the token that cancels its operations, if there is one.
    pub(crate) fn cancel_token(&self) -> Option<&CancelToken> {
        self.cancel.as_ref()
    }

    pub(crate) fn simulation(&self) -> Option<&Simulation> {
        self.simulation.as_deref()
    }

    /// Returns the same evaluator with this encryption of zero.
    pub(crate) fn masking_with(self, zero: Ciphertext<S>) -> Result<Evaluator<S>, Error> {
        Ok(Evaluator { keys: self.keys.with_zero(zero)?, ..self })
    }

    /// Returns the relinearisation key for products at a level.
    pub(crate) fn relinearization(&self, level: Level) -> Result<&SwitchingKey, Error> {
        if let Some(simulation) = &self.simulation {
            simulation.note(KeyUse::Relinearization, level);
        }
        let key = self.keys.relinearization.as_deref().ok_or(Error::MissingRelinearizationKey)?;
        key.check_level(level, format_args!("a product"))?;
        Ok(key)
    }

    /// Returns the key of a Galois element for ciphertexts at a level; `rotation` names it in a
    /// refusal.
    pub(crate) fn galois(
        &self,
        exponent: usize,
        level: Level,
        rotation: fmt::Arguments<'_>,
    ) -> Result<&Galois, Error> {
        if let Some(simulation) = &self.simulation {
            simulation.note(KeyUse::Galois(exponent), level);
            return Ok(simulation.galois(self.params.context(), exponent));
        }
        let missing = || Error::MissingGaloisKey { exponent, rotation: rotation.to_string() };
        let galois = self.keys.galois.get(&exponent).ok_or_else(missing)?;
        galois.key.check_level(level, rotation)?;
        Ok(galois)
    }

    /// Refuses to go on once the token of the evaluator is cancelled.
    pub(crate) fn go_on(&self) -> Result<(), Error> {
        cancel::go_on(self.cancel.as_ref())
    }

    /// Refuses operands of other parameters or another secret key, and all of them once the token
    /// is cancelled.
    pub(crate) fn check_key(&self, operands: &[&Ciphertext<S>]) -> Result<(), Error> {
        self.go_on()?;
        let mut own = self.keys.key;
        operands.iter().try_for_each(|c| {
            self.params.same(&c.params)?;
            same_key(*own.get_or_insert(c.key), c.key)
        })
    }
}

/// A bootstrapping of scheme `S` with its keys.
pub trait Refresh<S: Encoding>: Debug + Send + Sync {
    /// Brings a ciphertext back to the top level, unless the token is cancelled.
    ///
    /// # Errors
    /// Those of the scheme.
    fn refreshed(
        &self,
        a: &Ciphertext<S>,
        cancel: Option<&CancelToken>,
    ) -> Result<Ciphertext<S>, Error>;

    /// Returns whether operations use it by themselves.
    fn is_automatic(&self) -> bool;

    /// Returns how often it was used.
    fn count(&self) -> usize;
}
