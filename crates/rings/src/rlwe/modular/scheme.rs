//! The schemes that compute exactly on integers modulo `t`: what distinguishes one from another,
//! the tables of their encoding, and the description that parameters are made from.

use crate::SecurityLevel;
use crate::rlwe::{Encoding, Level, Params};
use fathom_ring::{Gadget, PlainRing, Ring, ToPlain};
use std::sync::{Arc, OnceLock};

/// A scheme that computes exactly on integers modulo `t`: BFV or BGV.
pub trait Modular: Encoding<Meta = u64, Facts = (), Tables = Tables> {
    /// Returns the factor modulo `t` with which a fresh encryption at a level holds its message.
    #[doc(hidden)]
    fn fresh_factor(params: &Params<Self>, level: Level) -> u64;
}

/// The tables of the encoding modulo `t`: the transform of slots, and the maps to residues that
/// decryption takes.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
    pub(super) plain: PlainRing,
    /// The ring with data, also where a simulation shares these tables.
    pub(super) ring: Arc<Ring>,
    /// The map to residues modulo `t`, by the number of limbs less one, made on first use.
    pub(super) to_plain: Vec<OnceLock<ToPlain>>,
}

/// A description of parameters, unchecked.
///
/// Primes are described by their size in bits, from 14 to 61: the largest ones below `2^bits` that
/// fit are taken. Sizes from 45.86 to 46 stand for the largest primes that the vector kernels
/// support; with a larger prime, everything runs on the portable kernel, several times slower.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// A name for messages and result files.
    pub name: String,
    /// Ring degree `N`, a power of two from 64 to 2^17.
    pub degree: usize,
    /// Plaintext modulus `t`, an odd prime.
    pub plain_modulus: u64,
    /// Sizes in bits of the chain primes, the last one to remain first.
    pub chain_bits: Vec<f64>,
    /// Sizes in bits of the special primes of the hybrid gadget.
    pub special_bits: Vec<f64>,
    /// Decomposition of the operand of key switching.
    pub gadget: Gadget,
    /// Nonzero coefficients of a sparse ternary secret; `None` for a uniform ternary one.
    pub secret_weight: Option<u32>,
    /// The security level to be met by the largest modulus.
    pub security: SecurityLevel,
    /// `log2` of the probability allowed that a ciphertext within its bound decrypts wrongly, from
    /// -256 to -20, or [`WORST_CASE`](crate::WORST_CASE).
    pub failure_log2: f64,
}

impl Spec {
    /// Bytes of the longest name.
    pub(crate) const LONGEST_NAME: usize = 256;
}
