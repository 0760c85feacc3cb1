//! Public keys: one polynomial, and the seed of the other.

use super::poly::{key_of, poly_len, read_poly, write_poly};
use crate::Error;
use crate::rlwe::{Encoding, Params, PublicKey};
use crate::wire::frame::Frame;
use crate::wire::{Header, Kind, Trust, Wire, WireObject};
use fathom_ring::uniform_eval;

/// The reader must verify whose key it is.
impl<S: Encoding> Wire for PublicKey<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::PublicKey;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.expect(params.id(), payload_len(params))?;
        let ring = &params.context().ring;
        let seed = frame.payload.seed()?;
        let b = read_poly(&mut frame.payload, ring, ring.all_limbs())?;
        let a = uniform_eval(ring, ring.all_limbs(), &seed);
        Ok(PublicKey { params: params.clone(), key: key_of(params, frame)?, b, a, seed })
    }
}

impl<S: Encoding> WireObject for PublicKey<S> {
    fn header(&self) -> Header {
        Header::of_key(*self.params().id(), self.key)
    }

    fn payload_len(&self) -> usize {
        payload_len(self.params())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.seed.0);
        write_poly(&self.b, out);
    }
}

fn payload_len<S: Encoding>(params: &Params<S>) -> usize {
    let context = params.context();
    32 + poly_len(context, context.ring.all_limbs())
}
