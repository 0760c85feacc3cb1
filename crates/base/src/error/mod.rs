//! The errors of the library.

mod bootstrap;
mod ckks;
mod kind;
mod list;
mod shortfall;
mod table;
mod wide;
mod wire;

pub use bootstrap::BootstrapError;
pub use ckks::{DomainError, FloodError, ScaleError};
pub use kind::ErrorKind;
pub use list::ListError;
pub use table::TableError;
pub use wide::WideError;
pub use wire::WireError;

use crate::{KeyId, Level, ValueType};
use fathom_kernels::SelectError;
use fathom_security::{Insecure, InsecureKey};
use shortfall::Shortfall;
use std::fmt;

/// The reason why an operation was refused, for every scheme. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The noise of the result could exceed the limit, so that it would decrypt wrongly.
    #[error(
        "{operation} at level {level} {}; {remedy}",
        Shortfall { needed_bits: *needed_bits, left_bits: *left_bits }
    )]
    NoiseExhausted {
        /// Name of the refused operation.
        operation: &'static str,
        /// Level of the operands.
        level: Level,
        /// Bits of budget that the operation needs.
        needed_bits: f64,
        /// Bits of budget that the weaker operand has.
        left_bits: f64,
        /// Change that makes the operation possible.
        remedy: &'static str,
    },
    /// A CKKS decryption was not flooded.
    #[error(transparent)]
    Flood(#[from] FloodError),
    /// The operands are at different levels, which the operation does not align.
    #[error("operands are at levels {left} and {right}; bring them to one with mod_switch_to")]
    LevelMismatch {
        /// Level of the left operand.
        left: Level,
        /// Level of the right operand.
        right: Level,
    },
    /// A ciphertext cannot be brought to the level. Levels only decrease, and level 0 is the last.
    #[error(
        "cannot go from level {from} to level {to}: levels only decrease, down to 0; encrypt at a \
         higher level"
    )]
    NoSuchLevel {
        /// Level of the ciphertext.
        from: Level,
        /// Requested level.
        to: Level,
    },
    /// A ciphertext has three components where the operation takes two, or the reverse.
    #[error(
        "{operation} takes ciphertexts of {expected} components, got {got}; {}",
        if got > expected { "relinearise first" } else { "it is relinearised already" }
    )]
    Components {
        /// Name of the refused operation.
        operation: &'static str,
        /// Components it takes.
        expected: usize,
        /// Components of the operand.
        got: usize,
    },
    /// The error of a CKKS message would exceed what the operation or the caller allows.
    #[error(
        "{operation} allows an error of 2^{allowed_bits:.1} in a slot, but the error bound is \
         2^{error_bits:.1}; {remedy}"
    )]
    PrecisionExhausted {
        /// Name of the refused operation.
        operation: &'static str,
        /// `log2` of the bound on the error of a slot.
        error_bits: f64,
        /// `log2` of the error that is allowed.
        allowed_bits: f64,
        /// Change that makes the operation possible.
        remedy: &'static str,
    },
    /// CKKS ciphertexts cannot be brought to the scale that an operation needs.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// A number to be encoded exceeds the bound stated for it. The error does not contain it.
    #[error(
        "the absolute value of number {index} exceeds the stated magnitude {}; state a larger one \
         with encode_within",
        Short(*magnitude)
    )]
    MagnitudeExceeded {
        /// Position of the value among those given.
        index: usize,
        /// The bound.
        magnitude: f64,
    },
    /// CKKS slots may be outside of what an operation assumes of them.
    #[error(transparent)]
    CkksDomain(#[from] DomainError),
    /// CKKS refuses to bootstrap a ciphertext.
    #[error(transparent)]
    Bootstrap(#[from] BootstrapError),
    /// Objects of different parameter sets were combined.
    #[error("objects belong to different parameter sets: {left} and {right}; use one set for all")]
    ParamsMismatch {
        /// Name of one set.
        left: String,
        /// Name of the other.
        right: String,
    },
    /// Objects of different secret keys were combined.
    #[error(
        "objects belong to different secret keys: {left} and {right}; make all keys and \
         ciphertexts with one secret key"
    )]
    KeyMismatch {
        /// Identifier of one key.
        left: KeyId,
        /// Identifier of the other.
        right: KeyId,
    },
    /// The noise was to be measured for a message that the ciphertext does not hold.
    #[error("the ciphertext holds another message than the given one, or too much noise")]
    OtherMessage,
    /// The evaluator has no relinearisation key.
    #[error("this evaluator has no relinearisation key; make one with SecretKey::evaluation_keys")]
    MissingRelinearizationKey,
    /// The evaluator has no key for this Galois element.
    #[error(
        "this evaluator has no key for Galois element {exponent} ({rotation}); request the \
         rotation in SecretKey::evaluation_keys"
    )]
    MissingGaloisKey {
        /// The Galois element.
        exponent: usize,
        /// The rotation that needs it.
        rotation: String,
    },
    /// A key serves ciphertexts at lower levels only.
    #[error(
        "the key for {operation} serves levels up to {key}, the operand is at level {needed}; make \
         it for that level in SecretKey::keys_for, or switch the operand down first"
    )]
    KeyLevel {
        /// The operation that needs the key.
        operation: String,
        /// The highest level that the key serves.
        key: Level,
        /// The level of the operand.
        needed: Level,
    },
    /// There are more values than slots or coefficients.
    #[error(
        "{given} values were given, a plaintext holds {capacity}; divide them among several \
         plaintexts"
    )]
    TooManyValues {
        /// Number of values.
        given: usize,
        /// Number of slots or coefficients.
        capacity: usize,
    },
    /// A value to be encoded, or a clear operand, is out of range. The error does not contain it.
    #[error("value number {index} is not in {low}..={high}")]
    ValueOutOfRange {
        /// Position of the value among those given, from 0 on.
        index: usize,
        /// Least value allowed.
        low: i128,
        /// Greatest value allowed.
        high: i128,
    },
    /// A single message is out of range. The error does not contain it.
    #[error("the message is not in {low}..={high}")]
    MessageOutOfRange {
        /// Least message allowed.
        low: i128,
        /// Greatest message allowed.
        high: i128,
    },
    /// The messages of two ciphertexts have different factors.
    #[error(
        "one operand comes from more unscaled products than the other, so they cannot be added; \
         multiply with mul instead of tensor"
    )]
    FactorMismatch,
    /// The plaintext modulus is not 1 modulo twice the degree, so there are no slots.
    #[error(
        "plaintext modulus {plain_modulus} has no slots at degree {degree}: it is not 1 modulo \
         {step}; take a prime from batching_primes, encode coefficients, or compute modulo 2^k \
         under tfhe and without a modulus under wide"
    )]
    NoSlots {
        /// The plaintext modulus.
        plain_modulus: u64,
        /// The degree.
        degree: usize,
        /// Twice the degree.
        step: usize,
    },
    /// An operation on lists was given an empty list, or lists of different lengths.
    #[error("{operation} needs lists of equal, nonzero length, got {left} and {right}")]
    ListLength {
        /// Name of the refused operation.
        operation: &'static str,
        /// Length of one list.
        left: usize,
        /// Length of the other.
        right: usize,
    },
    /// A number of terms is zero or exceeds the slots.
    #[error("{operation} adds 1 to {limit} terms, got {count}")]
    Count {
        /// Name of the refused operation.
        operation: &'static str,
        /// The requested number.
        count: usize,
        /// The greatest number.
        limit: usize,
    },
    /// A matrix or vector has a shape that the operation does not take.
    #[error("{operation} takes {wanted}, got {got}")]
    Shape {
        /// Name of the refused operation.
        operation: &'static str,
        /// The shape it takes.
        wanted: String,
        /// The shape of the operand.
        got: String,
    },
    /// The result would be readable without a key, because all of its components except the first
    /// are zero.
    #[error("{operation} gives a transparent ciphertext, which anyone can read; {remedy}")]
    Transparent {
        /// The operation that was refused.
        operation: &'static str,
        /// Alternative that is possible.
        remedy: &'static str,
    },
    /// A simulated object was combined with a real one, or was to be sent.
    #[error("{operation} cannot combine simulated and real objects, or send a simulated one")]
    Simulated {
        /// The operation that was refused.
        operation: &'static str,
    },
    /// No parameter set has this name.
    #[error(
        "no parameter set is named {name:?}; `Preset::ALL`, and for TFHE `Params::presets`, have \
         all sets"
    )]
    UnknownPreset {
        /// The requested name.
        name: String,
    },
    /// A field of a parameter description is out of range.
    #[error("parameter {field}: {reason}")]
    Spec {
        /// The field.
        field: &'static str,
        /// Description of the fault, with the bound.
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
    /// The divisor is zero.
    #[error("the divisor is zero")]
    DivisionByZero,
    /// More threads were requested than an evaluator or a pool of workers may start.
    #[error(
        "{threads} threads were requested, the limit is {limit}; request one for each core, as \
         `std::thread::available_parallelism` counts them"
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
    /// The operation was ended by the [`CancelToken`](crate::CancelToken) of its evaluator.
    #[error("the operation was cancelled; take an evaluator whose token is not cancelled")]
    Cancelled,
    /// The operating system refused to read or write a file.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// The message of the operating system.
        reason: String,
    },
    /// A key of the parameters has less than 128 bits of security.
    #[error(transparent)]
    InsecureKey(#[from] InsecureKey),
    /// The noise of a block exceeds the limit at which a bootstrap keeps its failure probability.
    #[error(
        "the block's noise variance is {noise_variance} times that of a bootstrap's output, but \
         {params} allows {limit}; bootstrap its terms before they are added, and multiply in a \
         table"
    )]
    NoiseExceeded {
        /// Noise variance of the block, in units of the variance of a bootstrap's output.
        noise_variance: u32,
        /// The greatest noise variance that a bootstrap takes.
        limit: u32,
        /// Name of the parameter set.
        params: String,
    },
    /// Blocks do not form an encrypted integer or truth value.
    #[error(
        "expected {blocks} canonical block(s), each in 0..={top} with a noise variance of at most \
         {noise_variance} bootstrap outputs; refresh blocks with a bootstrap first"
    )]
    NotCanonical {
        /// Number of blocks of the type.
        blocks: usize,
        /// Greatest value of a block.
        top: i32,
        /// Greatest noise variance of a block, in units of the variance of a bootstrap's output.
        noise_variance: u32,
    },
    /// A clear operand does not fit the type of the encrypted one. The error does not contain the
    /// value.
    #[error(
        "the clear value does not fit {bits} bits ({})",
        if *signed { "signed" } else { "unsigned" }
    )]
    ClearOutOfRange {
        /// Bits of the type.
        bits: usize,
        /// True if the type is signed.
        signed: bool,
    },
    /// The requested width of an integer is not an even number of bits from 2 to 256.
    #[error("integers have an even number of bits from 2 to 256, not {bits}")]
    IntegerBits {
        /// The requested number of bits.
        bits: usize,
    },
    /// The type of a selection between two clear values is not known.
    #[error("both values are clear and their type is known only at run time; encrypt one of them")]
    TypeUnknown,
    /// An operator on plain values was used outside of any scope.
    #[error("no server is installed on this thread; use the operator in `integers.scope(..)`")]
    NoScope,
    /// The decrypted value is not in the range of the block: its noise exceeds its bound, or the
    /// sender stated a false range.
    ///
    /// The error does not contain the value. Like any answer of a decryption oracle, it must not
    /// reach the party that chose the ciphertext.
    #[error(
        "the decrypted value is not in {low}..={high}, the stated range of its block: its noise \
         exceeds its bound, or its sender stated a false range"
    )]
    DecryptedOutsideRange {
        /// Least value that the block may hold.
        low: i32,
        /// Greatest value that the block may hold.
        high: i32,
    },
    /// The type of the values is not the requested one.
    #[error("expected {expected}, got {}", type_name(*got))]
    TypeMismatch {
        /// The requested type.
        expected: ValueType,
        /// The type of the values; `None` for blocks without a type.
        got: Option<ValueType>,
    },
    /// The kernel named in the environment cannot be used.
    #[error(transparent)]
    Kernel(#[from] SelectError),
    /// A lookup table was refused, or a block as its argument.
    #[error(transparent)]
    Table(#[from] TableError),
    /// An operation on a list of TFHE values was refused.
    #[error(transparent)]
    List(#[from] ListError),
    /// An operation on exact integers was refused.
    #[error(transparent)]
    Wide(#[from] WideError),
}

/// A number in as many characters as it needs: large and small ones with an exponent.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Short(number) = *self;
        let plain = number == 0.0 || (1e-4..1e9).contains(&number.abs());
        if plain { write!(f, "{number}") } else { write!(f, "{number:e}") }
    }
}

fn type_name(ty: Option<ValueType>) -> String {
    ty.map_or_else(|| "blocks without a type".to_owned(), |ty| ty.to_string())
}
