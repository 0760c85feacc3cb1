//! Descriptions of parameters.

use crate::SecurityLevel;

/// A description of parameters, unchecked.
///
/// Sizes of primes are in bits, from 21 to 61: the largest ones below `2^bits` that fit are taken.
/// Sizes from 45.86 to 46 stand for the largest primes that the vector kernels support.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// A name for messages and result files.
    pub name: String,
    /// Ring degree `N`, a power of two from 256 to 2^16; there are `N/2` slots.
    pub degree: usize,
    /// Sizes in bits of the primes that remain at the end, one or more.
    pub base_bits: Vec<f64>,
    /// The number of products in a row.
    pub depth: usize,
    /// `log2` of the scale of a fresh ciphertext, and of the primes that products divide by.
    pub scale_bits: f64,
    /// Sizes in bits of the special primes.
    pub special_bits: Vec<f64>,
    /// Primes in a digit of key switching.
    pub digit_limbs: usize,
    /// The largest absolute value of a slot of a message, unless the encoder is told another.
    pub magnitude: f64,
    /// The security level to be met by the largest modulus.
    pub security: SecurityLevel,
    /// `log2` of the probability allowed that an error exceeds its bound, from -256 to -20,
    /// or [`WORST_CASE`](crate::WORST_CASE).
    pub failure_log2: f64,
}

impl Spec {
    /// Bytes of the longest name.
    pub(crate) const LONGEST_NAME: usize = 256;
}
