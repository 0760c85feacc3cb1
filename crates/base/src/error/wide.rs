//! The refusals of integers that are out of range.

/// The reason why an operation on exact integers was refused. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WideError {
    /// An integer has a wider type than the parameters hold.
    #[error(
        "an integer has {bits} bits, the parameters hold {widest}; choose parameters of greater \
         degree"
    )]
    TooWide {
        /// Width of the integer in bits.
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
    /// The result of single integers could wrap around modulo `2^N + 1`.
    #[error(
        "the result of {operation} can have {bits:.1} bits, the parameters hold {widest}; choose \
         parameters of greater degree, or mark an operand with Ciphertext::wrapping"
    )]
    Overflow {
        /// Name of the refused operation.
        operation: &'static str,
        /// `log2` of the greatest absolute value of the result.
        bits: f64,
        /// `log2` of the greatest absolute value that the parameters hold.
        widest: u32,
    },
    /// An integer is not below the power of two that was stated for it.
    #[error("the integer is not below 2^{bits}; state more bits in encode_within")]
    BeyondWidth {
        /// The stated bits.
        bits: u32,
    },
    /// An element of a vector exceeds the bound for which the parameters were planned.
    #[error(
        "element number {index} exceeds 2^{bits}, for which the parameters are planned; plan a \
         circuit with larger input_bits"
    )]
    BeyondPlan {
        /// Position of the element.
        index: usize,
        /// `Circuit::input_bits` of the plan.
        bits: u32,
    },
    /// A decrypted integer exceeds the bound that its ciphertext carries.
    ///
    /// Like any answer of a decryption oracle, it must not reach the party that chose the
    /// ciphertext.
    #[error(
        "the decrypted integer exceeds 2^{bits:.1}, the bound of its ciphertext: its sender stated \
         a false bound"
    )]
    BeyondBound {
        /// `log2` of the bound.
        bits: f64,
    },
}
