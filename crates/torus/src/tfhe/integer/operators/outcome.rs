//! Expressions of operators, and the server that computes them.
//!
//! The server installed for a scope is the only state of a thread that an operation of the library
//! reads, and only operators on plain values read it. It is set by [`Integers::scope`] alone and
//! for the duration of its closure (docs/decisions/0007-operators-in-a-scope.md).

use crate::tfhe::Error;
use crate::tfhe::integer::value::operand::Content;
use crate::tfhe::integer::{FheValue, Integers, Operand};
use std::cell::RefCell;

thread_local! {
    /// The servers of the scopes that this thread is in, the innermost last.
    static INSTALLED: RefCell<Vec<Integers>> = const { RefCell::new(Vec::new()) };
}

/// Leaves the innermost scope when dropped, also if the closure panics.
struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        INSTALLED.with_borrow_mut(|installed| drop(installed.pop()));
    }
}

/// Returns the server of the innermost scope.
///
/// # Errors
/// [`Error::NoScope`].
fn installed() -> Result<Integers, Error> {
    INSTALLED.with_borrow(|installed| installed.last().cloned()).ok_or(Error::NoScope)
}

/// The outcome of Rust operators on encrypted values: a value, or the first error. The operators
/// compute in a scope ([`Integers::scope`]) or on a bound value ([`Integers::bind`]).
///
/// It is a type of its own, and not a `Result`, because operators apply to it: it is an operand of
/// further operators, and [`Outcome::finish`] returns the value. An outcome that is not finished
/// reports no error, hence the warning.
#[derive(Clone, Debug)]
#[must_use = "an outcome may be an error, which `finish` returns"]
pub struct Outcome<T> {
    value: Result<T, Error>,
    /// The server of a bound value; `None` for that of the scope.
    integers: Option<Integers>,
}

impl Integers {
    /// Runs `run` with this server installed on the current thread, so that operators apply to
    /// plain values: `integers.scope(|| (&a + &b * 2u8).finish())?`.
    ///
    /// Scopes nest; the innermost counts. Threads that `run` starts are outside of the scope. An
    /// operator outside of any scope returns [`Error::NoScope`].
    pub fn scope<R>(&self, run: impl FnOnce() -> R) -> R {
        INSTALLED.with_borrow_mut(|installed| installed.push(self.clone()));
        let _leave = Leave;
        run()
    }

    /// Computes an expression on plain values in a scope of this server:
    /// `integers.compute(|| 1 + &a * 2)?`.
    ///
    /// It takes an expression that begins with a literal without a suffix. In
    /// `(1 + &a).finish()`, the compiler asks for a suffix, because the method is looked up before
    /// the literal has a type.
    ///
    /// # Errors
    /// Those of the operations of the expression.
    pub fn compute<T: FheValue>(
        &self,
        expression: impl FnOnce() -> Outcome<T>,
    ) -> Result<T, Error> {
        self.scope(|| expression().finish())
    }

    /// Binds a value to this server, so that operators apply to it outside of a scope:
    /// `(integers.bind(&a) * &b + 1u8).finish()?`.
    pub fn bind<T: FheValue>(&self, value: &T) -> Outcome<T> {
        Outcome { value: Ok(value.clone()), integers: Some(self.clone()) }
    }
}

impl<T: FheValue> Outcome<T> {
    /// Returns the value of the expression.
    ///
    /// # Errors
    /// The first error that one of its operations returned; [`Error::NoScope`] if one of them was
    /// neither in a scope nor on a bound value.
    pub fn finish(self) -> Result<T, Error> {
        self.value
    }

    /// Applies an operation of the server to the value.
    pub fn then<U: FheValue>(
        self,
        operation: impl FnOnce(&Integers, &T) -> Result<U, Error>,
    ) -> Outcome<U> {
        let value = self.value.and_then(|value| match &self.integers {
            Some(integers) => operation(integers, &value),
            None => operation(&installed()?, &value),
        });
        Outcome { value, integers: self.integers }
    }

    /// Replaces the value by the result of an operation of the server.
    pub(super) fn apply(&mut self, operation: impl FnOnce(&Integers, &T) -> Result<T, Error>) {
        if let Ok(value) = &self.value {
            self.value = match &self.integers {
                Some(integers) => operation(integers, value),
                None => installed().and_then(|integers| operation(&integers, value)),
            };
        }
    }

    /// Applies an operation of the scope's server to a plain value.
    pub(super) fn on(
        value: &T,
        operation: impl FnOnce(&Integers, &T) -> Result<T, Error>,
    ) -> Outcome<T> {
        let value = installed().and_then(|integers| operation(&integers, value));
        Outcome { value, integers: None }
    }
}

/// Starts a chain of operators with a value: `let mut sum = Outcome::from(x); sum += 1;`.
impl<T: FheValue> From<T> for Outcome<T> {
    fn from(value: T) -> Outcome<T> {
        Outcome { value: Ok(value), integers: None }
    }
}

impl<T: FheValue> Operand<T> for Outcome<T> {
    fn content(&self) -> Result<Content<'_>, Error> {
        let value = self.value.as_ref().map_err(Clone::clone)?;
        Ok(Content::Encrypted(value.value_type(), value.blocks()))
    }
}
