//! The encoding over the core of ring schemes, which keeps the keys of vectors, and the types of
//! these keys.

use super::tables::VectorTables;
use crate::Error;
use crate::rlwe::{self, AlignedPair, Bounds, Encoding, Level, Levels, Mechanics, sealed::Sealed};

/// Wide integers modulo several primes, under keys that belong to none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residues {}

impl Sealed for Residues {}

/// The keys are those of the shared core with errors of factor 1. [`Vector`](super::Vector)
/// has its own operations.
impl Encoding for Residues {
    type Meta = ();
    type Facts = ();
    type Tables = VectorTables;

    const NAME: &'static str = "crt";
    const LEVELS: Levels = Levels::Explicit;
}

impl Mechanics for Residues {
    fn fresh_meta(_: &rlwe::Params<Residues>, _: Level) {}

    fn message_bound(params: &rlwe::Params<Residues>) -> Bounds {
        params.message_norms()
    }

    fn multiplied(_: &rlwe::Params<Residues>, (): (), (): ()) {}

    fn switched(_: &rlwe::Params<Residues>, (): (), _: Level, _: Level) {}

    fn aligned<'a>(
        evaluator: &rlwe::Evaluator<Residues>,
        a: &'a rlwe::Ciphertext<Residues>,
        b: &'a rlwe::Ciphertext<Residues>,
    ) -> Result<AlignedPair<'a, Residues>, Error> {
        evaluator.same_level(a, b)
    }
}

/// Checked parameters of vectors.
pub type VectorParams = rlwe::Params<Residues>;
/// The secret key of vectors.
pub type VectorSecretKey = rlwe::SecretKey<Residues>;
/// The public key of vectors.
pub type VectorPublicKey = rlwe::PublicKey<Residues>;
/// The public keys of an evaluator of vectors: one relinearisation key for all primes.
pub type VectorKeys = rlwe::EvaluationKeys<Residues>;
