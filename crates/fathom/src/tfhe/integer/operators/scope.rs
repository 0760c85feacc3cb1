//! The evaluator that is installed for a scope.
//!
//! This is the only state of a thread that an operation of the library reads, and only operators on
//! plain values read it. It is set by [`Evaluator::scope`] alone and for the duration of its
//! closure (docs/decisions/0007-operators-in-a-scope.md).

use crate::tfhe::{Error, Evaluator};
use std::cell::RefCell;

thread_local! {
    /// The evaluators of the scopes that this thread is in, the innermost last.
    static INSTALLED: RefCell<Vec<Evaluator>> = const { RefCell::new(Vec::new()) };
}

/// Leaves the innermost scope when dropped, also if the closure panics.
struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        INSTALLED.with_borrow_mut(|installed| drop(installed.pop()));
    }
}

impl Evaluator {
    /// Runs `run` with this evaluator installed on the current thread, so that operators apply to
    /// plain values: `evaluator.scope(|| (&a + &b * 2u8).finish())?`.
    ///
    /// Scopes nest; the innermost counts. Threads that `run` starts are outside of the scope. An
    /// operator outside of any scope returns [`Error::NoScope`].
    pub fn scope<R>(&self, run: impl FnOnce() -> R) -> R {
        INSTALLED.with_borrow_mut(|installed| installed.push(self.clone()));
        let _leave = Leave;
        run()
    }
}

/// Returns the evaluator of the innermost scope.
///
/// # Errors
/// [`Error::NoScope`].
pub(super) fn installed() -> Result<Evaluator, Error> {
    INSTALLED.with_borrow(|installed| installed.last().cloned()).ok_or(Error::NoScope)
}
