//! The refusals of scales that cannot be brought together or kept.

/// The largest scale of a ciphertext, `2^500`, so that products of two scales are numbers too.
pub(crate) const LARGEST_SCALE: f64 = f64::from_bits((1023 + 500) << 52);

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
