//! The outcome of an operator on plain values.

use super::super::operand::encrypted;
use super::super::{AnyRadixValue, Operand, Side, ValueType};
use super::scope::installed;
use crate::tfhe::{Error, Evaluator};

/// The outcome of operators on plain values in a scope ([`Evaluator::scope`]): a value, or the
/// first error.
///
/// It is an operand of further operators, and [`Outcome::finish`] returns the value. An outcome
/// that is not finished reports no error, hence the warning.
#[derive(Clone, Debug)]
#[must_use = "an outcome may be an error, which `finish` returns"]
pub struct Outcome<T> {
    value: Result<T, Error>,
}

impl<T: AnyRadixValue> Outcome<T> {
    /// Returns the value of the expression.
    ///
    /// # Errors
    /// The first error that one of its operations returned; [`Error::NoScope`] if one of them was
    /// outside of any scope.
    pub fn finish(self) -> Result<T, Error> {
        self.value
    }

    /// Applies a method of the scope's evaluator to the value.
    pub fn then<U: AnyRadixValue>(
        self,
        operation: impl FnOnce(&Evaluator, &T) -> Result<U, Error>,
    ) -> Outcome<U> {
        Outcome::of(self.value.and_then(|value| operation(&installed()?, &value)))
    }

    pub(super) fn of(value: Result<T, Error>) -> Outcome<T> {
        Outcome { value }
    }

    /// Applies an operation of the scope's evaluator to a plain value.
    pub(super) fn on<U: AnyRadixValue>(
        value: &T,
        operation: impl FnOnce(&Evaluator, &T) -> Result<U, Error>,
    ) -> Outcome<U> {
        Outcome::of(installed().and_then(|evaluator| operation(&evaluator, value)))
    }
}

impl<T: AnyRadixValue> Operand<T> for Outcome<T> {
    fn side(&self, ty: ValueType) -> Result<Side<'_>, Error> {
        encrypted(self.value.as_ref().map_err(Clone::clone)?, ty)
    }

    fn value_type(&self) -> Result<Option<ValueType>, Error> {
        self.value.as_ref().map(|value| Some(value.value_type())).map_err(Clone::clone)
    }
}
