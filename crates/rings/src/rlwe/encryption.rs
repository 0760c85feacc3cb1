//! The two ways to encrypt.

use super::{Bounds, Noise, NoiseModel};

/// The key that encrypts the inputs of a computation, for planning and for simulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Encryption {
    /// The secret key: less noise, half the bytes.
    SecretKey,
    /// The public key. Parameters planned for it serve encryptions under the secret key too.
    PublicKey,
}

impl Encryption {
    /// Returns the noise of a fresh encryption of a message within these norms.
    pub(crate) fn noise(self, model: &NoiseModel, message: Bounds) -> Noise {
        match self {
            Encryption::SecretKey => model.secret_key_noise(message),
            Encryption::PublicKey => model.public_key_noise(message),
        }
    }

    /// Bounds the noise of every kind of encryption that parameters planned for this one serve.
    pub(crate) fn greatest_noise(self, model: &NoiseModel, message: Bounds) -> Noise {
        let noises = self.served().iter().map(|own| own.noise(model, message));
        let greatest = noises.reduce(|a, b| Noise {
            random: a.random.zip(b.random, f64::max),
            rest: a.rest.greatest(b.rest),
            tails: a.tails.max(b.tails),
            ..a
        });
        greatest.expect("an encryption serves itself")
    }

    /// Returns the kinds of encryption that parameters planned for this one must serve.
    pub(crate) fn served(self) -> &'static [Encryption] {
        match self {
            Encryption::SecretKey => &[Encryption::SecretKey],
            Encryption::PublicKey => &[Encryption::SecretKey, Encryption::PublicKey],
        }
    }
}
