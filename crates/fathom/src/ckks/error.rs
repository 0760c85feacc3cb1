//! Why CKKS refuses operands, bounds and results.

/// Why CKKS refuses an operand or a result that may be outside of what is assumed of it. It never
/// holds the content of a slot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DomainError {
    /// A function is only defined on an interval which slots may exceed.
    #[error(
        "{operation} takes numbers from {low:?} to {high:?}, but slots may hold up to \
         {magnitude:?} in absolute value; rescale the input with mul_scalar, or promise a tighter \
         bound with assume_magnitude"
    )]
    Magnitude {
        /// Name of the refused operation.
        operation: &'static str,
        /// Least number that the function takes.
        low: f64,
        /// Greatest number that it takes.
        high: f64,
        /// Bound on the absolute values of the slots.
        magnitude: f64,
    },
    /// A function of real numbers was given slots that may be complex.
    #[error(
        "{operation} takes real numbers, but slots may be complex; encode numbers of type f64, or \
         take the real part with twice_real_part"
    )]
    Complex {
        /// Name of the refused operation.
        operation: &'static str,
    },
    /// Slots that no value was given for may hold numbers outside of the interval of a function.
    #[error(
        "{operation} takes numbers from {low:?} to {high:?}, but slots without a value hold \
         {padding_low:?} to {padding_high:?}; give them a number with encode_padded or \
         encode_repeated"
    )]
    Padding {
        /// Name of the refused operation.
        operation: &'static str,
        /// Least number that the function takes.
        low: f64,
        /// Greatest number that it takes.
        high: f64,
        /// Least number that a slot without a value may hold.
        padding_low: f64,
        /// Greatest number that it may hold.
        padding_high: f64,
    },
    /// A stated bound on absolute values is none.
    #[error(
        "{bound:?} is no bound on absolute values; state a finite number, zero or at least 2.3e-308"
    )]
    NotABound {
        /// The stated bound.
        bound: f64,
    },
    /// A number is infinite or not a number.
    #[error("number {index} of {operation} is infinite or not a number; give finite numbers")]
    NotFinite {
        /// Name of the refused operation.
        operation: &'static str,
        /// Position of the number among those given.
        index: usize,
    },
    /// A promise is known to be false of the slots that no value was given for.
    #[error(
        "absolute values of at most {promised:?} were promised, but slots without a value hold \
         {padding:?}; give them a number with encode_padded or encode_repeated"
    )]
    FalsePromise {
        /// The promised bound.
        promised: f64,
        /// The absolute value of the slots without a value.
        padding: f64,
    },
    /// A slot of a decryption exceeds a bound that relies on a promise.
    ///
    /// The error does not contain the value. Like any answer of a decryption oracle, it must not
    /// reach the party that chose the ciphertext.
    #[error(
        "a decrypted slot exceeds {magnitude:?}, which relies on the promise that slots were in \
         {low:?}..={high:?}: the promise was false, and nothing in the result can be relied on; \
         promise a larger bound with assume_magnitude"
    )]
    BrokenPromise {
        /// Least number of the narrowest promise.
        low: f64,
        /// Greatest number of the narrowest promise.
        high: f64,
        /// The bound on the absolute values of the slots, error included.
        magnitude: f64,
    },
}
