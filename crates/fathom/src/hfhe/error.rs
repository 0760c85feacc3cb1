//! Why an operation of HFHE was refused.

use fathom_kernels::SelectError;

/// Why an operation was refused. Never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Ciphertexts or keys of different secret keys were combined.
    #[error("objects belong to different secret keys")]
    KeyMismatch,
    /// The result would not fit: these ciphertexts are not compact.
    #[error(
        "the result would have {field} {value}, the limit is {limit}; these ciphertexts grow with \
         the computation: decrypt and encrypt again in between"
    )]
    TooLarge {
        /// What would be too large.
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
    /// A circuit names an input or a step that it does not have.
    #[error("the circuit has {available} {what}, number {wanted} was asked for")]
    NoSuchWire {
        /// Inputs or steps.
        what: &'static str,
        /// How many there are.
        available: usize,
        /// The number asked for.
        wanted: usize,
    },
    /// The decrypted element is no number of the type asked for. The value is not shown.
    #[error("the decrypted element is not in the range of {0}")]
    OutOfRange(&'static str),
    /// Zero has no inverse.
    #[error("zero has no inverse modulo 2^127 - 1")]
    DivisionByZero,
    /// Edges need an element of order 337.
    #[error("the generator of a public key does not have order 337")]
    NotAGenerator,
    /// The reference's format has no place for a constant term.
    #[error(
        "the ciphertext has a constant term, which the reference's format does not hold; add an \
         encryption of the constant instead"
    )]
    ConstantTerm,
    /// A decrypted text has an impossible length or is not UTF-8.
    #[error("the ciphertexts hold no text")]
    NotText,
    /// The kernel named in the environment cannot be used.
    #[error(transparent)]
    Kernel(#[from] SelectError),
    /// More threads were asked for than [`crate::hfhe::Workers`] start.
    #[error(
        "{threads} threads were asked for, workers are at most {limit}; ask for one for each core, \
         as `std::thread::available_parallelism` counts them"
    )]
    TooManyThreads {
        /// The number asked for.
        threads: usize,
        /// [`crate::MAX_THREADS`].
        limit: usize,
    },
    /// The threads asked for could not be started.
    #[error("{threads} threads could not be started: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// What the operating system said.
        reason: String,
    },
}
