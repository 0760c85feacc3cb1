//! The types of exact integers.

use super::Wide;
use crate::rlwe;

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
