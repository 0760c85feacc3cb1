//! Errors of the torus schemes as refusals.

use fathom::Error;

use crate::drivers::protocol::{Code, Refusal};

/// Returns the refusal for an error, with the code that its kind has in the protocol.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
pub(in super::super) fn refusal(error: Error) -> Refusal {
    let code = match &error {
        Error::NoiseExceeded { .. } | Error::OutsideDomain { .. } => Code::NoiseExhausted,
        Error::InsecureKey(_) => Code::Insecure,
        Error::NotNegacyclic { .. } | Error::Domain { .. } | Error::Spec { .. } => {
            Code::Unsupported
        }
        Error::ValueOutOfRange { .. }
        | Error::NotCanonical { .. }
        | Error::ClearOutOfRange { .. }
        | Error::ParamsMismatch { .. } => Code::BadRequest,
        Error::Ring(_) | Error::Threads { .. } | _ => Code::Internal,
    };
    Refusal::new(code, error.to_string())
}
