//! The encoding of BGV, and the types that it makes of those of the shared core.

use crate::rlwe::modular::{self, Modular, Tables};
use crate::rlwe::{self, Encoding, Level, Levels, sealed::Sealed};

/// The scheme of Brakerski, Gentry and Vaikuntanathan (eprint 2011/277).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bgv {}

impl Sealed for Bgv {}

impl Encoding for Bgv {
    type Meta = u64;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "bgv";
    const LEVELS: Levels = Levels::Explicit;
}

impl Modular for Bgv {
    fn fresh_factor(_: &Params, _: Level) -> u64 {
        1
    }
}

/// Checked BGV parameters.
pub type Params = rlwe::Params<Bgv>;
/// A message: a polynomial modulo `t`.
pub type Plaintext = modular::Plaintext<Bgv>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = modular::Multiplicand<Bgv>;
/// A BGV ciphertext.
pub type Ciphertext = rlwe::Ciphertext<Bgv>;
/// The secret key.
pub type SecretKey = rlwe::SecretKey<Bgv>;
/// The public key.
pub type PublicKey = rlwe::PublicKey<Bgv>;
/// The key that products need.
pub type RelinearizationKey = rlwe::RelinearizationKey<Bgv>;
/// The Galois keys: key switching keys of rotations.
pub type GaloisKeys = rlwe::GaloisKeys<Bgv>;
/// All keys of an evaluator.
pub type EvaluationKeys = rlwe::EvaluationKeys<Bgv>;
/// The party that computes on BGV ciphertexts.
pub type Evaluator = rlwe::Evaluator<Bgv>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = rlwe::LinearMap<Bgv>;
/// Parameters found for a circuit, with the reasons.
pub type Plan = modular::Plan<Bgv>;
