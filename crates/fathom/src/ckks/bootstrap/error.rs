//! Why a bootstrapping is refused.

/// The reason why a ciphertext cannot be bootstrapped. It never holds the content of a slot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BootstrapError {
    /// The parameters leave no room for a bootstrapping.
    #[error("the parameters {name} cannot be bootstrapped; make them with Params::bootstrappable")]
    NoSet {
        /// Name of the parameters.
        name: String,
    },
    /// The evaluator has no keys of a bootstrapping.
    #[error("the evaluator has no keys of a bootstrapping; give it some with with_bootstrapping")]
    NoKeys,
    /// Slots may exceed the numbers that a bootstrapping takes: beyond them, the result would be
    /// wrong.
    #[error(
        "a bootstrapping takes slots of up to {limit:?} in absolute value, but they may hold up to \
         {magnitude:?}; multiply by a number below {factor:.3e} with mul_scalar, or promise a \
         tighter bound with assume_magnitude"
    )]
    Magnitude {
        /// Bound on the absolute values of the slots, errors included.
        magnitude: f64,
        /// Largest absolute value that is taken.
        limit: f64,
        /// The factor that brings the slots within the limit.
        factor: f64,
    },
    /// The error of the operand is too large for a bootstrapping to be of use.
    #[error(
        "a bootstrapping keeps the error of its operand, whose bound of 2^{error_bits:.1} exceeds \
         2^{allowed_bits:.1}; bootstrap earlier, or take a larger scale"
    )]
    Error {
        /// `log2` of the bound on the error of a slot.
        error_bits: f64,
        /// `log2` of the largest bound that is taken.
        allowed_bits: f64,
    },
}
