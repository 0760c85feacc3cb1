//! The check that every result passes.

use super::{Ciphertext, Mechanics, refuse_beyond_budget};
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
        refuse_beyond_budget(
            operation,
            (&self.params, self.meta, self.level()),
            self.noise,
            operands,
        )?;
        S::check_range(&self.params, operation, self.meta)?;
        Ok(Ciphertext { noise: self.noise.ordered(), ..self })
    }
}
