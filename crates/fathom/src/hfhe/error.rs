//! The refusals that only HFHE has.

/// The reason why an HFHE operation was refused. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HfheError {
    /// The result of an HFHE operation would be too large. HFHE ciphertexts are not compact.
    #[error(
        "the result would have {field} {value}, the limit is {limit}; HFHE ciphertexts grow with \
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
        "the ciphertext is not the result of the expected circuit on the expected inputs; \
         decrypting it could reveal masks of the key"
    )]
    UnexpectedCircuit,
    /// A circuit refers to an input or a step that it does not have.
    #[error("the circuit has {available} {what}, number {wanted} was requested")]
    NoSuchWire {
        /// The kind of the missing wire: an input or a step.
        what: &'static str,
        /// Their number.
        available: usize,
        /// The requested number.
        wanted: usize,
    },
    /// The generator of an HFHE public key does not have order 337.
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
}
