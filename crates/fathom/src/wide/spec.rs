//! Descriptions of parameters.

use crate::SecurityLevel;
use fathom_ring::Gadget;

/// The algorithm that multiplies ciphertexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// The product of the phases. It is the cheapest, but consumes the modulus in two or three
    /// products.
    Tensor,
    /// The product of the phases divided by the modulus. Each product adds about the same number of
    /// bits of noise, whatever the noise of its operands.
    ScaleInvariant,
}

/// A description of parameters, unchecked. Primes are described by their size in bits, from 14 to
/// 45.86: the largest ones below `2^bits` that fit are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// A name for messages and result files.
    pub name: String,
    /// Ring degree `N`, a power of two from 1024 to 2^17. Messages are integers modulo `2^N + 1`.
    pub degree: usize,
    /// Sizes in bits of the chain primes, at most 4.
    pub chain_bits: Vec<f64>,
    /// Sizes in bits of the special primes.
    pub special_bits: Vec<f64>,
    /// Decomposition of the operand of key switching.
    pub gadget: Gadget,
    /// Algorithm that multiplies ciphertexts.
    pub product: Product,
    /// The security level to be met by the largest modulus.
    pub security: SecurityLevel,
    /// `log2` of the probability allowed that a ciphertext within its bound decrypts wrongly.
    pub failure_log2: f64,
}

impl Spec {
    /// Bytes of the longest name.
    pub(crate) const LONGEST_NAME: usize = 256;
}
