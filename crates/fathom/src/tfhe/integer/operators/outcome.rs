//! The outcome of an operator on plain values.

use super::super::operand::encrypted;
use super::super::{AnyWord, Operand, Side, WordType};
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

impl<T: AnyWord> Outcome<T> {
    /// Returns the value of the expression.
    ///
    /// # Errors
    /// The first error that one of its operations returned; [`Error::NoScope`] if one of them was
    /// outside of any scope.
    pub fn finish(self) -> Result<T, Error> {
        self.value
    }

    /// Applies a method of the scope's evaluator to the value.
    pub fn then<U: AnyWord>(
        self,
        operation: impl FnOnce(&Evaluator, &T) -> Result<U, Error>,
    ) -> Outcome<U> {
        Outcome::of(self.value.and_then(|value| operation(&installed()?, &value)))
    }

    pub(super) fn of(value: Result<T, Error>) -> Outcome<T> {
        Outcome { value }
    }

    /// Applies an operation of the scope's evaluator to a plain value.
    pub(super) fn on<U: AnyWord>(
        value: &T,
        operation: impl FnOnce(&Evaluator, &T) -> Result<U, Error>,
    ) -> Outcome<U> {
        Outcome::of(installed().and_then(|evaluator| operation(&evaluator, value)))
    }
}

impl<T: AnyWord> Operand<T> for Outcome<T> {
    fn side(&self, ty: WordType) -> Result<Side<'_>, Error> {
        encrypted(self.value.as_ref().map_err(Clone::clone)?, ty)
    }

    fn word_type(&self) -> Result<Option<WordType>, Error> {
        self.value.as_ref().map(|value| Some(value.word_type())).map_err(Clone::clone)
    }
}
