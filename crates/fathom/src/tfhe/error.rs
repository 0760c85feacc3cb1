//! The errors of operations on TFHE ciphertexts.

use super::integer::WordType;
use crate::KeyId;

/// The reason why an operation was refused. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
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
        "the block's noise is {norm} times that of a fresh bootstrap's output (a variance), a \
         bootstrap of {params} takes {limit}; refresh an operand with a bootstrap first"
    )]
    NoiseExceeded {
        /// Noise variance of the block, in units of the variance of a bootstrap's output.
        norm: u32,
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
    /// A value to be encrypted, or a clear operand, is out of range. The error does not contain the
    /// value.
    #[error("the value is not in {low}..={high}")]
    ValueOutOfRange {
        /// Least value allowed.
        low: i128,
        /// Greatest value allowed.
        high: i128,
    },
    /// Blocks do not form an encrypted integer or truth value.
    #[error(
        "expected {blocks} canonical block(s), each in 0..={top} with noise of at most {norm} \
         bootstraps; refresh blocks with a bootstrap first"
    )]
    NotCanonical {
        /// Number of blocks of the type.
        blocks: usize,
        /// Greatest value of a block.
        top: i32,
        /// Greatest noise variance of a block, in units of the variance of a bootstrap's output.
        norm: u32,
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
    /// Objects that belong to different secret keys were combined.
    #[error("objects belong to different secret keys: {left} and {right}")]
    KeyMismatch {
        /// Identifier of one key.
        left: KeyId,
        /// Identifier of the other.
        right: KeyId,
    },
    /// A simulated block was combined with a ciphertext, or with an evaluator that has keys, or the
    /// reverse.
    #[error("a simulated block and a ciphertext were combined: neither stands for the other")]
    Simulated,
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
        expected: WordType,
        /// The type of the values; `None` for blocks without a type.
        got: Option<WordType>,
    },
    /// The divisor is a clear zero.
    #[error("the divisor is a clear zero")]
    DivisionByZero,
    /// Objects of different parameter sets were combined.
    #[error("objects belong to different parameter sets: {left} and {right}")]
    ParamsMismatch {
        /// Name of one set.
        left: String,
        /// Name of the other.
        right: String,
    },
    /// A field of a parameter description is out of range.
    #[error("parameter {field}: {reason}")]
    Spec {
        /// The field.
        field: &'static str,
        /// The bound.
        reason: String,
    },
    /// Packing into a compressed list needs a packing key, and the evaluator has none.
    #[error("the evaluator has no packing key; give it one with `Evaluator::with_packing_key`")]
    PackingKey,
    /// Blocks past the end of a list were requested.
    #[error("blocks up to {end} were asked for, the list has {length}")]
    OutsideList {
        /// One past the last requested block.
        end: usize,
        /// Number of blocks in the list.
        length: usize,
    },
    /// The ring could not be built.
    #[error(transparent)]
    Ring(#[from] fathom_ring::Error),
    /// More threads were requested than an evaluator may start.
    #[error(
        "{threads} threads were asked for, an evaluator has at most {limit}; ask for one for each \
         core, as `std::thread::available_parallelism` counts them"
    )]
    TooManyThreads {
        /// The requested number.
        threads: usize,
        /// [`crate::MAX_THREADS`].
        limit: usize,
    },
    /// The operating system did not provide the threads.
    #[error("the threads of the evaluator could not be started: {0}")]
    Threads(String),
    /// A key of the parameters has less than 128 bits of security.
    #[error(transparent)]
    Insecure(#[from] fathom_security::InsecureKey),
}

fn type_name(ty: Option<WordType>) -> String {
    ty.map_or_else(|| "blocks without a type".to_owned(), |ty| ty.to_string())
}
