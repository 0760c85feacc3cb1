//! BGV: exact integers modulo `t`, with levels in the caller's hands.
//!
//! [`Evaluator::multiply`] ends one level lower; operands at different levels are refused until
//! [`Evaluator::mod_switch_to`] brings them together.

use crate::rlwe::exact::{self, Levels, Scheme, sealed::Sealed};

/// The scheme of Brakerski, Gentry and Vaikuntanathan (eprint 2011/277).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bgv {}

impl Sealed for Bgv {}

impl Scheme for Bgv {
    const NAME: &'static str = "bgv";
    const LEVELS: Levels = Levels::Explicit;

    fn fresh_factor(_: &Params, _: usize) -> u64 {
        1
    }
}

pub use exact::{Preset, Rotations, RowSwap, Spec};

/// Checked BGV parameters.
pub type Params = exact::Params<Bgv>;
/// A message.
pub type Plaintext = exact::Plaintext<Bgv>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = exact::Multiplicand<Bgv>;
/// A BGV ciphertext.
pub type Ciphertext = exact::Ciphertext<Bgv>;
/// The secret key.
pub type SecretKey = exact::SecretKey<Bgv>;
/// The public key.
pub type PublicKey = exact::PublicKey<Bgv>;
/// What an evaluator needs.
pub type EvaluationKeys = exact::EvaluationKeys<Bgv>;
/// Computes on BGV ciphertexts.
pub type Evaluator = exact::Evaluator<Bgv>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = exact::LinearMap<Bgv>;
/// A plaintext or ciphertext in the layout of a [`LinearMap`].
pub use exact::Packed;
/// Parameters found for a depth, and why these.
pub type Plan = exact::Plan<Bgv>;
