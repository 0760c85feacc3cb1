//! BFV: exact integers modulo `t`, with automatic levels.
//!
//! Messages stand at the top of the modulus at the border ([`Ciphertext::to_msb`],
//! [`Params::from_msb`]); between, ciphertexts use the form that BGV uses too, in which products
//! are several times cheaper (docs/decisions/0001-one-core-for-bfv-and-bgv.md).

mod msb;
mod multiply;

use crate::rlwe::exact::{self, Levels, Scheme, sealed::Sealed};

/// The scheme of Brakerski, Fan and Vercauteren (eprint 2012/144).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bfv {}

impl Sealed for Bfv {}

impl Scheme for Bfv {
    const NAME: &'static str = "bfv";
    const LEVELS: Levels = Levels::Automatic;

    /// `-Q mod t`, which becomes `round(Q m / t)` at the border.
    fn fresh_factor(params: &Params, level: usize) -> u64 {
        msb::standard_factor(params, level)
    }
}

pub use exact::{Preset, Rotations, RowSwap, Spec};
pub use msb::MsbCiphertext;

/// Checked BFV parameters.
pub type Params = exact::Params<Bfv>;
/// A message.
pub type Plaintext = exact::Plaintext<Bfv>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = exact::Multiplicand<Bfv>;
/// A BFV ciphertext.
pub type Ciphertext = exact::Ciphertext<Bfv>;
/// The secret key.
pub type SecretKey = exact::SecretKey<Bfv>;
/// The public key.
pub type PublicKey = exact::PublicKey<Bfv>;
/// What an evaluator needs.
pub type EvaluationKeys = exact::EvaluationKeys<Bfv>;
/// Computes on BFV ciphertexts.
pub type Evaluator = exact::Evaluator<Bfv>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = exact::LinearMap<Bfv>;
/// A plaintext or ciphertext in the layout of a [`LinearMap`].
pub use exact::Packed;
/// Parameters found for a depth, and why these.
pub type Plan = exact::Plan<Bfv>;
