//! Objects as values of `serde`, behind the feature of that name.
//!
//! A ciphertext is read within the identifier of its key and a public key within the workers that
//! expand it: `fathom::Within` takes either in place of parameters. Secret keys travel only by the
//! methods that say so, such as `to_secret_bytes`.

use crate::compat::PublicKey;
use crate::{Ciphertext, Mode};
use fathom::wire::WireObject;
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
