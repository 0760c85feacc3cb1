//! Decryption to real and complex numbers.

use super::encode::Plaintext;
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, SecretKey};
use fathom_ring::{Coeff, Poly, SecretPoly};

impl<M: Mode> SecretKey<Ckks<M>> {
    /// Decrypts. Reads only as many residues as the noise bound makes necessary.
    ///
    /// The result holds the noise of the ciphertext in its last bits. Whoever shares it with others
    /// floods it first: see [`SecretKey::decrypt_flooded`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::PrecisionExhausted`] if the
    /// bound on the error is not below the bound on the message; [`Error::NoiseExhausted`] if the
    /// noise bound is past the limit, as only a ciphertext from outside can be.
    pub fn decrypt(&self, ciphertext: &Ciphertext<Ckks<M>>) -> Result<Plaintext<M>, Error> {
        self.own(ciphertext)?;
        ciphertext.check_precision("decrypt", None)?;
        self.decoded(ciphertext)
    }

    /// Decrypts as [`SecretKey::decrypt`] does, and refuses a result with fewer than `bits` bits of
    /// precision behind the binary point.
    ///
    /// # Errors
    /// As [`SecretKey::decrypt`]; [`Error::PrecisionExhausted`] also for fewer than `bits` bits.
    pub fn decrypt_with_precision(
        &self,
        ciphertext: &Ciphertext<Ckks<M>>,
        bits: f64,
    ) -> Result<Plaintext<M>, Error> {
        self.own(ciphertext)?;
        ciphertext.check_precision("decrypt", Some(bits))?;
        self.decoded(ciphertext)
    }

    fn decoded(&self, ciphertext: &Ciphertext<Ckks<M>>) -> Result<Plaintext<M>, Error> {
        let limbs = self.limbs_needed(ciphertext)?;
        let phase = self.phase(ciphertext, limbs);
        let error_bound = ciphertext.error_bound();
        let magnitude = ciphertext.magnitude_bound() + error_bound;
        Ok(self.decoded_phase(&phase, ciphertext.scale(), (magnitude, error_bound)))
    }

    /// Returns the message in a phase of this scale, with the bounds on its magnitude and error.
    pub(super) fn decoded_phase(
        &self,
        phase: &SecretPoly,
        scale: f64,
        (magnitude, error_bound): (f64, f64),
    ) -> Plaintext<M> {
        let mut phase: Poly<Coeff> = phase.expose().clone().into_coeff();
        let mut coefficients = phase.to_centred_reals();
        phase.wipe();
        coefficients.iter_mut().for_each(|c| *c /= scale);
        Plaintext { params: self.params.clone(), coefficients, magnitude, error_bound }
    }
}
