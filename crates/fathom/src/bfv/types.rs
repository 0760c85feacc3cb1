//! The types of BFV.

use super::scheme::Bfv;
use crate::rlwe::{self, modular};

/// Checked BFV parameters.
pub type Params = rlwe::Params<Bfv>;
/// A message: a polynomial modulo `t`.
pub type Plaintext = modular::Plaintext<Bfv>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = modular::Multiplicand<Bfv>;
/// A BFV ciphertext.
pub type Ciphertext = rlwe::Ciphertext<Bfv>;
/// The secret key.
pub type SecretKey = rlwe::SecretKey<Bfv>;
/// The public key.
pub type PublicKey = rlwe::PublicKey<Bfv>;
/// The key that products need.
pub type RelinearizationKey = rlwe::RelinearizationKey<Bfv>;
/// The Galois keys: key switching keys of rotations.
pub type GaloisKeys = rlwe::GaloisKeys<Bfv>;
/// All keys of an evaluator.
pub type EvaluationKeys = rlwe::EvaluationKeys<Bfv>;
/// The party that computes on BFV ciphertexts.
pub type Evaluator = rlwe::Evaluator<Bfv>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = rlwe::LinearMap<Bfv>;
/// Parameters found for a circuit, with the reasons.
pub type Plan = modular::Plan<Bfv>;
