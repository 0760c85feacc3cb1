//! Lists of blocks encrypted under the secret key, with one seed for all masks.

use super::compact_list::{FreshList, MOST, open_fresh_list, write_type};
use super::{Mark, seal_torus};
use crate::Error;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{Params, SeededList};
use crate::wire::frame::OVERHEAD;
use crate::wire::kind::Kind;
use crate::wire::reader::at_most;

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
    /// [`WireError::Range`](crate::wire::WireError::Range) if it has more than `2^20` blocks.
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

    /// Reads a list of these parameters. The masks, of `4 k N` bytes for each block, are made by
    /// [`SeededList::expand`] only.
    ///
    /// # Errors
    /// Any [`WireError`](crate::wire::WireError) of a damaged or foreign frame;
    /// [`WireError::NotFresh`](crate::wire::WireError::NotFresh) unless it is marked as fresh
    /// encryptions.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        let list = open_fresh_list(Kind::SeededList, params, bytes, payload_len)?;
        let FreshList { mut payload, owner, value_type, count } = list;
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
