//! Galois keys: their number, then each key after its element.

use super::poly::key_of;
use super::switching_key::{galois_len, read_count, read_galois, write_galois};
use crate::Error;
use crate::rlwe::{Encoding, GaloisKeys, Params};
use crate::wire::frame::Frame;
use crate::wire::{Header, Kind, Trust, Wire, WireObject};

const COUNT_BYTES: usize = 4;

/// Elements that are even or not in ascending order are refused.
impl<S: Encoding> Wire for GaloisKeys<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::GaloisKeys;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.belongs(params.id())?;
        let count = read_count(params, &mut frame.payload)?;
        let keys = read_galois(&mut frame.payload, params, count, None)?;
        Ok(GaloisKeys { params: params.clone(), key: key_of(params, frame)?, keys })
    }
}

impl<S: Encoding> WireObject for GaloisKeys<S> {
    fn header(&self) -> Header {
        Header::of_key(*self.params.id(), self.key)
    }

    fn payload_len(&self) -> usize {
        COUNT_BYTES + galois_len(&self.params, &self.keys)
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend((self.keys.len() as u32).to_le_bytes());
        write_galois(&self.params, &self.keys, out);
    }

    fn has_no_content(&self) -> bool {
        self.params.context().is_simulated()
    }
}
