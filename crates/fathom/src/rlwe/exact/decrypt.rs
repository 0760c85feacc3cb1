//! Decryption, and the measure of noise that needs the secret.

use super::evaluator::same_key;
use super::{Ciphertext, Plaintext, Scheme, SecretKey};
use crate::Error;
use fathom_ring::{Eval, Limbs, Poly, SecretPoly};

impl<S: Scheme> SecretKey<S> {
    /// Decrypts. Reads only as many residues as the noise bound makes necessary.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::NoiseExhausted`] if the bound is
    /// past the limit, as only a ciphertext from outside can be.
    pub fn decrypt(&self, ciphertext: &Ciphertext<S>) -> Result<Plaintext<S>, Error> {
        self.own(ciphertext)?;
        let limbs = self.limbs_needed(ciphertext)?;
        let phase = self.phase(ciphertext, limbs);
        Ok(self.message(ciphertext, &phase, limbs))
    }

    /// The message in a phase modulo the first primes.
    fn message(
        &self,
        ciphertext: &Ciphertext<S>,
        phase: &SecretPoly,
        limbs: usize,
    ) -> Plaintext<S> {
        let mut coefficients = self.params.to_plain(limbs).apply(phase.expose());
        let t = self.params.plain().modulus();
        let inverse = t.inverse(ciphertext.factor);
        let inverse = inverse.expect("a factor is a product of units modulo the prime t");
        self.params.plain().scale(&mut coefficients, inverse);
        Plaintext::from_coefficients(&self.params, coefficients)
    }

    /// Refuses a ciphertext of other parameters or another key.
    fn own(&self, ciphertext: &Ciphertext<S>) -> Result<(), Error> {
        self.params.same(&ciphertext.params)?;
        same_key(self.id, ciphertext.key)
    }

    /// **Debug only**: bits between the largest coefficient of the phase and the limit, measured
    /// with the secret key, for a ciphertext that shall hold the message `clear`.
    ///
    /// A phase past the limit wraps around and looks small again; it then holds another message, by
    /// which it is told.
    ///
    /// This leaks the secret if an attacker may choose ciphertexts and see the result. Programs use
    /// [`Ciphertext::noise_budget_bits`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::OtherMessage`] if the ciphertext
    /// holds another message than `clear`.
    pub fn debug_noise_budget_bits(
        &self,
        ciphertext: &Ciphertext<S>,
        clear: &Plaintext<S>,
    ) -> Result<f64, Error> {
        self.own(ciphertext)?;
        self.params.same(clear.params())?;
        let limbs = ciphertext.level() + 1;
        let phase = self.phase(ciphertext, limbs);
        if self.message(ciphertext, &phase, limbs) != *clear {
            return Err(Error::OtherMessage);
        }
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
