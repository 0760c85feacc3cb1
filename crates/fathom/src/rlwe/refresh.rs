//! The trait of the bootstrapping that an evaluator holds.

use super::{Ciphertext, Encoding};
use crate::{CancelToken, Error};
use std::fmt::Debug;

/// A bootstrapping of scheme `S` with its keys.
pub(crate) trait Refresh<S: Encoding>: Debug + Send + Sync {
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
