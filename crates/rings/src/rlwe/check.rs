//! The check that every result passes.

use super::{Ciphertext, Mechanics};
use crate::Error;

impl<S: Mechanics> Ciphertext<S> {
    /// Refuses a ciphertext whose bound is past the limit of its level, or whose message could
    /// have wrapped around. Otherwise its bound gets the form that can be sent. An encryption has
    /// no operands.
    pub(crate) fn checked(
        self,
        operation: &'static str,
        operands: &[&Ciphertext<S>],
    ) -> Result<Self, Error> {
        let (meta, level) = (self.meta, self.level());
        self.params.check_budget(operation, meta, level, self.noise, operands)?;
        S::check_range(&self.params, operation, self.meta)?;
        Ok(Ciphertext { noise: self.noise.ordered(), ..self })
    }
}
