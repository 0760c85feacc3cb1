//! Reasons why CKKS refuses operands, bounds, scales and results, and why a decryption is not
//! flooded.

/// The reason why CKKS refuses an operand or a result that may be outside of the assumed interval
/// or bound. It never holds the content of a slot.
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
    /// The difference of two numbers that are compared may exceed 1.
    #[error(
        "{operation} takes numbers whose bounds add up to at most 1, but these are {left:?} and \
         {right:?}; multiply both by one number with mul_scalar, or take the sign of a difference \
         that assume_magnitude promises"
    )]
    Difference {
        /// Name of the refused operation.
        operation: &'static str,
        /// Bound on the absolute values of the first operand.
        left: f64,
        /// Bound on those of the second operand.
        right: f64,
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
    /// An operand was said to be a vector that repeats in all slots, but some slots have no value.
    #[error(
        "{operation} takes a vector of {size} values that repeats in all slots, but slots without \
         a value hold {low:?} to {high:?}: the vector is there once; encode it with \
         LinearMap::pack or encode_repeated"
    )]
    NotPacked {
        /// Name of the refused operation.
        operation: &'static str,
        /// Number of values of the vector.
        size: usize,
        /// Least number that a slot without a value may hold.
        low: f64,
        /// Greatest number that it may hold.
        high: f64,
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

/// The reason why ciphertexts cannot be brought to the scale that an operation needs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// Operands have different scales, which the caller aligns, or which no level is left to align.
    #[error("operands have the scales {left:e} and {right:e}; {remedy}")]
    Mismatch {
        /// Scale of the left operand.
        left: f64,
        /// Scale of the right operand.
        right: f64,
        /// Change that makes the operation possible.
        remedy: &'static str,
    },
    /// No multiplication by an integer that a ciphertext can be multiplied by leads from one scale
    /// to the other.
    #[error(
        "no integer from 1 to 2^120 raises the scale {from:e} to {to:e}; rescale the operand of \
         the larger scale first, and lower levels with mod_switch_to"
    )]
    OutOfReach {
        /// Scale of the ciphertext.
        from: f64,
        /// Scale that the operation needs before it divides by a prime.
        to: f64,
    },
    /// A division by the last prime would leave a scale below 1.
    #[error(
        "rescaling would leave the scale {scale:e}, which is below 1; lower the level with \
         mod_switch_to, which keeps the scale"
    )]
    BelowOne {
        /// The scale after the division.
        scale: f64,
    },
    /// A product would have a scale above `2^500`: of messages so close to zero that the modulus
    /// does not limit the scale.
    #[error("the scale {scale:e} would exceed 2^500; rescale the operands first")]
    TooLarge {
        /// The scale of the product.
        scale: f64,
    },
}

/// The reason why a decryption was not flooded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FloodError {
    /// The plan holds data: its bounds may be claims of a sender.
    #[error(
        "the plan is not a simulation, so that its bounds may be claims of a sender; compute the \
         circuit with Evaluator::simulated and pass its result"
    )]
    NotSimulated,
    /// The parameters have bounds in the worst case, which a Gaussian does not keep.
    #[error(
        "the parameters bound errors in the worst case, which the Gaussian of a flooded decryption \
         exceeds with some probability; take parameters with a failure probability, such as 2^-128"
    )]
    WorstCase,
    /// The ciphertext is not what was planned.
    #[error(
        "the ciphertext has the {field} {got}, the plan has {planned}; simulate the circuit that \
         computed it, or refuse its sender"
    )]
    NotAsPlanned {
        /// The property that differs.
        field: &'static str,
        /// The value of the quantity in the plan.
        planned: f64,
        /// The value of the quantity in the ciphertext.
        got: f64,
    },
}
