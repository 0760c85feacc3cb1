//! The two ways to encrypt.

use super::{Noise, NoiseModel, Rest};

/// The way in which a simulated ciphertext was encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// The secret key.
    SecretKey,
    /// The public key.
    PublicKey,
}

impl Encryption {
    /// Returns the noise of a fresh encryption of a message within these norms.
    pub(crate) fn noise(self, model: &NoiseModel, message: Rest) -> Noise {
        match self {
            Encryption::SecretKey => model.secret_key_noise(message),
            Encryption::PublicKey => model.public_key_noise(message),
        }
    }
}
