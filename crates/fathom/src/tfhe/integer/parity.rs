//! The parity of integers.

use super::radix::truth;
use super::{AnyInteger, FheBool};
use crate::tfhe::{Error, Evaluator};

impl Evaluator {
    /// Returns whether the value is odd. Cost: one bootstrap.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn is_odd<T: AnyInteger>(&self, a: &T) -> Result<FheBool, Error> {
        let radix = self.radix()?;
        truth(radix.apply(&radix.blocks(a)?[0], &radix.tables.odd)?)
    }

    /// Returns whether the value is even. Cost: one bootstrap.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn is_even<T: AnyInteger>(&self, a: &T) -> Result<FheBool, Error> {
        truth(self.is_odd(a)?.block().sub_from(1))
    }
}
