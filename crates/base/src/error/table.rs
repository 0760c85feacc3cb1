//! The refusals of lookup tables.

/// The reason why a lookup table was refused, or a block as its argument.
///
/// It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The range of a block is not within the domain of the lookup table.
    #[error(
        "the block may hold {low}..={high}, but the lookup table is defined on \
         {domain_low}..={domain_high}; bootstrap its terms before they are added, or take a table \
         on a larger domain"
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
    /// A function cannot be a lookup table because `f(x) + f(x + half)` is not constant.
    #[error(
        "f({first}) + f({second}) differs from other sums f(x) + f(x + {half}): over {bits} bits \
         they must be equal, because a blind rotation negates the second half; define f on one half"
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
    /// A lookup table was requested without a function.
    #[error("a lookup table has at least one function")]
    NoFunction,
    /// Functions are to share a table side by side, and their number is not a power of two.
    #[error(
        "{functions} functions cannot share a table side by side, but 1, 2, 4 and so on up to \
         {most} can; use Lut::multi_value for any other number"
    )]
    FunctionCount {
        /// Number of functions.
        functions: usize,
        /// The greatest number.
        most: usize,
    },
    /// A value of a function is too large for a table.
    #[error("the function's value at {argument} is not in {low}..={limit}", low = -*limit)]
    ValueTooLarge {
        /// The first argument with such a value.
        argument: i32,
        /// The greatest absolute value.
        limit: i32,
    },
    /// The constant of a negacyclic table is too large.
    #[error("the constant of the table is not in {low}..={limit}", low = -*limit)]
    ConstantTooLarge {
        /// The greatest absolute value.
        limit: i32,
    },
    /// A table has no output of this number.
    #[error("output {index} of a table of {outputs} function(s) was requested")]
    NoSuchOutput {
        /// The requested number, from 0 on.
        index: usize,
        /// Number of functions.
        outputs: usize,
    },
    /// The domain of a lookup table does not fit the message space.
    #[error(
        "the domain {low}..={high} does not fit {outputs} lookup table(s) over {bits} bits; reduce \
         the domain or the number of tables, or use Lut::multi_value"
    )]
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
}
