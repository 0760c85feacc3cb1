//! Errors and panics of fhe.rs as refusals.

use fathom_drivers::protocol::{Code, Refusal};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Converts an error of fhe.rs to a refusal.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
pub(crate) fn refusal(error: fhe::Error) -> Refusal {
    Refusal::new(Code::Internal, format!("fhe.rs refused: {error}"))
}

/// Converts a panic of fhe.rs, whose operators cannot return errors, to a refusal.
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Refusal::new(Code::Internal, format!("fhe.rs panicked: {}", text.unwrap_or("no message")))
    })
}
