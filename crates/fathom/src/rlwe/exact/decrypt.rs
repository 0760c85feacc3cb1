//! Decryption, and the measure of noise that needs the secret.

use super::{Ciphertext, Plaintext, Scheme, SecretKey};
use crate::Error;
use fathom_ring::{Eval, Limbs, Poly, SecretPoly};

impl<S: Scheme> SecretKey<S> {
    /// Decrypts. Reads only as many residues as the noise bound makes necessary.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::NoiseExhausted`] if the bound is past the limit, as only
    /// a ciphertext from outside can be.
    pub fn decrypt(&self, ciphertext: &Ciphertext<S>) -> Result<Plaintext<S>, Error> {
        self.params.same(&ciphertext.params)?;
        let limbs = self.limbs_needed(ciphertext)?;
        let phase = self.phase(ciphertext, limbs);
        let mut coefficients = self.params.to_plain(limbs).apply(phase.expose());
        let t = self.params.plain().modulus();
        // The factor is a unit modulo the prime t: it is a product of units.
        let inverse = t.inverse(ciphertext.factor).unwrap_or(0);
        self.params.plain().scale(&mut coefficients, inverse);
        Ok(Plaintext::from_coefficients(&self.params, coefficients))
    }

    /// **Debug only**: bits between the largest coefficient of the phase and the limit, measured
    /// with the secret key.
    ///
    /// This leaks the secret if an attacker may choose ciphertexts and see the result. Programs use
    /// [`Ciphertext::noise_budget_bits`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn debug_noise_budget_bits(&self, ciphertext: &Ciphertext<S>) -> Result<f64, Error> {
        self.params.same(&ciphertext.params)?;
        let limbs = ciphertext.level() + 1;
        let phase = self.phase(ciphertext, limbs);
        let largest = phase.expose().clone().into_coeff().log2_largest_centred();
        Ok(self.params.log2_modulus(ciphertext.level()) - 1.0 - largest)
    }

    /// The least number of primes whose product exceeds twice the bound.
    fn limbs_needed(&self, ciphertext: &Ciphertext<S>) -> Result<usize, Error> {
        let budget = |limbs: &usize| self.params.context().budget_bits(ciphertext.noise, *limbs);
        let present = ciphertext.level() + 1;
        (1..=present).find(|limbs| budget(limbs) >= 0.0).ok_or_else(|| Error::NoiseExhausted {
            operation: "decrypt",
            level: ciphertext.level(),
            needed_bits: 0.0,
            left_bits: budget(&present),
            remedy: "take parameters of greater depth, for instance with Params::for_depth",
        })
    }

    /// `c0 + c1 s + c2 s^2` modulo the first primes.
    fn phase(&self, ciphertext: &Ciphertext<S>, limbs: usize) -> SecretPoly {
        let limbs = Limbs::chain(limbs);
        let s = self.s.expose();
        // Horner: (c2 s + c1) s + c0.
        let mut parts = ciphertext.parts.iter().rev();
        let last = parts.next().map(|p| p.restricted(limbs));
        let zero = || Poly::<Eval>::zero(s.ring(), limbs);
        let mut phase = SecretPoly::new(last.unwrap_or_else(zero));
        for part in parts {
            phase.expose_mut().mul_assign(s);
            phase.expose_mut().add_assign(part);
        }
        phase
    }
}
