//! Bootstrapping on request. The bootstrapping itself comes from outside, as a [`Refresh`] of the
//! evaluator; operations that refresh their operands by themselves use `rlwe/refreshing.rs`.

use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Refresh};
use fathom_base::error::BootstrapError;

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
}
