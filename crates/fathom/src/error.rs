//! The errors of the library.

use crate::rlwe::Level;
use crate::wire::WireError;
use crate::{KeyId, hfhe, tfhe};
use fathom_security::Insecure;

/// The reason why an operation was refused, for every scheme. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The result could decrypt wrongly.
    #[error(
        "{operation} needs {needed_bits:.1} bits of noise budget at level {level}, {left_bits:.1} \
         are left; {remedy}"
    )]
    NoiseExhausted {
        /// What was to be done.
        operation: &'static str,
        /// Level of the operands.
        level: Level,
        /// Bits of budget that the operation would use up.
        needed_bits: f64,
        /// Bits of budget that the weaker operand has.
        left_bits: f64,
        /// What the caller can change.
        remedy: &'static str,
    },
    /// Bring the operands to one level with `mod_switch_to` first.
    #[error("operands are at levels {left} and {right}; bring them to one with mod_switch_to")]
    LevelMismatch {
        /// Level of the left operand.
        left: Level,
        /// Level of the right operand.
        right: Level,
    },
    /// A ciphertext cannot gain levels, and level 0 is the last.
    #[error("cannot go from level {from} to level {to}")]
    NoSuchLevel {
        /// Level of the ciphertext.
        from: Level,
        /// Level asked for.
        to: Level,
    },
    /// The operation takes ciphertexts of two components: relinearise first.
    #[error("{operation} takes ciphertexts of {expected} components, got {got}; relinearise first")]
    Components {
        /// What was to be done.
        operation: &'static str,
        /// Components it takes.
        expected: usize,
        /// Components of the operand.
        got: usize,
    },
    /// Objects of different parameter sets were combined.
    #[error("objects belong to different parameter sets: {left} and {right}")]
    ParamsMismatch {
        /// Name of one set.
        left: String,
        /// Name of the other.
        right: String,
    },
    /// Objects of different secret keys were combined.
    #[error("objects belong to different secret keys: {left} and {right}")]
    KeyMismatch {
        /// Identifier of one key.
        left: KeyId,
        /// Identifier of the other.
        right: KeyId,
    },
    /// A measure of noise was asked for with a message that the ciphertext does not hold.
    #[error(
        "the ciphertext does not hold the message given: its noise is past the limit, or the \
         message is another"
    )]
    OtherMessage,
    /// The evaluator has no relinearisation key.
    #[error("this evaluator has no relinearisation key; make one with SecretKey::evaluation_keys")]
    MissingRelinearizationKey,
    /// The evaluator has no key for this Galois element.
    #[error(
        "this evaluator has no key for Galois element {exponent} ({rotation}); ask for it in \
         SecretKey::evaluation_keys"
    )]
    MissingGaloisKey {
        /// The Galois element.
        exponent: usize,
        /// The rotation that wants it.
        rotation: String,
    },
    /// More values than slots or coefficients.
    #[error("{given} values do not fit into {capacity}")]
    TooManyValues {
        /// Values given.
        given: usize,
        /// Slots or coefficients there are.
        capacity: usize,
    },
    /// A value to be encoded, or a clear operand, is out of range. The error does not contain the
    /// value.
    #[error("value number {index} is not in {low}..={high}")]
    ValueOutOfRange {
        /// Position of the value among those given; 0 for a single value.
        index: usize,
        /// Least value allowed.
        low: i128,
        /// Greatest value allowed.
        high: i128,
    },
    /// An integer is of a wider type than the parameters hold.
    #[error("an integer of {bits} bits is wider than {widest}; take a ring of greater degree")]
    TooWide {
        /// Its width in bits.
        bits: u32,
        /// The greatest width.
        widest: u32,
    },
    /// The messages of two ciphertexts stand with different factors.
    #[error(
        "one operand comes from more unscaled products than the other, so they have no sum; \
         multiply with mul instead of tensor"
    )]
    FactorMismatch,
    /// The plaintext modulus is not 1 modulo twice the degree, so there are no slots.
    #[error(
        "plaintext modulus {plain_modulus} has no slots at degree {degree}: it is not 1 modulo \
         {step}"
    )]
    NoSlots {
        /// The plaintext modulus.
        plain_modulus: u64,
        /// The degree.
        degree: usize,
        /// Twice the degree.
        step: usize,
    },
    /// An operation over a list was given none, or lists of different lengths.
    #[error("{operation} needs lists of equal, nonzero length, got {left} and {right}")]
    ListLength {
        /// What was to be done.
        operation: &'static str,
        /// Length of one list.
        left: usize,
        /// Length of the other.
        right: usize,
    },
    /// A matrix or vector has another shape than the operation takes.
    #[error("{operation} takes {wanted}, got {got}")]
    Shape {
        /// What was to be done.
        operation: &'static str,
        /// The shape it takes.
        wanted: String,
        /// The shape there is.
        got: String,
    },
    /// A ciphertext could be read without a key, because all of its components but the first are
    /// zero.
    #[error("{operation} gives a transparent ciphertext, which needs no key to be read; {remedy}")]
    Transparent {
        /// The operation that was refused.
        operation: &'static str,
        /// What the caller can do instead.
        remedy: &'static str,
    },
    /// A simulated object was combined with a ciphertext, or was to be sent.
    #[error("{operation} needs ciphertexts: a simulated object holds none and stands for none")]
    Simulated {
        /// The operation that was refused.
        operation: &'static str,
    },
    /// A field of a parameter description is out of range.
    #[error("parameter {field}: {reason}")]
    Spec {
        /// The field.
        field: &'static str,
        /// What is wrong, with the bound.
        reason: String,
    },
    /// The parameters are below the security level they state.
    #[error(transparent)]
    Insecure(#[from] Insecure),
    /// The ring cannot be built.
    #[error(transparent)]
    Ring(#[from] fathom_ring::Error),
    /// Bytes cannot be decoded.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// A refusal that only TFHE knows.
    #[error(transparent)]
    Tfhe(#[from] tfhe::Error),
    /// A refusal that only HFHE knows.
    #[error(transparent)]
    Hfhe(#[from] hfhe::Error),
}
