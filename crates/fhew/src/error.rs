//! The errors of the crate: those of the library, and that of an unknown name.

use fathom::ErrorKind;
use fathom::wire::WireError;

/// The reason why an operation was refused. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No parameter set has this name.
    #[error("no parameter set of FHEW is named {name:?}; `FhewParams::presets` has all sets")]
    UnknownPreset {
        /// The requested name.
        name: String,
    },
    /// An error that other schemes have too: other keys or parameters, bytes that cannot be
    /// decoded, a ring that cannot be built.
    #[error(transparent)]
    Fathom(#[from] fathom::Error),
}

impl Error {
    /// Returns the group of the error.
    ///
    /// ```
    /// use fathom::ErrorKind;
    /// use fathom_fhew::FhewParams;
    ///
    /// let refused = FhewParams::preset("fhew_ginx_256").unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::Parameters);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::UnknownPreset { .. } => ErrorKind::Parameters,
            Error::Fathom(error) => error.kind(),
        }
    }
}

impl From<WireError> for Error {
    fn from(error: WireError) -> Error {
        Error::Fathom(error.into())
    }
}

impl From<fathom_ring::Error> for Error {
    fn from(error: fathom_ring::Error) -> Error {
        Error::Fathom(error.into())
    }
}
