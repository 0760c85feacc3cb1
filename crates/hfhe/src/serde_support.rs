//! Objects as values of `serde`, behind the feature of that name.
//!
//! A ciphertext is read within the identifier of its key and a public key within the workers that
//! expand it: `fathom::Within` takes either in place of parameters. Secret keys travel only by the
//! methods that say so, such as `to_secret_bytes`.

use crate::compat::PublicKey;
use crate::{Ciphertext, Error, KeyId, Mode, Workers};
use fathom::Received;
use serde::{Serialize, Serializer};

impl<M: Mode> Serialize for Ciphertext<M> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

impl Serialize for PublicKey {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

impl<M: Mode> Received<KeyId> for Ciphertext<M> {
    type Error = Error;

    fn received(key: &KeyId, bytes: &[u8]) -> Result<Self, Error> {
        Ciphertext::from_bytes(*key, bytes)
    }
}

impl Received<Workers> for PublicKey {
    type Error = Error;

    fn received(workers: &Workers, bytes: &[u8]) -> Result<Self, Error> {
        PublicKey::from_bytes(bytes, workers)
    }
}
