//! Lists of blocks under a public key.

use super::super::WireError;
use super::super::frame::{Kind, OVERHEAD, open};
use super::super::pack::{pack_high, packed_len, unpack_high};
use super::super::reader::at_most;
use super::{SCHEME, seal_torus};
use crate::tfhe::{CompactList, Params};
use std::sync::Arc;

/// The most blocks that a list on the wire may have.
const MOST: usize = 1 << 20;

/// The count, a mask for every `N` blocks, and a word each, filled up to a multiple of 64.
fn payload_len(params: &Params, count: usize) -> usize {
    let (degree, bits) = (params.spec().degree, params.list_bits());
    let bodies = packed_len(count.next_multiple_of(64), bits);
    8 + count.div_ceil(degree) * packed_len(degree, bits) + bodies
}

impl CompactList {
    /// The list as a frame.
    ///
    /// # Errors
    /// [`WireError::Range`] if it has more than `2^20` blocks.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WireError> {
        let (params, count) = (self.params(), self.len());
        at_most("blocks", count as u64, MOST as u64)?;
        let bits = params.list_bits();
        Ok(seal_torus(Kind::CiphertextList, params, payload_len(params, count), |out| {
            out.extend((count as u64).to_le_bytes());
            pack_high(self.masks(), bits, out);
            let mut bodies = self.bodies().to_vec();
            bodies.resize(count.next_multiple_of(64), 0);
            pack_high(&bodies, bits, out);
        }))
    }

    /// Reads a list of these parameters.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Transparent`] if a mask is
    /// zero.
    pub fn from_bytes(params: &Arc<Params>, bytes: &[u8]) -> Result<Self, WireError> {
        let frame = open(bytes, Kind::CiphertextList, SCHEME)?.plain()?;
        let mut payload = frame.payload;
        let count = payload.u64()?;
        at_most("blocks", count, MOST as u64)?;
        let count = count as usize;
        frame.expect(&params.id(), payload_len(params, count))?;
        let (degree, bits) = (params.spec().degree, params.list_bits());
        let mut read = |words: usize| -> Result<Vec<u64>, WireError> {
            let mut row = vec![0; words];
            unpack_high(payload.take(packed_len(words, bits))?, bits, &mut row);
            Ok(row)
        };
        let masks = read(count.div_ceil(degree) * degree)?;
        let mut bodies = read(count.next_multiple_of(64))?;
        payload.finish()?;
        if masks.chunks_exact(degree).any(|mask| mask.iter().all(|&word| word == 0)) {
            return Err(WireError::Transparent);
        }
        if bodies.split_off(count).iter().any(|&word| word != 0) {
            return Err(WireError::Malformed { field: "filling" });
        }
        Ok(CompactList::from_parts(Arc::clone(params), masks, bodies))
    }

    /// Bytes of [`CompactList::to_bytes`].
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params(), self.len())
    }
}
