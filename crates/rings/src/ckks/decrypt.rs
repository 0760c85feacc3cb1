//! Decryption to real and complex numbers.

use super::encode::Plaintext;
use super::facts::SlotFacts;
use super::{Ckks, DomainError, Interval, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, SecretKey};
use fathom_ring::{Coeff, Complex64, Poly, SecretPoly};

impl<M: Mode> SecretKey<Ckks<M>> {
    /// Decrypts as [`SecretKey::decrypt`] does, and refuses a result with fewer than `bits` bits of
    /// precision behind the binary point.
    ///
    /// # Errors
    /// As [`SecretKey::decrypt`]; [`Error::PrecisionExhausted`] also for fewer than `bits` bits;
    /// [`DomainError::NotFinite`] for a number of bits that is infinite or not a number.
    pub fn decrypt_with_precision(
        &self,
        ciphertext: &Ciphertext<Ckks<M>>,
        bits: f64,
    ) -> Result<Plaintext<M>, Error> {
        let operation = "decrypt_with_precision";
        if !bits.is_finite() {
            return Err(DomainError::NotFinite { operation, index: 0 }.into());
        }
        self.check_key(ciphertext)?;
        ciphertext.check_precision(operation, Some(bits))?;
        self.decoded(ciphertext)
    }

    /// Decrypts whatever the precision.
    pub(super) fn decoded(&self, ciphertext: &Ciphertext<Ckks<M>>) -> Result<Plaintext<M>, Error> {
        let limbs = self.limbs_needed(ciphertext)?;
        let phase = self.phase(ciphertext, limbs);
        self.decoded_phase(&phase, ciphertext)
    }

    /// Returns the message in the phase of a ciphertext with the scale, the noise and the facts of
    /// `known`, which need not hold the components of that ciphertext.
    pub(super) fn decoded_phase(
        &self,
        phase: &SecretPoly,
        known: &Ciphertext<Ckks<M>>,
    ) -> Result<Plaintext<M>, Error> {
        let (scale, error_bound) = (known.scale(), known.error_bound());
        let magnitude = known.magnitude_bound() + error_bound;
        let mut phase: Poly<Coeff> = phase.expose().clone().into_coeff();
        let mut coefficients = phase.to_centered_reals();
        phase.wipe();
        coefficients.iter_mut().for_each(|c| *c /= scale);
        // The error of a slot is a complex number, also where the message is real.
        let facts = SlotFacts { complex: true, ..SlotFacts::default() };
        Plaintext { params: self.params.clone(), coefficients, magnitude, facts, error_bound }
            .knowing(known.facts)
    }
}

impl<M: Mode> Plaintext<M> {
    /// Completes a decryption by what is known of its slots. Refuses one that exceeds the bounds
    /// which rely on a promise; without one they are proven.
    fn knowing(mut self, known: SlotFacts) -> Result<Self, Error> {
        let SlotFacts { complex, padding, promise, .. } = known;
        let (magnitude, error) = (self.magnitude, self.error_bound);
        self.facts.padding = padding.map(|p| p.widened(error));
        let Some(Interval { low, high }) = promise else { return Ok(self) };
        let mut slots = self.slots_complex();
        // All slots are looked at, and numbers that are no numbers are beyond every bound.
        let kept =
            |slot: &Complex64| slot.norm() <= magnitude && (complex || slot.im.abs() <= error);
        let outside = slots.iter().filter(|slot| !kept(slot)).count();
        slots.fill(Complex64::ZERO);
        std::hint::black_box(&slots);
        if outside > 0 {
            return Err(DomainError::BrokenPromise { low, high, magnitude }.into());
        }
        Ok(self)
    }
}
