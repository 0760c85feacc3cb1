//! Why an operation on torus ciphertexts was refused.

use super::integer::WordType;
use crate::KeyId;

/// Why an operation was refused. Never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The values a block may hold are not all in the domain of the lookup table.
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
    /// The noise of a block is past what a bootstrap takes at the stated failure probability.
    #[error(
        "the block's noise is {norm} times that of a fresh bootstrap's output (a variance), a \
         bootstrap of {params} takes {limit}; refresh an operand with a bootstrap first"
    )]
    NoiseExceeded {
        /// Variance of the block's noise, in units of a bootstrap's output.
        norm: u32,
        /// The most that a bootstrap takes.
        limit: u32,
        /// Name of the parameter set.
        params: String,
    },
    /// A function cannot be a lookup table because `f(x + half) = constant - f(x)` does not hold.
    #[error(
        "f({first}) + f({second}) differs from the same sum elsewhere: a lookup table over \
         {bits} bits needs one constant, because the torus turns f(x + {half}) into -f(x)"
    )]
    NotNegacyclic {
        /// One argument.
        first: i32,
        /// The argument half a turn further.
        second: i32,
        /// Bits of the message space, the padding bit included.
        bits: u32,
        /// Half a turn.
        half: i32,
    },
    /// The domain of a lookup table does not fit the message space.
    #[error("the domain {low}..={high} does not fit {outputs} lookup table(s) over {bits} bits")]
    Domain {
        /// Least argument.
        low: i32,
        /// Greatest argument.
        high: i32,
        /// Functions evaluated at once.
        outputs: usize,
        /// Bits of the message space, the padding bit included.
        bits: u32,
    },
    /// A value to be encrypted, or a clear operand, is out of range. The value is not shown.
    #[error("the value is not in {low}..={high}")]
    ValueOutOfRange {
        /// Least value allowed.
        low: i128,
        /// Greatest value allowed.
        high: i128,
    },
    /// Blocks cannot be those of an encrypted integer or truth value.
    #[error(
        "expected {blocks} canonical block(s), each in 0..={top} with noise of at most {norm} \
         bootstraps; refresh blocks with a bootstrap first"
    )]
    NotCanonical {
        /// Blocks of the type.
        blocks: usize,
        /// Greatest value of a block.
        top: i32,
        /// Greatest variance of a block's noise, in units of a bootstrap's output.
        norm: u32,
    },
    /// A clear operand does not fit the type of the encrypted one. The value is not shown.
    #[error(
        "the clear value does not fit {bits} bits ({})",
        if *signed { "signed" } else { "unsigned" }
    )]
    ClearOutOfRange {
        /// Bits of the type.
        bits: usize,
        /// Whether the type is signed.
        signed: bool,
    },
    /// Objects of different secret keys were combined.
    #[error("objects belong to different secret keys: {left} and {right}")]
    KeyMismatch {
        /// Identifier of one key.
        left: KeyId,
        /// Identifier of the other.
        right: KeyId,
    },
    /// A simulated block was combined with a ciphertext, or one with an evaluator of the other.
    #[error("a simulated block and a ciphertext were combined: neither stands for the other")]
    Simulated,
    /// The value decrypted is not one that the block may hold: noise past its bound, or a false
    /// claim of whoever sent the block. The value is not shown; the error is an answer of a
    /// decryption oracle like any other and must not reach whoever chose the ciphertext.
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
    /// The values are of another type than the one asked for.
    #[error("expected {expected}, got {}", type_name(*got))]
    TypeMismatch {
        /// The type asked for.
        expected: WordType,
        /// The type there is; none for blocks without a type.
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
    /// Packing into compressed lists needs a key that the evaluator does not have.
    #[error("the evaluator has no packing key; give it one with `Evaluator::with_packing_key`")]
    PackingKey,
    /// Blocks past the end of a list were asked for.
    #[error("blocks up to {end} were asked for, the list has {length}")]
    OutsideList {
        /// One past the last block asked for.
        end: usize,
        /// Blocks of the list.
        length: usize,
    },
    /// The ring cannot be built.
    #[error(transparent)]
    Ring(#[from] fathom_ring::Error),
    /// More threads were asked for than an evaluator starts.
    #[error(
        "{threads} threads were asked for, an evaluator has at most {limit}; ask for one for each \
         core, as `std::thread::available_parallelism` counts them"
    )]
    TooManyThreads {
        /// The number asked for.
        threads: usize,
        /// [`crate::MAX_THREADS`].
        limit: usize,
    },
    /// The operating system gave no threads.
    #[error("the threads of the evaluator could not be started: {0}")]
    Threads(String),
    /// A key of the parameters is below 128 bits.
    #[error(transparent)]
    Insecure(#[from] fathom_security::InsecureKey),
}

fn type_name(ty: Option<WordType>) -> String {
    ty.map_or_else(|| "blocks without a type".to_owned(), |ty| ty.to_string())
}
