//! RGSW ciphertexts and their product with RLWE ciphertexts.

use super::FhewParams;
use fathom_ring::{
    Eval, Limbs, Poly, PositionalGadget, Ring, Scalar, SecretCoefficients, SecretPoly, SecretRng,
    centered_binomial, primes_below, uniform_eval,
};
use std::sync::Arc;

/// An RLWE ciphertext `[a, b]` with phase `b - a z`.
pub(super) type Rlwe = [Poly<Eval>; 2];

/// The ring of the accumulator and its gadget decomposition.
#[derive(Clone)]
pub(super) struct Accumulators {
    pub(super) ring: Arc<Ring>,
    pub(super) gadget: PositionalGadget,
    pub(super) modulus: u64,
}

/// Returns the limbs of the accumulator's ring, which has one prime.
pub(super) fn limbs() -> Limbs {
    Limbs::chain(1)
}

impl Accumulators {
    /// Returns the ring of a set.
    ///
    /// # Errors
    /// [`fathom::Error::Ring`] if the kernel named in the environment cannot serve it.
    pub(super) fn new(params: &FhewParams) -> Result<Accumulators, fathom::Error> {
        let step = 2 * params.degree as u64;
        let modulus = primes_below(params.ring_bits.into(), step, 1, &[])?[0];
        let ring = Ring::new(params.degree, &[modulus], &[])?;
        let gadget = PositionalGadget::new(params.gadget_base_log, modulus);
        Ok(Accumulators { ring, gadget, modulus })
    }

    /// Encrypts zero.
    pub(super) fn zero(&self, secret: &SecretPoly, rng: &mut SecretRng) -> Rlwe {
        let mask = uniform_eval(&self.ring, limbs(), &rng.next_seed());
        let noise = centered_binomial(rng, self.ring.degree()).to_eval(&self.ring, limbs());
        let mut body = noise.into_masked();
        body.mul_add_assign(&mask, secret.expose());
        [mask, body]
    }

    /// Returns an encryption of `message` times each weight of the gadget.
    pub(super) fn weighted(
        &self,
        message: &SecretPoly,
        secret: &SecretPoly,
        rng: &mut SecretRng,
    ) -> Vec<Rlwe> {
        let row = |level| {
            let weight = Scalar::from_signed(&self.ring, self.gadget.weight(level));
            let mut row = self.zero(secret, rng);
            row[1].mul_scalar_add_assign(message.expose(), &weight);
            row
        };
        (0..self.gadget.levels()).map(row).collect()
    }

    /// Returns an RGSW encryption: the weighted messages in the masks, then in the bodies.
    pub(super) fn rgsw(
        &self,
        message: &SecretCoefficients,
        secret: &SecretPoly,
        rng: &mut SecretRng,
    ) -> Rgsw {
        let message = message.to_eval(&self.ring, limbs());
        let in_mask = (0..self.gadget.levels()).map(|level| {
            let weight = Scalar::from_signed(&self.ring, self.gadget.weight(level));
            let mut row = self.zero(secret, rng);
            row[0].mul_scalar_add_assign(message.expose(), &weight);
            row
        });
        let mut rows: Vec<_> = in_mask.collect();
        rows.extend(self.weighted(&message, secret, rng));
        Rgsw { rows }
    }

    /// Returns the digits of a ciphertext: those of its mask, then those of its body.
    pub(super) fn digits(&self, ciphertext: &Rlwe) -> Vec<Poly<Eval>> {
        ciphertext.iter().flat_map(|part| self.gadget.decompose(part)).collect()
    }
}

/// An RGSW ciphertext.
pub(super) struct Rgsw {
    /// The rows of the mask's digits, then those of the body's.
    pub(super) rows: Vec<Rlwe>,
}

impl Rgsw {
    /// Multiplies with the ciphertext that has these digits.
    pub(super) fn multiply(&self, digits: &[Poly<Eval>]) -> Rlwe {
        weigh(digits, &self.rows)
    }
}

/// Computes `sum_j digits[j] rows[j]`.
pub(super) fn weigh(digits: &[Poly<Eval>], rows: &[Rlwe]) -> Rlwe {
    let digits: Vec<_> = digits.iter().collect();
    [0, 1].map(|part| {
        let rows: Vec<_> = rows.iter().map(|row| &row[part]).collect();
        Poly::dot(&digits, &rows, limbs())
    })
}
