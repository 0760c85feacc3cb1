//! Cancellation of long operations.

use crate::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A flag that ends the operations of the evaluators that carry it, with [`Error::Cancelled`].
///
/// Clones share the flag, so that one thread cancels what others compute. It is read between the
/// steps of an operation, each of which takes milliseconds: in TFHE before each layer and between
/// the parts of a large one; in the ring schemes before each operation, and within linear maps,
/// polynomials, and products and sums of wide vectors. A result that is complete is returned.
/// Cancelling is for good: the next operation takes an evaluator with another token.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
}

impl CancelToken {
    /// Returns a token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Cancels the operations of all evaluators that carry this token or a clone of it.
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Returns whether the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

/// Refuses to go on if the token of an evaluator, if it carries one, was cancelled.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn go_on(token: Option<&CancelToken>) -> Result<(), Error> {
    if token.is_some_and(CancelToken::is_cancelled) { Err(Error::Cancelled) } else { Ok(()) }
}
