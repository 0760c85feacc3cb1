//! The types of vectors.

use super::Residues;
use crate::rlwe;

/// Checked parameters of vectors.
pub type VectorParams = rlwe::Params<Residues>;
/// The secret key of vectors.
pub type VectorSecretKey = rlwe::SecretKey<Residues>;
/// The public key of vectors.
pub type VectorPublicKey = rlwe::PublicKey<Residues>;
/// The public keys of an evaluator of vectors: one relinearisation key for all primes.
pub type VectorKeys = rlwe::EvaluationKeys<Residues>;
