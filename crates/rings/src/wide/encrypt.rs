//! Encryption and decryption of integers, the stand-ins of encryptions in simulations, and the keys
//! of an evaluator, which have no slots to rotate.

use super::{
    Ciphertext, EvaluationKeys, Evaluator, Params, Plaintext, PublicKey, SecretKey, Wide, Width,
};
use crate::Error;
use crate::rlwe::encrypt::Encoded;
use crate::rlwe::{Encryption, Fresh, Level, LimbCount, Rotations};
use fathom_ring::{SecretCoefficients, SecretPoly, SecretRng};

/// Encrypts under the secret key. The caller checks level and noise.
pub(super) fn encrypt_sk(
    secret: &SecretKey,
    plaintext: &Plaintext,
    level: Level,
    rng: &mut SecretRng,
) -> Result<Ciphertext, Error> {
    secret.params.same(plaintext.params())?;
    let coefficients = digits(&secret.params, plaintext, level);
    Ok(secret.encrypt_encoded(&encoded(plaintext, &coefficients, level), level, rng))
}

/// Encrypts under the public key. The caller checks the noise.
pub(super) fn encrypt_pk(
    public: &PublicKey,
    plaintext: &Plaintext,
    rng: &mut SecretRng,
) -> Result<Ciphertext, Error> {
    public.params.same(plaintext.params())?;
    let level = public.params.top_level();
    let coefficients = digits(&public.params, plaintext, level);
    Ok(public.encrypt_encoded(&encoded(plaintext, &coefficients, level), rng))
}

impl SecretKey {
    /// Decrypts a ciphertext of the key. Which primes it reads depends on the public noise bound
    /// only.
    pub(super) fn opened(&self, ciphertext: &Ciphertext) -> Result<Plaintext, Error> {
        let limbs = self.limbs_needed(ciphertext)?;
        let phase = self.phase(ciphertext, limbs);
        self.message(ciphertext, &phase)
    }

    fn message(&self, ciphertext: &Ciphertext, phase: &SecretPoly) -> Result<Plaintext, Error> {
        let mut coefficients = phase.expose().clone().into_coeff();
        let integers = coefficients.centered_integers();
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
        self.check_key(ciphertext)?;
        self.params.same(clear.params())?;
        let limbs: LimbCount = ciphertext.limb_count();
        let phase = self.phase(ciphertext, limbs);
        if self.message(ciphertext, &phase)? != *clear {
            return Err(Error::OtherMessage);
        }
        let largest = phase.expose().clone().into_coeff().log2_largest_centered();
        Ok(self.params.context().model.log2_modulus(ciphertext.limb_count()) - 1.0 - largest)
    }
}

fn digits(params: &Params, plaintext: &Plaintext, level: Level) -> SecretCoefficients {
    params.digits(&plaintext.value, params.fresh_factor(level))
}

fn encoded<'a>(
    plaintext: &Plaintext,
    coefficients: &'a SecretCoefficients,
    level: Level,
) -> Encoded<'a, Wide> {
    let params = &plaintext.params;
    let bound = params.bound_of_width(plaintext.value.bits());
    Encoded { coefficients, bound, meta: params.fresh_content(level, plaintext.value.bits()) }
}

impl Evaluator {
    /// Returns a simulated fresh encryption of an unknown integer whose type has `bits` bits, as
    /// [`Evaluator::simulated_encryption`] does for integers of any width: narrow integers have
    /// less noise in products.
    ///
    /// # Errors
    /// [`Error::Simulated`] unless the evaluator is simulated;
    /// [`WideError::TooWide`](crate::wide::WideError::TooWide) for more than `N - 1` bits.
    pub fn simulated_encryption_of_width(
        &self,
        encryption: Encryption,
        bits: u32,
    ) -> Result<Ciphertext, Error> {
        let params = self.params();
        params.check_bits(bits)?;
        let noise = encryption.noise(&params.context().model, params.bound_of_width(bits));
        let level = params.top_level();
        let fresh = Fresh::of_noise(params, level, noise);
        let meta = params.fresh_content(level, bits);
        Ok(Ciphertext { meta, ..self.stand_in(encryption, level, fresh)? })
    }
}

impl SecretKey {
    /// Generates a relinearisation key and an encryption of zero.
    ///
    /// # Errors
    /// None that checked parameters can cause.
    pub fn evaluation_keys(&self, rng: &mut SecretRng) -> Result<EvaluationKeys, Error> {
        self.all_keys(&Rotations::none(), rng)
    }
}
