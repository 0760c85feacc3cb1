//! The compatible mode, whose ciphertexts can be exchanged with the reference implementation in
//! both directions.
//!
//! A fresh encryption of `v` is `G_0 / R_0 + G_1 / R_1` with `G_0 = R_0 (v + m)`, `G_1 = -R_1 m`
//! and a random `m`. These are two *layers*, each with its own seed. `prf` computes the
//! multiplicative mask `R` of a seed; the variables of a polynomial in this mode are the inverses
//! `1 / R`.
//!
//! The reference splits each `G` into weighted *edges* and gives every edge a *decoy* of 8192 bits.
//! Decryption needs neither, so [`Ciphertext`] omits both. [`LayeredCiphertext`] has them; a
//! [`Decorator`] makes them during the computation or when a ciphertext is written to a file.
//!
//! Both hold a polynomial in normal form. [`UnmergedCiphertext`] is what the reference holds
//! instead: every layer and every edge of the computation.

mod decorate;
mod decoy;
mod edge;
mod hash;
mod key;
mod layered;
mod layers;
mod matrix;
mod normal_form;
mod permutation;
mod prf;
mod sign;
mod unmerged;

#[cfg(test)]
mod demonstrations;
#[cfg(test)]
mod tests;

pub use decorate::Decorator;
pub(crate) use decoy::Decoy;
pub use edge::Edge;
pub use key::{CompatSecret, PublicKey};
pub use layered::LayeredCiphertext;
pub(crate) use layers::{Layer, Layers};
pub use sign::Sign;
pub use unmerged::UnmergedCiphertext;

use super::mode::sealed::Sealed;
use super::{Fp, Mode};

/// The mode that is compatible with the reference implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compat;

impl Sealed for Compat {}

impl Mode for Compat {
    const NAME: &'static str = "compat";
    const SCHEME: &'static str = "hfhc";
    type Secret = CompatSecret;
}

/// A ciphertext of the compatible mode, without edges and decoys.
pub type Ciphertext = super::Ciphertext<Compat>;
/// A secret key of the compatible mode.
pub type SecretKey = super::SecretKey<Compat>;

/// Length of a ciphertext file of the reference before its first ciphertext, in bytes.
pub const REFERENCE_HEADER_BYTES: usize = 16;

/// Order of the subgroup whose elements are factors of the edges; a prime that divides `p - 1`.
pub(crate) const SUBGROUP_ORDER: usize = 337;
/// Number of bits of a decoy, which is the number of rows of the public matrix.
pub(crate) const DECOY_BITS: usize = 8192;
/// Number of columns of the public matrix.
pub const COLUMNS: usize = 16_384;
/// Number of ones in a column.
pub(crate) const COLUMN_WEIGHT: usize = 192;
/// Number of columns that a decoy is the sum of.
pub(crate) const DECOY_COLUMNS: usize = 128;
/// Number of bits of the sum that are flipped.
pub(crate) const DECOY_FLIPS: usize = 128;
/// Number of bits of the secret vector for the parities.
pub(crate) const SECRET_BITS: usize = 4096;
/// Number of parities in the reference, of which 127 affect the mask.
pub const SAMPLES: usize = 16_384;
/// The reciprocal of the probability that a parity is flipped.
pub(crate) const NOISE_DENOMINATOR: u32 = 8;
/// Number of edges of a product layer, and of signal edges of a fresh layer.
pub const SIGNAL_EDGES: usize = 8;
/// Number of edges beyond which equal ones are merged.
pub(crate) const EDGE_BUDGET: usize = 1_200_000;
/// Planned entropy of the noise edges of a fresh layer, in bits.
pub(crate) const NOISE_ENTROPY_BITS: f64 = 120.0;
/// Additional entropy for each level of planned depth, in bits.
pub(crate) const DEPTH_SLOPE_BITS: f64 = 16.0;
/// Share of the entropy that pairs of noise edges contribute; triples contribute the rest.
pub(crate) const PAIR_FRACTION: f64 = 0.55;

/// Number of words in a decoy.
pub(crate) const DECOY_WORDS: usize = DECOY_BITS / 64;

/// The powers of an element of the subgroup: `powers[i] = g^i`.
pub(crate) type Powers = [Fp; SUBGROUP_ORDER];
