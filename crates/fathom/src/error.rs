//! The errors of the library.

use crate::KeyId;
use crate::rlwe::Level;
use crate::tfhe::integer::ValueType;
use crate::wire::WireError;
use fathom_kernels::SelectError;
use fathom_security::{Insecure, InsecureKey};

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
    /// The error of a CKKS message would be too large for what is asked for.
    #[error(
        "{operation} allows an error of 2^{allowed_bits:.1} in a slot, the bound is \
         2^{error_bits:.1}; {remedy}"
    )]
    PrecisionExhausted {
        /// What was to be done.
        operation: &'static str,
        /// `log2` of the bound on the error of a slot.
        error_bits: f64,
        /// `log2` of the error that is allowed.
        allowed_bits: f64,
        /// What the caller can change.
        remedy: &'static str,
    },
    /// CKKS operands have different scales, and there is no level left to align them.
    #[error(
        "operands have the scales {left:e} and {right:e}; rescale the larger one, or multiply \
         before the last level"
    )]
    ScaleMismatch {
        /// Scale of the left operand.
        left: f64,
        /// Scale of the right operand.
        right: f64,
    },
    /// A number to be encoded is larger than the bound stated for it. The error does not contain
    /// the number.
    #[error(
        "value number {index} exceeds the magnitude {magnitude} in absolute value; state a larger \
         one with encode_within"
    )]
    MagnitudeExceeded {
        /// Position of the value among those given.
        index: usize,
        /// The bound.
        magnitude: f64,
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
    /// Values could exceed half of the product of the primes that hold them, and wrap around.
    #[error(
        "the results of {operation} can have {bits:.1} bits, but the primes hold \
         {limit_bits:.1}; plan the parameters for a circuit of more products or sums"
    )]
    ValuesExceedModuli {
        /// What was to be done.
        operation: &'static str,
        /// `log2` of the greatest absolute value of a result.
        bits: f64,
        /// `log2` of the greatest absolute value that is held.
        limit_bits: f64,
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
    /// A sum over slots was asked for none of them, or for more than there are.
    #[error("{operation} adds from 1 to {most} slots, not {count}")]
    SlotCount {
        /// What was to be done.
        operation: &'static str,
        /// The number of slots asked for.
        count: usize,
        /// The greatest number.
        most: usize,
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
    /// No parameter set has this name.
    #[error("no parameter set is named {name:?}; `Params::presets` returns all sets")]
    UnknownPreset {
        /// The name asked for.
        name: String,
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
    /// The divisor is zero.
    #[error("the divisor is zero")]
    DivisionByZero,
    /// More threads were requested than an evaluator or a pool of workers may start.
    #[error(
        "{threads} threads were asked for, the limit is {limit}; ask for one for each core, as \
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
    /// A key of the parameters has less than 128 bits of security.
    #[error(transparent)]
    InsecureKey(#[from] InsecureKey),
    /// The range of a block is not within the domain of the lookup table.
    #[error(
        "the block may hold {low}..={high}, the lookup table is defined on \
         {domain_low}..={domain_high}; refresh the block with a bootstrap first"
    )]
    OutsideDomain {
        /// Least value that the block may hold.
        low: i32,
        /// Greatest value that the block may hold.
        high: i32,
        /// Least argument of the table.
        domain_low: i32,
        /// Greatest argument of the table.
        domain_high: i32,
    },
    /// The noise of a block exceeds the limit of a bootstrap at the stated failure probability.
    #[error(
        "the block's noise variance is {noise_variance} times that of a bootstrap's output, a \
         bootstrap of {params} takes {limit}; refresh an operand with a bootstrap first"
    )]
    NoiseExceeded {
        /// Noise variance of the block, in units of the variance of a bootstrap's output.
        noise_variance: u32,
        /// The greatest noise variance that a bootstrap takes.
        limit: u32,
        /// Name of the parameter set.
        params: String,
    },
    /// A function cannot be a lookup table because `f(x) + f(x + half)` is not constant.
    #[error(
        "f({first}) + f({second}) differs from the same sum elsewhere: a lookup table over \
         {bits} bits needs one constant, because the torus turns f(x + {half}) into -f(x)"
    )]
    NotNegacyclic {
        /// One argument.
        first: i32,
        /// The argument `half` further.
        second: i32,
        /// Bits of the message space, the padding bit included.
        bits: u32,
        /// Half the number of messages.
        half: i32,
    },
    /// The domain of a lookup table does not fit the message space.
    #[error("the domain {low}..={high} does not fit {outputs} lookup table(s) over {bits} bits")]
    Domain {
        /// Least argument.
        low: i32,
        /// Greatest argument.
        high: i32,
        /// Number of functions evaluated at once.
        outputs: usize,
        /// Bits of the message space, the padding bit included.
        bits: u32,
    },
    /// Blocks do not form an encrypted integer or truth value.
    #[error(
        "expected {blocks} canonical block(s), each in 0..={top} with the noise of at most \
         {noise_variance} bootstraps; refresh blocks with a bootstrap first"
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
    /// An integer type has an even number of bits from 2 to 256.
    #[error("integers have an even number of bits from 2 to 256, not {bits}")]
    IntegerBits {
        /// The requested number of bits.
        bits: usize,
    },
    /// The type of a selection between two clear values is not known.
    #[error("both values are clear and their type is known at run time only: encrypt one of them")]
    TypeUnknown,
    /// An operator on plain values was used outside of any scope.
    #[error("no evaluator is installed on this thread: use the operator in `evaluator.scope(..)`")]
    NoScope,
    /// Two lists of an element-wise operation have different lengths.
    #[error("the lists have {left} and {right} elements; an element-wise operation needs as many")]
    LengthMismatch {
        /// Number of elements of one list.
        left: usize,
        /// Number of elements of the other.
        right: usize,
    },
    /// The operation is not defined for a list without elements.
    #[error("the list is empty; the operation needs at least one element")]
    EmptyList,
    /// The decrypted value is not in the range of the block: its noise exceeds its bound, or
    /// whoever sent the block stated a false range.
    ///
    /// The error does not contain the value. It is an answer of a decryption oracle like any other
    /// and must not reach whoever chose the ciphertext.
    #[error(
        "the value decrypted is not in {low}..={high}, the range of its block: its noise is past \
         its bound, or its sender made a false claim"
    )]
    DecryptedOutsideRange {
        /// Least value that the block may hold.
        low: i32,
        /// Greatest value that the block may hold.
        high: i32,
    },
    /// The values have another type than the requested one.
    #[error("expected {expected}, got {}", type_name(*got))]
    TypeMismatch {
        /// The requested type.
        expected: ValueType,
        /// The type of the values; `None` for blocks without a type.
        got: Option<ValueType>,
    },
    /// Packing into a compressed list needs a packing key, and the evaluator has none.
    #[error("the evaluator has no packing key; give it one with `Evaluator::with_packing_keys`")]
    MissingPackingKeys,
    /// Blocks past the end of a list were requested.
    #[error("blocks up to {end} were asked for, the list has {length}")]
    OutsideList {
        /// One past the last requested block.
        end: usize,
        /// Number of blocks in the list.
        length: usize,
    },
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
    DecryptedOutOfRange(&'static str),
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
}

fn type_name(ty: Option<ValueType>) -> String {
    ty.map_or_else(|| "blocks without a type".to_owned(), |ty| ty.to_string())
}
