//! Encryption and decryption of integers.

use super::{Ciphertext, Params, Plaintext, PublicKey, SecretKey, Width};
use crate::Error;
use crate::rlwe::encrypt::Encoded;
use crate::rlwe::{Level, LimbCount};
use fathom_ring::{SecretCoefficients, SecretPoly, SecretRng};

impl SecretKey {
    /// Encrypts an integer. The result is seeded: its wire form holds one polynomial instead of
    /// two.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::NoiseExhausted`] if the parameters have no noise budget
    /// for it.
    pub fn encrypt(&self, plaintext: &Plaintext, rng: &mut SecretRng) -> Result<Ciphertext, Error> {
        self.params.same(plaintext.params())?;
        let level = self.params.top_level();
        let coefficients = digits(&self.params, plaintext, level);
        let message = encoded(plaintext, &coefficients, level);
        self.encrypt_encoded(&message, level, rng).checked("encrypt", &[])
    }

    /// Decrypts. Which primes it reads depends on the public noise bound only.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::NoiseExhausted`] if the noise
    /// bound is past the limit, as only a ciphertext from outside can have;
    /// [`ExactError::BeyondBound`](super::ExactError::BeyondBound) for an integer that is wider
    /// than the ciphertext claims.
    pub fn decrypt(&self, ciphertext: &Ciphertext) -> Result<Plaintext, Error> {
        self.own(ciphertext)?;
        let limbs = self.limbs_needed(ciphertext)?;
        let phase = self.phase(ciphertext, limbs);
        self.message(ciphertext, &phase)
    }

    fn message(&self, ciphertext: &Ciphertext, phase: &SecretPoly) -> Result<Plaintext, Error> {
        let mut coefficients = phase.expose().clone().into_coeff();
        let integers = coefficients.centred_integers();
        coefficients.wipe();
        let integers = integers.expect("parameters keep the chain below 126 bits");
        let value = self.params.evaluated(&integers);
        let value = self.params.scaled(&value, ciphertext.meta.factor.inverse());
        if let Width::Bits(bits) = ciphertext.meta.width {
            value.check_width(bits)?;
        }
        self.params.encode(value)
    }

    /// **Debug only**: returns the bits between the largest coefficient of the phase and the limit,
    /// measured with the secret key, for a ciphertext that is expected to hold the message `clear`.
    ///
    /// This leaks the secret if an attacker may choose ciphertexts and see the result. Programs use
    /// [`Ciphertext::noise_budget_bits`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::OtherMessage`] if the ciphertext
    /// holds another message than `clear`.
    pub fn debug_noise_budget_bits(
        &self,
        ciphertext: &Ciphertext,
        clear: &Plaintext,
    ) -> Result<f64, Error> {
        self.own(ciphertext)?;
        self.params.same(clear.params())?;
        let limbs: LimbCount = ciphertext.limb_count();
        let phase = self.phase(ciphertext, limbs);
        if self.message(ciphertext, &phase)? != *clear {
            return Err(Error::OtherMessage);
        }
        let largest = phase.expose().clone().into_coeff().log2_largest_centred();
        Ok(self.params.context().log2_modulus(ciphertext.limb_count()) - 1.0 - largest)
    }
}

impl PublicKey {
    /// Encrypts an integer under the public key.
    ///
    /// # Errors
    /// As [`SecretKey::encrypt`].
    pub fn encrypt(&self, plaintext: &Plaintext, rng: &mut SecretRng) -> Result<Ciphertext, Error> {
        self.params.same(plaintext.params())?;
        let level = self.params.top_level();
        let coefficients = digits(&self.params, plaintext, level);
        self.encrypt_encoded(&encoded(plaintext, &coefficients, level), rng).checked("encrypt", &[])
    }
}

fn digits(params: &Params, plaintext: &Plaintext, level: Level) -> SecretCoefficients {
    params.digits(&plaintext.value, params.fresh_factor(level))
}

fn encoded<'a>(
    plaintext: &Plaintext,
    coefficients: &'a SecretCoefficients,
    level: Level,
) -> Encoded<'a, super::Exact> {
    let params = &plaintext.params;
    let bound = params.bound_of_width(plaintext.value.bits());
    Encoded { coefficients, bound, meta: params.fresh_content(level, plaintext.value.bits()) }
}
