//! Packing keys: a seed and the bodies.

use super::{SCHEME, of_key};
use crate::Error;
use crate::tfhe::{PackingShape, Params, SeededPackingKeys};
use crate::wire::frame::Frame;
use crate::wire::pack::{pack_high, packed_len, unpack_high};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};

fn payload_len(params: &Params, automorphisms: usize, switch: usize) -> usize {
    32 + 2 + packed_len(automorphisms, params.body_bits()) + 4 * switch
}

/// Parameters that do not provide for lists are refused with [`Error::Spec`].
impl Wire for SeededPackingKeys {
    type Context = Params;
    const KIND: Kind = Kind::PackingKey;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        let shape = PackingShape::new(params)?;
        let automorphisms = shape.automorphisms.rows(params) * params.spec().degree;
        let switch = shape.switch_rows(params) * shape.degree;
        frame.plain()?.expect(&params.id(), payload_len(params, automorphisms, switch))?;
        let key_id = frame.key()?;
        let (payload, bits) = (&mut frame.payload, params.body_bits());
        let seed = payload.seed()?;
        if payload.take(2)? != shape.automorphisms.to_bytes() {
            return Err(
                WireError::Contradiction { field: "digits of the automorphism keys" }.into()
            );
        }
        let mut words = vec![0; automorphisms];
        let packed = payload.take(packed_len(automorphisms, bits))?;
        unpack_high(packed, bits, &mut words);
        let switch = payload.take(4 * switch)?;
        let switch = switch.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        Ok(SeededPackingKeys::from_parts(params.clone(), key_id, shape, seed, words, switch))
    }
}

impl WireObject for SeededPackingKeys {
    fn header(&self) -> Header {
        of_key(self.params(), self.key_id())
    }

    fn payload_len(&self) -> usize {
        payload_len(self.params(), self.automorphisms().len(), self.switch().len())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.seed().0);
        out.extend(self.shape().automorphisms.to_bytes());
        pack_high(self.automorphisms(), self.params().body_bits(), out);
        out.extend(self.switch().iter().flat_map(|word| word.to_le_bytes()));
    }
}
