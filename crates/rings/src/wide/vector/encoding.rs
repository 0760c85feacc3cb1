//! The encoding over the core of ring schemes, which keeps the keys of vectors, the types of these
//! keys, and their generation.

use super::tables::VectorTables;
use crate::Error;
use crate::rlwe::sealed::Sealed;
use crate::rlwe::{
    self, AlignedPair, Bounds, Encoding, EvaluationKeys, Level, Levels, Mechanics, Rotations,
};
use fathom_ring::SecretRng;

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
pub type VectorKeys = EvaluationKeys<Residues>;

impl VectorSecretKey {
    /// Generates the relinearisation key and the keys for `rotations`, each of which serves all
    /// primes, and an encryption of zero, which masks results without a mask of their own. Sums of
    /// the first `count` elements need [`Rotations::for_sum`], those of more than half of the
    /// capacity [`Rotations::for_slot_sum`].
    ///
    /// Parameters that are planned without relinearisation have no special prime, and no keys but
    /// the encryption of zero.
    ///
    /// # Errors
    /// [`Error::Spec`] for rotations under such parameters.
    pub fn evaluation_keys(
        &self,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<VectorKeys, Error> {
        let zero = self.zero_encryption(rng);
        let empty = EvaluationKeys::empty(&self.params).with_zero(zero)?;
        if self.params.context().special_count() == 0 {
            if *rotations == Rotations::none() {
                return Ok(empty);
            }
            let reason = "there is none, which rotations need; plan with Circuit::sum_slots";
            return Err(Error::Spec { field: "special", reason: reason.to_owned() });
        }
        let relinearization = self.relinearization_key(rng);
        let tables = &relinearization.switching.vector;
        let galois = self.galois_keys_like(Some(tables), &self.elements_of(rotations), rng);
        empty.with_relinearization_key(&relinearization)?.with_galois_keys(&galois)
    }
}
