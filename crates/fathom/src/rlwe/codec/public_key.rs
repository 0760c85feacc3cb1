//! Public keys: one polynomial, and the seed of the other.

use super::poly::{key_of, poly_len, read_poly, write_poly};
use crate::Error;
use crate::rlwe::{Encoding, Params, PublicKey};
use crate::wire::frame::{Fields, Label, OVERHEAD, open, seal};
use crate::wire::kind::Kind;
use fathom_ring::uniform_eval;

impl<S: Encoding> PublicKey<S> {
    /// Returns the wire form: the seed, then the other polynomial over all primes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let params = self.params();
        let label = Label {
            kind: Kind::PublicKey,
            scheme: S::NAME,
            params_id: params.id(),
            key_id: Some(self.key),
        };
        seal(label, Fields::default(), payload_len(params), |out| {
            out.extend(self.seed.0);
            write_poly(&self.b, out);
        })
    }

    /// Returns the length of [`PublicKey::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params())
    }

    /// Reads a public key of these parameters. The caller must verify whose key it is.
    ///
    /// # Errors
    /// The [`WireError`](crate::wire::WireError)s of a frame, among them a residue that is not
    /// below its prime.
    pub fn from_bytes(params: &Params<S>, bytes: &[u8]) -> Result<PublicKey<S>, Error> {
        let frame = open(bytes, Kind::PublicKey, S::NAME)?.plain()?;
        frame.expect(params.id(), payload_len(params))?;
        let mut payload = frame.payload;
        let ring = &params.context().ring;
        let seed = payload.seed()?;
        let b = read_poly(&mut payload, ring, ring.all_limbs())?;
        payload.finish()?;
        let a = uniform_eval(ring, ring.all_limbs(), &seed);
        Ok(PublicKey { params: params.clone(), key: key_of(params, &frame)?, b, a, seed })
    }
}

fn payload_len<S: Encoding>(params: &Params<S>) -> usize {
    let context = params.context();
    32 + poly_len(context, context.ring.all_limbs())
}
