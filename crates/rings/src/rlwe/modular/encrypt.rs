//! Encryption and decryption of plaintexts modulo `t`, and the measure of noise that needs the
//! secret.

use super::{Modular, Plaintext};
use crate::Error;
use crate::rlwe::encrypt::Encoded;
use crate::rlwe::{Ciphertext, Level, LimbCount, PublicKey, SecretKey};
use fathom_ring::{SecretPoly, SecretRng};

/// Encrypts under the secret key. The caller checks level and noise.
pub(super) fn encrypt_sk<S: Modular>(
    secret: &SecretKey<S>,
    plaintext: &Plaintext<S>,
    level: Level,
    rng: &mut SecretRng,
) -> Result<Ciphertext<S>, Error> {
    let params = &secret.params;
    params.same(plaintext.params())?;
    let meta = S::fresh_factor(params, level);
    let (coefficients, bound) = (plaintext.scaled(meta), params.message_norms());
    Ok(secret.encrypt_encoded(&Encoded { coefficients: &coefficients, bound, meta }, level, rng))
}

/// Encrypts under the public key. The caller checks the noise.
pub(super) fn encrypt_pk<S: Modular>(
    public: &PublicKey<S>,
    plaintext: &Plaintext<S>,
    rng: &mut SecretRng,
) -> Result<Ciphertext<S>, Error> {
    let params = &public.params;
    params.same(plaintext.params())?;
    let meta = S::fresh_factor(params, params.top_level());
    let (coefficients, bound) = (plaintext.scaled(meta), params.message_norms());
    Ok(public.encrypt_encoded(&Encoded { coefficients: &coefficients, bound, meta }, rng))
}

impl<S: Modular> SecretKey<S> {
    /// Decrypts a ciphertext of the key.
    pub(super) fn opened(&self, ciphertext: &Ciphertext<S>) -> Result<Plaintext<S>, Error> {
        let limbs = self.limbs_needed(ciphertext)?;
        let phase = self.phase(ciphertext, limbs);
        Ok(self.message(ciphertext, &phase, limbs))
    }

    /// Returns the message in a phase modulo the first primes.
    fn message(
        &self,
        ciphertext: &Ciphertext<S>,
        phase: &SecretPoly,
        limbs: LimbCount,
    ) -> Plaintext<S> {
        let mut coefficients = self.params.to_plain(limbs).apply(phase.expose());
        let t = self.params.plain().modulus();
        let inverse = t.inverse(ciphertext.meta);
        let inverse = inverse.expect("a factor is a product of units modulo the prime t");
        self.params.plain().scale(&mut coefficients, inverse);
        Plaintext::from_coefficients(&self.params, coefficients)
    }

    /// **Debug only**: returns the bits between the largest coefficient of the phase and the limit,
    /// measured with the secret key, for a ciphertext that is expected to hold the message `clear`.
    ///
    /// A phase past the limit wraps around and looks small again. It then holds another message
    /// than `clear`, which is how it is detected.
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
        self.check_key(ciphertext)?;
        self.params.same(clear.params())?;
        let limbs = ciphertext.limb_count();
        let phase = self.phase(ciphertext, limbs);
        if self.message(ciphertext, &phase, limbs) != *clear {
            return Err(Error::OtherMessage);
        }
        let largest = phase.expose().clone().into_coeff().log2_largest_centered();
        Ok(self.params.context().model.log2_modulus(ciphertext.limb_count()) - 1.0 - largest)
    }
}
