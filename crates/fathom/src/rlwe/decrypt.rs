//! The phase of a ciphertext under the secret key.

use super::{Ciphertext, Encoding, LimbCount, SecretKey, same_key};
use crate::Error;
use fathom_ring::SecretPoly;

impl<S: Encoding> SecretKey<S> {
    /// Refuses a ciphertext of other parameters or another key.
    pub(crate) fn check_key(&self, ciphertext: &Ciphertext<S>) -> Result<(), Error> {
        self.params.same(&ciphertext.params)?;
        same_key(self.id, ciphertext.key)
    }

    /// Returns the least number of primes whose product exceeds twice the noise bound.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`] if the bound is past the limit, as only a ciphertext from outside
    /// can be.
    pub(crate) fn limbs_needed(&self, ciphertext: &Ciphertext<S>) -> Result<LimbCount, Error> {
        let budget =
            |limbs: &LimbCount| self.params.context().model.budget_bits(ciphertext.noise, *limbs);
        let present = ciphertext.limb_count();
        present.up_to().find(|limbs| budget(limbs) >= 0.0).ok_or_else(|| Error::NoiseExhausted {
            operation: "decrypt",
            level: ciphertext.level(),
            needed_bits: 0.0,
            left_bits: budget(&present),
            remedy: S::remedy(ciphertext.meta, ciphertext.modulus_bits()),
        })
    }

    /// Returns `c0 + c1 s + c2 s^2` modulo the first primes.
    pub(crate) fn phase(&self, ciphertext: &Ciphertext<S>, limbs: LimbCount) -> SecretPoly {
        let limbs = limbs.chain();
        let s = self.s.expose();
        // Horner: (c2 s + c1) s + c0.
        let (last, rest) = ciphertext.parts.split_last().expect("a ciphertext has components");
        let mut phase = SecretPoly::new(last.restricted(limbs));
        for part in rest.iter().rev() {
            phase.expose_mut().mul_assign(s);
            phase.expose_mut().add_assign(part);
        }
        phase
    }
}
