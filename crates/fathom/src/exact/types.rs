//! The types of exact integers.

use super::Exact;
use crate::rlwe;

/// Checked parameters.
pub type Params = rlwe::Params<Exact>;
/// The encryption of one integer.
pub type Ciphertext = rlwe::Ciphertext<Exact>;
/// The secret key.
pub type SecretKey = rlwe::SecretKey<Exact>;
/// The public key.
pub type PublicKey = rlwe::PublicKey<Exact>;
/// The public keys of an evaluator.
pub type EvaluationKeys = rlwe::EvaluationKeys<Exact>;
/// Computes on encrypted integers.
pub type Evaluator = rlwe::Evaluator<Exact>;
