//! The compatible mode: ciphertexts that the reference implementation reads, and the other way
//! round.
//!
//! A fresh encryption of `v` is `G_0 / R_0 + G_1 / R_1` with `G_0 = R_0 (v + m)`, `G_1 = -R_1 m`
//! and a random `m`: two *layers*, each with a seed of its own. `prf` computes the multiplicative
//! mask `R` of a seed; the unknowns of a polynomial here are the inverses `1 / R`.
//!
//! The reference spreads each `G` over weighted *edges* and gives every edge a *decoy* of 8192
//! bits. Neither plays a part in decryption, so [`Ciphertext`] does without, and
//! [`LayeredCiphertext`] has them: made at once by a [`Decorator`] or when a ciphertext is written
//! down.

mod decorate;
mod decoy;
mod edge;
mod hash;
mod key;
mod layered;
mod layers;
mod matrix;
mod permutation;
mod prf;

#[cfg(test)]
mod demonstrations;
#[cfg(test)]
mod tests;

pub use decorate::Decorator;
pub(crate) use decoy::Decoy;
pub use edge::{Edge, Sign};
pub use key::{CompatSecret, PublicKey};
pub use layered::LayeredCiphertext;
pub(crate) use layers::{Layer, Layers};

use super::mode::sealed::Sealed;
use super::{Fp, Mode};

/// The mode that the reference implementation can read.
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

/// Order of the subgroup whose elements weigh the edges; a prime that divides `p - 1`.
pub const SUBGROUP_ORDER: usize = 337;
/// Bits of a decoy: rows of the public matrix.
pub const DECOY_BITS: usize = 8192;
/// Columns of the public matrix.
pub const COLUMNS: usize = 16_384;
/// Ones in a column.
pub const COLUMN_WEIGHT: usize = 192;
/// Columns that a decoy sums up.
pub const DECOY_COLUMNS: usize = 128;
/// Bits of a decoy that are flipped after that.
pub const DECOY_FLIPS: usize = 128;
/// Bits of the secret vector under the parities.
pub const SECRET_BITS: usize = 4096;
/// Parities of the reference, of which 127 matter.
pub const SAMPLES: usize = 16_384;
/// A parity is flipped with probability one in this.
pub const NOISE_DENOMINATOR: u32 = 8;
/// Edges of a product layer, and signal edges of a fresh one.
pub const SIGNAL_EDGES: usize = 8;
/// Edges past which equal ones are merged.
pub const EDGE_BUDGET: usize = 1_200_000;
/// Entropy that the noise edges of a fresh layer are to have, in bits.
pub const NOISE_ENTROPY_BITS: f64 = 120.0;
/// What each level of planned depth adds to it.
pub const DEPTH_SLOPE_BITS: f64 = 16.0;
/// The share of that entropy that pairs of noise edges bring; triples bring the rest.
pub const PAIR_FRACTION: f64 = 0.55;

/// Words of a decoy.
pub(crate) const DECOY_WORDS: usize = DECOY_BITS / 64;

/// The powers of an element of the subgroup: `powers[i] = g^i`.
pub(crate) type Powers = [Fp; SUBGROUP_ORDER];
