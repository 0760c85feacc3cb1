//! The errors of the crate: those of the library, and those that only HFHE has.

use fathom::ErrorKind;
use fathom::wire::WireError;

/// The reason why an operation was refused. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The result of an operation would be too large. HFHE ciphertexts are not compact.
    #[error(
        "the result would have {field} {value}, the limit is {limit}; HFHE ciphertexts grow with \
         the computation: decrypt and encrypt again in between"
    )]
    TooLarge {
        /// The quantity that would be too large.
        field: &'static str,
        /// The value that was refused.
        value: u64,
        /// The greatest value allowed.
        limit: u64,
    },
    /// The ciphertext is not the result of the circuit that the caller expects.
    #[error(
        "the ciphertext is not the result of the expected circuit on the expected inputs; \
         decrypting it could reveal masks of the key"
    )]
    UnexpectedCircuit,
    /// A circuit refers to an input or a step that it does not have.
    #[error("the circuit has {available} {what}, number {wanted} was requested")]
    NoSuchWire {
        /// The kind of the missing wire: an input or a step.
        what: &'static str,
        /// The number that is available.
        available: usize,
        /// The requested number.
        wanted: usize,
    },
    /// The generator of a public key does not have order 337.
    #[error("the generator of a public key does not have order 337")]
    NotAGenerator,
    /// The ciphertext has a constant term, which the reference's format cannot hold.
    #[error(
        "the ciphertext has a constant term, which the reference's format does not hold; add an \
         encryption of the constant instead"
    )]
    ConstantTerm,
    /// A decrypted text has an impossible length or is not valid UTF-8.
    #[error("the ciphertexts hold no text: the length is impossible, or the bytes are not UTF-8")]
    NotText,
    /// An error that other schemes have too: other keys, bytes that cannot be decoded, threads that
    /// cannot be started, a division by zero.
    #[error(transparent)]
    Fathom(#[from] fathom::Error),
}

impl Error {
    /// Returns `value`, or [`Error::TooLarge`] above `limit`.
    pub(crate) fn at_most(field: &'static str, value: u64, limit: u64) -> Result<u64, Error> {
        if value > limit { Err(Error::TooLarge { field, value, limit }) } else { Ok(value) }
    }

    /// Returns the group of the error.
    ///
    /// ```
    /// use fathom::ErrorKind;
    /// use fathom_hfhe::native::SecretKey;
    ///
    /// let refused = SecretKey::from_secret_bytes(&[0; 100]).map(drop).unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::Bytes);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::TooLarge { .. } => ErrorKind::Noise,
            Error::UnexpectedCircuit => ErrorKind::Key,
            Error::NoSuchWire { .. } | Error::ConstantTerm | Error::NotText => ErrorKind::Input,
            Error::NotAGenerator => ErrorKind::Parameters,
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
