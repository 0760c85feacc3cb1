//! Evaluation keys: a seed and the bodies.

use super::{SCHEME, of_key};
use crate::Error;
use crate::tfhe::{Params, SeededEvaluationKeys, table_shape};
use crate::wire::frame::Frame;
use crate::wire::pack::{pack_high, packed_len, unpack_high};
use crate::wire::reader::Reader;
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};

fn payload_len(params: &Params) -> usize {
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
        frame.plain()?.expect(&params.id(), payload_len(params))?;
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
        payload_len(self.params())
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
