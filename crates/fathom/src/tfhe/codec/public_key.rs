//! Public keys: a seed and a body.

use super::{SCHEME, of_key};
use crate::Error;
use crate::tfhe::{Params, PublicKey};
use crate::wire::frame::Frame;
use crate::wire::{Header, Kind, Trust, Wire, WireObject};

fn payload_len(params: &Params) -> usize {
    32 + 8 * params.spec().degree
}

impl Wire for PublicKey {
    type Context = Params;
    const KIND: Kind = Kind::PublicKey;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.expect(&params.id(), payload_len(params))?;
        let seed = frame.payload.seed()?;
        let body = frame.payload.take(8 * params.spec().degree)?;
        let body = body.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        Ok(PublicKey::from_parts(params.clone(), frame.key()?, seed, body))
    }
}

impl WireObject for PublicKey {
    fn header(&self) -> Header {
        of_key(self.params(), self.key_id())
    }

    fn payload_len(&self) -> usize {
        payload_len(self.params())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.seed().0);
        out.extend(self.body().iter().flat_map(|word| word.to_le_bytes()));
    }
}
