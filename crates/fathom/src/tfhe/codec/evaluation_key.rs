//! Evaluation keys: a seed and the bodies.

use super::{Mark, SCHEME, seal_torus};
use crate::Error;
use crate::tfhe::{Params, SeededEvaluationKeys, table_shape};
use crate::wire::WireError;
use crate::wire::frame::{OVERHEAD, open};
use crate::wire::kind::Kind;
use crate::wire::pack::{pack_high, packed_len, unpack_high};
use crate::wire::reader::Reader;

fn payload_len(params: &Params) -> usize {
    let (rotation, switch) = (params.rotation_rows(), params.switch_rows());
    let body = packed_len(params.spec().degree, params.body_bits());
    let automorphisms = table_shape(params).map_or(0, |shape| 2 + shape.rows(params) * body);
    32 + rotation * body + switch * params.spec().key_switch_degree * 4 + automorphisms
}

impl SeededEvaluationKeys {
    /// Encodes the key as a frame.
    pub fn to_bytes(&self) -> Vec<u8> {
        let params = self.params();
        let bits = params.body_bits();
        seal_torus(
            Kind::EvaluationKeys,
            params,
            Mark::of(self.key_id()),
            payload_len(params),
            |out| {
                out.extend(self.seed().0);
                for body in self.rotation().chunks_exact(params.spec().degree) {
                    pack_high(body, bits, out);
                }
                out.extend(self.switch().iter().flat_map(|word| word.to_le_bytes()));
                out.extend(table_shape(params).iter().flat_map(|shape| shape.to_bytes()));
                for body in self.automorphisms().chunks_exact(params.spec().degree) {
                    pack_high(body, bits, out);
                }
            },
        )
    }

    /// Reads a key of these parameters.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        let frame = open(bytes, Kind::EvaluationKeys, SCHEME)?.plain()?;
        frame.expect(&params.id(), payload_len(params))?;
        let (key_id, mut payload) = (frame.key()?, frame.payload);
        let seed = payload.seed()?;
        let (degree, bits) = (params.spec().degree, params.body_bits());
        let read_bodies = |payload: &mut Reader<'_>, rows: usize| {
            let mut bodies = vec![0; rows * degree];
            for body in bodies.chunks_exact_mut(degree) {
                unpack_high(payload.take(packed_len(degree, bits))?, bits, body);
            }
            Ok::<_, WireError>(bodies)
        };
        let rotation = read_bodies(&mut payload, params.rotation_rows())?;
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
                read_bodies(&mut payload, shape.rows(params))?
            }
            None => Vec::new(),
        };
        payload.finish()?;
        let params = params.clone();
        Ok(SeededEvaluationKeys::from_parts(params, key_id, seed, rotation, switch, automorphisms))
    }

    /// Returns the length of [`SeededEvaluationKeys::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params())
    }
}
