//! The two sides of an encrypted computation, with their parameter set: keys of the client, and the
//! evaluator of the server.

use fathom::rlwe::Rotations;
use fathom::{Error, SecretRng, bfv};
use fathom_cases::program::Meter;
use fathom_drivers::engine::{bfv_params, describe_bfv};
use fathom_drivers::protocol::KeyKind;

/// Both sides, with fresh keys.
pub struct Party {
    /// The parameters of both.
    pub params: bfv::Params,
    /// The key of the client.
    pub secret: bfv::SecretKey,
    /// The public key of the client.
    pub public: bfv::PublicKey,
    /// The side of the server.
    pub evaluator: bfv::Evaluator,
}

impl Party {
    /// Generates keys, among them those for `rotations`.
    ///
    /// # Errors
    /// Those of the rotations.
    pub fn new(
        params: bfv::Params,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<Self, Error> {
        let secret = bfv::SecretKey::generate(&params, rng);
        let public = secret.public_key(rng);
        let evaluator = bfv::Evaluator::new(secret.evaluation_keys(rotations, rng)?);
        Ok(Self { params, secret, public, evaluator })
    }

    /// Encrypts under the secret or the public key.
    ///
    /// # Errors
    /// Those of the encryption.
    pub fn encrypt(
        &self,
        message: &bfv::Plaintext,
        key: KeyKind,
        rng: &mut SecretRng,
    ) -> Result<bfv::Ciphertext, Error> {
        match key {
            KeyKind::Pk => self.public.encrypt(message, rng),
            KeyKind::Sk => self.secret.encrypt(message, rng),
        }
    }
}

/// Returns the BFV parameters of that name and states them in the record.
///
/// # Errors
/// Those of the parameters.
pub fn named(name: &str, meter: &mut Meter) -> Result<bfv::Params, Error> {
    let params = bfv_params(name)?;
    meter.params(describe_bfv(&params));
    Ok(params)
}
