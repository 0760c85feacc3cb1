//! The refusals of integers that are too large.

/// The reason why an operation on exact integers was refused. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// An integer has a wider type than the parameters hold.
    #[error(
        "an integer has {bits} bits, the parameters hold {widest}; choose parameters of greater \
         degree"
    )]
    TooWide {
        /// Its width in bits.
        bits: u32,
        /// The greatest width.
        widest: u32,
    },
    /// Values could exceed half of the product of the primes that represent them, and wrap around.
    #[error(
        "the results of {operation} can have {bits:.1} bits, but the primes represent \
         {limit_bits:.1}; plan the parameters for a circuit of more products or sums"
    )]
    ValuesExceedModuli {
        /// Name of the refused operation.
        operation: &'static str,
        /// `log2` of the greatest absolute value of a result.
        bits: f64,
        /// `log2` of the greatest absolute value that the primes represent.
        limit_bits: f64,
    },
}
