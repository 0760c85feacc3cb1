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
    /// The domain of a lookup table does not fit the message space.
    #[error(
        "the domain {low}..={high} does not fit {outputs} lookup table(s) over {bits} bits; reduce \
         the domain or the number of tables"
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
