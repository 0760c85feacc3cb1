//! Gates and their evaluation key.

use super::ciphertext::{FhewBit, QUARTER};
use super::params::{LWE_BITS, LWE_SHIFT};
use super::rgsw::{Accumulators, limbs};
use super::rotation_key::{RotationKey, turn_bits};
use super::secret_key::check;
use super::switch::SwitchKey;
use super::{FhewParams, FhewSecretKey, Method};
use crate::Error;
use fathom::KeyId;
use fathom_ring::{Poly, SecretRng};

/// A gate with two inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FhewGate {
    /// `a ∧ b`.
    And,
    /// `¬(a ∧ b)`.
    Nand,
    /// `a ∨ b`.
    Or,
    /// `¬(a ∨ b)`.
    Nor,
    /// `a ⊕ b`.
    Xor,
    /// `¬(a ⊕ b)`.
    Xnor,
    /// `¬a ∧ b`.
    AndNy,
    /// `a ∧ ¬b`.
    AndYn,
    /// `¬a ∨ b`.
    OrNy,
    /// `a ∨ ¬b`.
    OrYn,
}

/// The public key under which gates are evaluated.
pub struct FhewEvaluationKeys {
    params: FhewParams,
    accumulators: Accumulators,
    rotation: RotationKey,
    switch: SwitchKey,
}

impl FhewSecretKey {
    /// Generates evaluation keys.
    ///
    /// # Errors
    /// [`fathom::Error::Ring`] if the kernel named in the environment cannot serve the ring.
    pub fn evaluation_keys(&self, rng: &mut SecretRng) -> Result<FhewEvaluationKeys, Error> {
        let accumulators = Accumulators::new(self.params())?;
        let (rotation, switch) = rng.during(|rng| {
            (RotationKey::generate(&accumulators, self, rng), SwitchKey::generate(self, rng))
        });
        Ok(FhewEvaluationKeys::from_parts(self.params(), accumulators, rotation, switch))
    }
}

impl FhewEvaluationKeys {
    pub(super) fn from_parts(
        params: &FhewParams,
        accumulators: Accumulators,
        rotation: RotationKey,
        switch: SwitchKey,
    ) -> FhewEvaluationKeys {
        FhewEvaluationKeys { params: params.clone(), accumulators, rotation, switch }
    }

    pub(super) fn accumulators(&self) -> &Accumulators {
        &self.accumulators
    }

    pub(super) fn rotation(&self) -> &RotationKey {
        &self.rotation
    }

    pub(super) fn switch(&self) -> &SwitchKey {
        &self.switch
    }

    /// Returns the parameters.
    pub fn params(&self) -> &FhewParams {
        &self.params
    }

    /// Returns the identifier of the secret key from which the bootstrapping key was made.
    pub fn key_id(&self) -> KeyId {
        self.switch.owner().key()
    }

    /// Evaluates a gate by one bootstrap. On outputs of gates it fails with the probability
    /// [`FhewParams::failure_log2`].
    ///
    /// The sum of a ciphertext and its copy would have twice the noise variance, so a gate of a bit
    /// with itself uses a constant in place of one copy. If the masks cancel, the result is clear
    /// ([`FhewBit::is_clear`]): the exclusive or of a bit with itself, a bit and its complement,
    /// two clear bits.
    ///
    /// # Errors
    /// [`fathom::Error::ParamsMismatch`] or [`fathom::Error::KeyMismatch`] if a bit belongs to
    /// another parameter set or key.
    pub fn gate(&self, gate: FhewGate, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        check(&self.params, self.switch.owner(), a)?;
        check(&self.params, self.switch.owner(), b)?;
        let [zero, one] = [false, true].map(|bit| a.trivial(bit));
        let both = |a: &FhewBit, b: &FhewBit| {
            let b = if a == b { &one } else { b };
            self.at_least(&a.scaled_sum(b, 1), 3)
        };
        let either = |a: &FhewBit, b: &FhewBit| {
            let b = if a == b { &zero } else { b };
            self.at_least(&a.scaled_sum(b, 1), 1)
        };
        let odd = |a: &FhewBit, b: &FhewBit| {
            let [a, b] = if a == b { [&zero, &zero] } else { [a, b] };
            self.at_least(&a.scaled_sum(b, 2), 2)
        };
        Ok(match gate {
            FhewGate::And => both(a, b),
            FhewGate::Nand => !&both(a, b),
            FhewGate::Or => either(a, b),
            FhewGate::Nor => !&either(a, b),
            FhewGate::Xor => odd(a, b),
            FhewGate::Xnor => !&odd(a, b),
            FhewGate::AndNy => both(&!a, b),
            FhewGate::AndYn => both(a, &!b),
            FhewGate::OrNy => either(&!a, b),
            FhewGate::OrYn => either(a, &!b),
        })
    }

    /// Returns whether the phase is in the half of the torus that starts at `eighths / 8`.
    fn at_least(&self, sum: &FhewBit, eighths: u16) -> FhewBit {
        if sum.is_clear() {
            let body = sum.words[sum.dimension()];
            return sum.trivial(body.wrapping_sub(eighths * (QUARTER / 2)) < 2 * QUARTER);
        }
        let (degree, modulus) = (self.params.degree, self.accumulators.modulus);
        let (exponents, turned) = self.exponents(sum, eighths);
        // This is `X^-turned` times a polynomial of equal coefficients.
        let eighth = (modulus / 8) as i64;
        let sign = |place: usize| if (place + turned) % (2 * degree) < degree { 1 } else { -1 };
        let start: Vec<_> = (0..degree).map(|place| sign(place) * eighth).collect();
        let ring = &self.accumulators.ring;
        let acc = [Poly::zero(ring, limbs()), Poly::from_signed(ring, limbs(), &start).into_eval()];
        let acc = self.rotation.rotate(&self.accumulators, acc, &exponents);
        let mut bit = self.switch.extract(acc, modulus);
        if let Some(body) = bit.words.last_mut() {
            // Maps ±1/8 to 0 and 1/4.
            *body = body.wrapping_add(1 << (LWE_BITS - 3 + LWE_SHIFT));
        }
        bit
    }

    /// Returns the exponents modulo `2 N` of the mask, and that of the body less `eighths / 8`, as
    /// the blind rotation reads them.
    pub(super) fn exponents(&self, sum: &FhewBit, eighths: u16) -> (Vec<usize>, usize) {
        let bits = turn_bits(&self.params);
        let (mask, body) = sum.words.split_at(sum.dimension());
        let round = |word: u16| usize::from(word.wrapping_add(1 << (15 - bits)) >> (16 - bits));
        // Rounds to the nearest odd exponent, at the centre of an interval of twice the width.
        let odd = |word: u16| usize::from(word >> (17 - bits) << 1 | 1);
        let exponents = match self.params.method {
            Method::Lmkcdey { .. } => mask.iter().map(|&word| odd(word)).collect(),
            Method::Ginx | Method::Ap { .. } => mask.iter().map(|&word| round(word)).collect(),
        };
        (exponents, round(body[0].wrapping_sub(eighths * (QUARTER / 2))))
    }
}

impl std::fmt::Debug for FhewEvaluationKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FhewEvaluationKeys({})", self.params.name())
    }
}
