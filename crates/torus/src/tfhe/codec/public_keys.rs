//! The wire forms of keys that anyone may hold: of evaluation, of packing, and for encryption. Each
//! is a seed and the bodies.

use super::{SCHEME, of_key};
use crate::Error;
use crate::tfhe::{
    PackingShape, Params, PublicKey, SeededEvaluationKeys, SeededPackingKeys, table_shape,
};
use crate::wire::frame::Frame;
use crate::wire::pack::{pack_high, packed_len, unpack_high};
use crate::wire::reader::Reader;
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};

fn evaluation_len(params: &Params) -> usize {
    let (rotation, switch) = (params.rotation_rows(), params.switch_rows());
    let body = packed_len(params.spec().degree, params.body_bits());
    let automorphisms = table_shape(params).map_or(0, |shape| 2 + shape.rows(params) * body);
    32 + rotation * body + switch * params.spec().key_switch_degree * 4 + automorphisms
}

impl Wire for SeededEvaluationKeys {
    type Context = Params;
    const KIND: Kind = Kind::EvaluationKeys;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.expect(&params.id(), evaluation_len(params))?;
        let (key_id, payload) = (frame.key()?, &mut frame.payload);
        let seed = payload.seed()?;
        let (degree, bits) = (params.spec().degree, params.body_bits());
        let read_bodies = |payload: &mut Reader<'_>, rows: usize| {
            let mut bodies = vec![0; rows * degree];
            for body in bodies.chunks_exact_mut(degree) {
                unpack_high(payload.take(packed_len(degree, bits))?, bits, body);
            }
            Ok::<_, WireError>(bodies)
        };
        let rotation = read_bodies(payload, params.rotation_rows())?;
        let switch = payload.take(params.switch_rows() * params.spec().key_switch_degree * 4)?;
        let switch = switch.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let automorphisms = match table_shape(params) {
            Some(shape) => {
                if payload.take(2)? != shape.to_bytes() {
                    return Err(WireError::Contradiction {
                        field: "digits of the automorphism keys",
                    }
                    .into());
                }
                read_bodies(payload, shape.rows(params))?
            }
            None => Vec::new(),
        };
        let params = params.clone();
        Ok(SeededEvaluationKeys::from_parts(params, key_id, seed, rotation, switch, automorphisms))
    }
}

impl WireObject for SeededEvaluationKeys {
    fn header(&self) -> Header {
        of_key(self.params(), self.key_id())
    }

    fn payload_len(&self) -> usize {
        evaluation_len(self.params())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let (params, bits) = (self.params(), self.params().body_bits());
        out.extend(self.seed().0);
        for body in self.rotation().chunks_exact(params.spec().degree) {
            pack_high(body, bits, out);
        }
        out.extend(self.switch().iter().flat_map(|word| word.to_le_bytes()));
        out.extend(table_shape(params).iter().flat_map(|shape| shape.to_bytes()));
        for body in self.automorphisms().chunks_exact(params.spec().degree) {
            pack_high(body, bits, out);
        }
    }
}

fn packing_len(params: &Params, automorphisms: usize, switch: usize) -> usize {
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
        frame.plain()?.expect(&params.id(), packing_len(params, automorphisms, switch))?;
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
        packing_len(self.params(), self.automorphisms().len(), self.switch().len())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.seed().0);
        out.extend(self.shape().automorphisms.to_bytes());
        pack_high(self.automorphisms(), self.params().body_bits(), out);
        out.extend(self.switch().iter().flat_map(|word| word.to_le_bytes()));
    }
}

fn public_len(params: &Params) -> usize {
    32 + 8 * params.spec().degree
}

impl Wire for PublicKey {
    type Context = Params;
    const KIND: Kind = Kind::PublicKey;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.expect(&params.id(), public_len(params))?;
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
        public_len(self.params())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.seed().0);
        out.extend(self.body().iter().flat_map(|word| word.to_le_bytes()));
    }
}
