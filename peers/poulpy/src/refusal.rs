//! Errors and panics of poulpy as refusals.

use fathom_drivers::protocol::{Code, Refusal};
use poulpy_ckks::{CKKSCompositionError as Fault, CKKSError};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Converts an error of poulpy to a refusal.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
pub(crate) fn refusal(error: CKKSError) -> Refusal {
    let exhausted = matches!(
        error.composition(),
        Some(
            Fault::InsufficientHomomorphicCapacity { .. }
                | Fault::MultiplicationPrecisionUnderflow { .. }
        )
    );
    let missing = matches!(
        error.composition(),
        Some(Fault::MissingAutomorphismKey { .. } | Fault::MissingRelinearizationKey { .. })
    );
    let code = match (exhausted, missing) {
        (true, _) => Code::NoiseExhausted,
        (_, true) => Code::BadRequest,
        _ => Code::Internal,
    };
    Refusal::new(code, format!("poulpy refused: {error}"))
}

/// Converts an error of the set-up of poulpy to a refusal.
pub(crate) fn internal(error: impl Display) -> Refusal {
    Refusal::new(Code::Internal, format!("poulpy refused: {error:#}"))
}

/// Converts a panic of poulpy, whose functions below CKKS return no errors, to a refusal.
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Refusal::new(Code::Internal, format!("poulpy panicked: {}", text.unwrap_or("no message")))
    })
}

/// Returns the refusal for what needs keys before there are any.
pub(crate) fn no_keys() -> Refusal {
    Refusal::new(Code::BadRequest, "`keygen` comes first")
}
