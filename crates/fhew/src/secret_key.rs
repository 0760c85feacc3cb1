//! The secret key, which encrypts and decrypts bits.

use super::FhewParams;
use super::ciphertext::{FhewBit, QUARTER};
use super::params::LWE_SHIFT;
use crate::Error;
use fathom::KeyId;
use fathom::tfhe::Owner;
use fathom_ring::{SecretCoefficients, SecretRng, centered_binomial, ternary};

/// The secret key: a ternary LWE key and the ternary key of the accumulators. It is wiped when
/// dropped and never printed.
pub struct FhewSecretKey {
    params: FhewParams,
    id: KeyId,
    owner: Owner,
    pub(super) lwe: SecretCoefficients,
    pub(super) ring: SecretCoefficients,
}

impl FhewSecretKey {
    /// Generates a fresh key.
    pub fn generate(params: &FhewParams, rng: &mut SecretRng) -> FhewSecretKey {
        let lwe = ternary(rng, params.lwe_dimension);
        let ring = ternary(rng, params.degree);
        FhewSecretKey::from_parts(params.clone(), KeyId::generate(rng), [lwe, ring])
    }

    pub(crate) fn from_parts(
        params: FhewParams,
        id: KeyId,
        [lwe, ring]: [SecretCoefficients; 2],
    ) -> FhewSecretKey {
        let owner = params.owner(id);
        FhewSecretKey { params, id, owner, lwe, ring }
    }

    /// Returns the public identifier of the key, which all keys and ciphertexts made with it carry.
    pub fn id(&self) -> KeyId {
        self.id
    }

    pub(super) fn owner(&self) -> Owner {
        self.owner
    }

    /// Returns the LWE key and the key of the accumulators.
    pub(crate) fn coefficients(&self) -> [&SecretCoefficients; 2] {
        [&self.lwe, &self.ring]
    }

    /// Returns the parameters.
    pub fn params(&self) -> &FhewParams {
        &self.params
    }

    /// Encrypts a bit.
    pub fn encrypt(&self, bit: bool, rng: &mut SecretRng) -> FhewBit {
        let words = rng.during(|rng| {
            let noise = centered_binomial(rng, 1);
            self.encrypt_word(u16::from(bit) * QUARTER, noise.expose()[0], rng)
        });
        FhewBit::new(self.owner, words)
    }

    /// Decrypts a bit.
    ///
    /// # Errors
    /// [`fathom::Error::ParamsMismatch`] or [`fathom::Error::KeyMismatch`] if the bit belongs to
    /// another parameter set or key.
    pub fn decrypt(&self, bit: &FhewBit) -> Result<bool, Error> {
        check(&self.params, self.owner, bit)?;
        let phase = self.phase_of(bit);
        Ok(phase.wrapping_add(QUARTER / 2) / QUARTER == 1)
    }

    /// Returns the phase of a bit, message plus noise, as an element of the torus modulo `2^16`.
    /// This is for measuring noise: **never publish it**.
    ///
    /// # Errors
    /// As [`FhewSecretKey::decrypt`].
    pub fn phase(&self, bit: &FhewBit) -> Result<u16, Error> {
        check(&self.params, self.owner, bit)?;
        Ok(self.phase_of(bit))
    }

    fn phase_of(&self, bit: &FhewBit) -> u16 {
        let (mask, body) = bit.words.split_at(bit.dimension());
        body[0].wrapping_sub(self.product(mask))
    }

    /// Encrypts an element of the torus with this noise.
    pub(super) fn encrypt_word(&self, message: u16, noise: i64, rng: &mut SecretRng) -> Vec<u16> {
        let mut random = vec![0; self.params.lwe_dimension.div_ceil(4)];
        rng.next_seed().fill_words(&mut random);
        let words = random.iter().flat_map(|word| [0, 16, 32, 48].map(|at| (word >> at) as u16));
        let mut words: Vec<_> = words
            .take(self.params.lwe_dimension)
            .map(|word| word >> LWE_SHIFT << LWE_SHIFT)
            .collect();
        let body = self.product(&words).wrapping_add(message);
        words.push(body.wrapping_add((noise << LWE_SHIFT) as u16));
        words
    }

    fn product(&self, mask: &[u16]) -> u16 {
        let terms = mask.iter().zip(self.lwe.expose()).map(|(a, &s)| a.wrapping_mul(s as u16));
        terms.fold(0, u16::wrapping_add)
    }
}

impl std::fmt::Debug for FhewSecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FhewSecretKey({}, hidden)", self.params.name())
    }
}

/// Checks that a bit belongs to these parameters and this key.
pub(super) fn check(params: &FhewParams, owner: Owner, bit: &FhewBit) -> Result<(), Error> {
    if bit.dimension() == params.lwe_dimension {
        return Ok(bit.owner().same(owner)?);
    }
    let left = format!("a bit of dimension {}", bit.dimension());
    Err(fathom::Error::ParamsMismatch { left, right: params.name().to_owned() }.into())
}
