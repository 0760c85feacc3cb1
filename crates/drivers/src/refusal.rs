//! Errors of the engine as refusals.

use fathom::Error;
use fathom::ckks::BootstrapError;
use fathom::tfhe::TableError;
use fathom::wide::WideError;
use serde_json::{Value, json};

use crate::protocol::{Code, Refusal};

/// Returns the refusal for an error, with the code that its kind has in the protocol.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
pub fn refusal(error: Error) -> Refusal {
    let code = match &error {
        Error::NoiseExhausted { .. }
        | Error::PrecisionExhausted { .. }
        | Error::NoiseExceeded { .. }
        | Error::Bootstrap(BootstrapError::Tolerance { .. } | BootstrapError::Budget { .. })
        | Error::Table(TableError::OutsideDomain { .. }) => Code::NoiseExhausted,
        Error::Insecure(_) | Error::InsecureKey(_) => Code::Insecure,
        Error::NoSuchLevel { .. }
        | Error::Bootstrap(
            BootstrapError::NoSet { .. }
            | BootstrapError::Levels { .. }
            | BootstrapError::Precision { .. },
        )
        | Error::NoSlots { .. }
        | Error::Table(TableError::NotNegacyclic { .. } | TableError::Domain { .. })
        | Error::Spec { .. } => Code::Unsupported,
        Error::LevelMismatch { .. }
        | Error::Components { .. }
        | Error::ParamsMismatch { .. }
        | Error::TypeMismatch { .. }
        | Error::TooManyValues { .. }
        | Error::Wide(WideError::TooWide { .. })
        | Error::MagnitudeExceeded { .. }
        | Error::CkksDomain(_)
        | Error::Bootstrap(
            BootstrapError::Magnitude { .. }
            | BootstrapError::Domains { .. }
            | BootstrapError::Slots { .. }
            | BootstrapError::NotByItself { .. }
            | BootstrapError::Argument { .. }
            | BootstrapError::Scale { .. },
        )
        | Error::ValueOutOfRange { .. }
        | Error::MessageOutOfRange { .. }
        | Error::NotCanonical { .. }
        | Error::ClearOutOfRange { .. }
        | Error::Count { .. }
        | Error::Shape { .. }
        | Error::ListLength { .. } => Code::BadRequest,
        Error::MissingRelinearizationKey
        | Error::MissingGaloisKey { .. }
        | Error::Transparent { .. }
        | Error::Ring(_)
        | Error::Threads { .. }
        | _ => Code::Internal,
    };
    let details = if let Error::NoiseExhausted { level, needed_bits, left_bits, .. } = &error {
        json!({ "level": level.get(), "needed_bits": needed_bits, "left_bits": left_bits })
    } else {
        Value::Null
    };
    Refusal { code, message: error.to_string(), details }
}
