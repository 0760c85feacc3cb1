//! The errors of HFHE.

use fathom_kernels::SelectError;

/// The reason why an operation was refused. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Ciphertexts or keys of different secret keys were combined.
    #[error("objects belong to different secret keys")]
    KeyMismatch,
    /// The result would be too large, since these ciphertexts are not compact.
    #[error(
        "the result would have {field} {value}, the limit is {limit}; these ciphertexts grow with \
         the computation: decrypt and encrypt again in between"
    )]
    TooLarge {
        /// The quantity that would be too large.
        field: &'static str,
        /// Its value.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// The ciphertext is not the result of the circuit that the caller expects.
    #[error(
        "the ciphertext is not the expected circuit on the expected inputs; decrypting it could \
         give away the key's masks"
    )]
    UnexpectedCircuit,
    /// A circuit refers to an input or a step that it does not have.
    #[error("the circuit has {available} {what}, number {wanted} was asked for")]
    NoSuchWire {
        /// The kind of the missing wire: an input or a step.
        what: &'static str,
        /// Their number.
        available: usize,
        /// The requested number.
        wanted: usize,
    },
    /// The decrypted element is out of the range of the requested type. The error does not contain
    /// the value.
    #[error("the decrypted element is not in the range of {0}")]
    OutOfRange(&'static str),
    /// Zero was to be inverted.
    #[error("zero has no inverse modulo 2^127 - 1")]
    DivisionByZero,
    /// The generator of a public key does not have order 337, which edges need.
    #[error("the generator of a public key does not have order 337")]
    NotAGenerator,
    /// The ciphertext has a constant term, which the reference's format cannot hold.
    #[error(
        "the ciphertext has a constant term, which the reference's format does not hold; add an \
         encryption of the constant instead"
    )]
    ConstantTerm,
    /// A decrypted text has an impossible length or is not valid UTF-8.
    #[error("the ciphertexts hold no text")]
    NotText,
    /// The kernel named in the environment cannot be used.
    #[error(transparent)]
    Kernel(#[from] SelectError),
    /// More threads were requested than [`crate::hfhe::Workers`] may start.
    #[error(
        "{threads} threads were asked for, workers are at most {limit}; ask for one for each core, \
         as `std::thread::available_parallelism` counts them"
    )]
    TooManyThreads {
        /// The requested number.
        threads: usize,
        /// [`crate::MAX_THREADS`].
        limit: usize,
    },
    /// The requested threads could not be started.
    #[error("{threads} threads could not be started: {reason}")]
    Threads {
        /// The requested number.
        threads: usize,
        /// The message of the operating system.
        reason: String,
    },
}
