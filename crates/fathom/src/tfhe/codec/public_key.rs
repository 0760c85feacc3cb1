//! Public keys: a seed and a body.

use super::{Mark, SCHEME, seal_torus};
use crate::Error;
use crate::tfhe::{Params, PublicKey};
use crate::wire::frame::{OVERHEAD, open};
use crate::wire::kind::Kind;

fn payload_len(params: &Params) -> usize {
    32 + 8 * params.spec().degree
}

impl PublicKey {
    /// Encodes the key as a frame.
    pub fn to_bytes(&self) -> Vec<u8> {
        let params = self.params();
        seal_torus(Kind::PublicKey, params, Mark::of(self.key_id()), payload_len(params), |out| {
            out.extend(self.seed().0);
            out.extend(self.body().iter().flat_map(|word| word.to_le_bytes()));
        })
    }

    /// Reads a key of these parameters.
    ///
    /// # Errors
    /// Any [`WireError`](crate::wire::WireError) of a damaged or foreign frame.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        let frame = open(bytes, Kind::PublicKey, SCHEME)?.plain()?;
        frame.expect(&params.id(), payload_len(params))?;
        let (key_id, mut payload) = (frame.key()?, frame.payload);
        let seed = payload.seed()?;
        let body = payload.take(8 * params.spec().degree)?;
        let body = body.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        payload.finish()?;
        Ok(PublicKey::from_parts(params.clone(), key_id, seed, body))
    }

    /// Returns the length of [`PublicKey::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params())
    }
}
