//! The encoding over the core of ring schemes, and the types that this makes of theirs.

use super::{Content, Spec};
use crate::rlwe::{self, Encoding, Levels, sealed::Sealed};

/// Wide integers modulo `2^N + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {}

impl Sealed for Wide {}

impl Encoding for Wide {
    /// The factor of the message in the phase, and its width.
    type Meta = Content;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "int";
    const LEVELS: Levels = Levels::Automatic;

    fn remedy(_: Content, _: f64) -> &'static str {
        "choose the form and the parameters for the circuit with wide::Circuit::choose"
    }
}

/// The tables of exact integers.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
}

/// Checked parameters.
pub type Params = rlwe::Params<Wide>;
/// The encryption of one integer.
pub type Ciphertext = rlwe::Ciphertext<Wide>;
/// The secret key.
pub type SecretKey = rlwe::SecretKey<Wide>;
/// The public key.
pub type PublicKey = rlwe::PublicKey<Wide>;
/// The public keys of an evaluator.
pub type EvaluationKeys = rlwe::EvaluationKeys<Wide>;
/// Computes on encrypted integers.
pub type Evaluator = rlwe::Evaluator<Wide>;
