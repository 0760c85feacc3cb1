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

    /// Replaces the value by the result of a method of the scope's evaluator.
    pub(super) fn apply(&mut self, operation: impl FnOnce(&Evaluator, &T) -> Result<T, Error>) {
        if let Ok(value) = &self.value {
            self.value = installed().and_then(|evaluator| operation(&evaluator, value));
        }
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

/// Starts a chain of operators with a value: `let mut sum = Outcome::from(x); sum += 1;`.
impl<T: AnyRadixValue> From<T> for Outcome<T> {
    fn from(value: T) -> Outcome<T> {
        Outcome::of(Ok(value))
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

impl Evaluator {
    /// Computes an expression on plain values in a scope of this evaluator:
    /// `evaluator.compute(|| 1 + &a * 2)?`.
    ///
    /// It takes an expression that begins with a literal without a suffix. In
    /// `(1 + &a).finish()`, the compiler asks for a suffix, because the method is looked up before
    /// the literal has a type.
    ///
    /// # Errors
    /// Those of the operations of the expression.
    pub fn compute<T: AnyRadixValue>(
        &self,
        expression: impl FnOnce() -> Outcome<T>,
    ) -> Result<T, Error> {
        self.scope(|| expression().finish())
    }
}
