//! Packing keys: a seed and the bodies.

use super::{Mark, SCHEME, seal_torus};
use crate::Error;
use crate::tfhe::{PackingShape, Params, SeededPackingKeys};
use crate::wire::WireError;
use crate::wire::frame::{OVERHEAD, open};
use crate::wire::kind::Kind;
use crate::wire::pack::{pack_high, packed_len, unpack_high};

fn payload_len(params: &Params, automorphisms: usize, switch: usize) -> usize {
    32 + 2 + packed_len(automorphisms, params.body_bits()) + 4 * switch
}

impl SeededPackingKeys {
    /// Encodes the key as a frame.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (params, bits) = (self.params(), self.params().body_bits());
        let length = self.byte_len() - OVERHEAD;
        seal_torus(Kind::PackingKey, params, Mark::of(self.key_id()), length, |out| {
            out.extend(self.seed().0);
            out.extend(self.shape().automorphisms.to_bytes());
            pack_high(self.automorphisms(), bits, out);
            out.extend(self.switch().iter().flat_map(|word| word.to_le_bytes()));
        })
    }

    /// Reads a key of these parameters.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`Error::Spec`] if the parameters do
    /// not provide for lists.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        let shape = PackingShape::new(params)?;
        let automorphisms = shape.automorphisms.rows(params) * params.spec().degree;
        let switch = shape.switch_rows(params) * shape.degree;
        let frame = open(bytes, Kind::PackingKey, SCHEME)?.plain()?;
        frame.expect(&params.id(), payload_len(params, automorphisms, switch))?;
        let key_id = frame.key()?;
        let (mut payload, bits) = (frame.payload, params.body_bits());
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
        payload.finish()?;
        Ok(SeededPackingKeys::from_parts(params.clone(), key_id, shape, seed, words, switch))
    }

    /// Returns the length of [`SeededPackingKeys::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params(), self.automorphisms().len(), self.switch().len())
    }
}
