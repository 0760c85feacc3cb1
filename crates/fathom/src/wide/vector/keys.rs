//! Evaluation keys of vectors.

use super::{VectorKeys, VectorSecretKey};
use crate::Error;
use crate::rlwe::{EvaluationKeys, Rotations};
use fathom_ring::SecretRng;

impl VectorSecretKey {
    /// Generates the relinearisation key and the keys for `rotations`, each of which serves all
    /// primes. Sums of the first `count` elements need [`Rotations::for_sum`], those of more than
    /// half of the capacity [`Rotations::for_slot_sum`].
    ///
    /// Parameters that are planned without relinearisation have no special prime and no keys.
    ///
    /// # Errors
    /// [`Error::Spec`] for rotations under such parameters.
    pub fn evaluation_keys(
        &self,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<VectorKeys, Error> {
        let empty = EvaluationKeys::empty(&self.params);
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
