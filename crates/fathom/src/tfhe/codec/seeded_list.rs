//! Lists of blocks encrypted under the secret key, with one seed for all masks.

use super::compact_list::{check_count, read_type, write_type};
use super::{Content, Mark, open_values, seal_torus};
use crate::Error;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{Params, SeededList};
use crate::wire::WireError;
use crate::wire::frame::OVERHEAD;
use crate::wire::kind::Kind;
use crate::wire::reader::at_most;

/// The greatest number of blocks of a list on the wire. The reader's memory for them is 4 k N bytes
/// each, which [`SeededList::expand`] allocates, not the decoder.
const MOST: usize = 1 << 20;

/// Returns the length of the type, the count, the seed, and the bodies of whole bytes.
fn payload_len(params: &Params, count: usize) -> usize {
    ValueType::WIRE_BYTES + 8 + 32 + count * body_len(params)
}

fn body_len(params: &Params) -> usize {
    params.seeded_bits() as usize / 8
}

impl SeededList {
    /// Encodes the list as a frame.
    ///
    /// # Errors
    /// [`WireError::Range`] if it has more than `2^20` blocks.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let (params, count) = (self.params(), self.len());
        at_most("blocks", count as u64, MOST as u64)?;
        let mark = Mark::fresh(self.key_id());
        Ok(seal_torus(Kind::SeededList, params, mark, payload_len(params, count), |out| {
            out.extend(write_type(self.value_type()));
            out.extend((count as u64).to_le_bytes());
            out.extend(self.seed().0);
            let unsent = 8 - body_len(params);
            out.extend(self.bodies().iter().flat_map(|b| b.to_le_bytes().into_iter().skip(unsent)));
        }))
    }

    /// Reads a list of these parameters.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::NotFresh`] unless it is marked
    /// as fresh encryptions.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        let (frame, content) = open_values(bytes, Kind::SeededList, params)?;
        let Content::Fresh(owner) = content else { return Err(WireError::NotFresh.into()) };
        let mut payload = frame.payload;
        let value_type = read_type(payload.array()?)?;
        let count = payload.u64()?;
        at_most("blocks", count, MOST as u64)?;
        let count = count as usize;
        frame.expect(&params.id(), payload_len(params, count))?;
        check_count(value_type, count)?;
        let seed = payload.seed()?;
        let length = body_len(params);
        let bodies = payload.take(count * length)?.chunks_exact(length).map(|bytes| {
            let mut word = [0; 8];
            word[8 - length..].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        });
        let bodies = bodies.collect();
        payload.finish()?;
        let list = SeededList::from_parts(params.clone(), owner.key(), seed, bodies);
        Ok(list.typed(value_type))
    }

    /// Returns the length of [`SeededList::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params(), self.len())
    }
}
