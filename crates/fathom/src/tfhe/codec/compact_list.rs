//! Lists of blocks encrypted under a public key.

use super::{Content, Mark, open_values, seal_torus};
use crate::Error;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{CompactList, Owner, Params};
use crate::wire::WireError;
use crate::wire::frame::{OVERHEAD, transparent};
use crate::wire::kind::Kind;
use crate::wire::pack::{pack_high, packed_len, unpack_high};
use crate::wire::reader::{Reader, at_most};

/// The greatest number of blocks of a list on the wire.
pub(super) const MOST: usize = 1 << 20;

/// Returns the length of the type, the count, a mask for every `N` blocks, and a word for each
/// block, padded to a multiple of 64 words.
fn payload_len(params: &Params, count: usize) -> usize {
    let (degree, bits) = (params.spec().degree, params.list_bits());
    let bodies = packed_len(count.next_multiple_of(64), bits);
    ValueType::WIRE_BYTES + 8 + count.div_ceil(degree) * packed_len(degree, bits) + bodies
}

/// A frame of fresh encryptions, read up to the number of blocks.
pub(super) struct FreshList<'b> {
    pub(super) payload: Reader<'b>,
    pub(super) owner: Owner,
    pub(super) value_type: Option<ValueType>,
    pub(super) count: usize,
}

/// Opens a frame of fresh encryptions, whose payload begins with the type of its values and their
/// number of blocks, and has the length that `payload_len` returns for that number.
pub(super) fn open_fresh_list<'b>(
    kind: Kind,
    params: &Params,
    bytes: &'b [u8],
    payload_len: fn(&Params, usize) -> usize,
) -> Result<FreshList<'b>, Error> {
    let (frame, content) = open_values(bytes, kind, params)?;
    let Content::Fresh(owner) = content else { return Err(WireError::NotFresh.into()) };
    let mut payload = frame.payload;
    let value_type = read_type(payload.array()?)?;
    let count = payload.u64()?;
    at_most("blocks", count, MOST as u64)?;
    let count = count as usize;
    frame.expect(&params.id(), payload_len(params, count))?;
    check_count(value_type, count)?;
    Ok(FreshList { payload, owner, value_type, count })
}

impl CompactList {
    /// Encodes the list as a frame.
    ///
    /// # Errors
    /// [`WireError::Range`] if it has more than `2^20` blocks.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let (params, count) = (self.params(), self.len());
        at_most("blocks", count as u64, MOST as u64)?;
        let (bits, mark) = (params.list_bits(), Mark::fresh(self.key_id()));
        Ok(seal_torus(Kind::CiphertextList, params, mark, payload_len(params, count), |out| {
            out.extend(write_type(self.value_type()));
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
    /// Any [`WireError`] of a damaged or foreign frame; [`Error::Transparent`] if a mask is
    /// zero.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        let list = open_fresh_list(Kind::CiphertextList, params, bytes, payload_len)?;
        let FreshList { mut payload, owner, value_type, count } = list;
        let (degree, bits) = (params.spec().degree, params.list_bits());
        let mut read = |words: usize| -> Result<Vec<u64>, Error> {
            let mut row = vec![0; words];
            unpack_high(payload.take(packed_len(words, bits))?, bits, &mut row);
            Ok(row)
        };
        let masks = read(count.div_ceil(degree) * degree)?;
        let mut bodies = read(count.next_multiple_of(64))?;
        payload.finish()?;
        if masks.chunks_exact(degree).any(|mask| mask.iter().all(|&word| word == 0)) {
            return Err(transparent());
        }
        if bodies.split_off(count).iter().any(|&word| word != 0) {
            return Err(WireError::Malformed { field: "filling" }.into());
        }
        let list = CompactList::from_parts(params.clone(), owner.key(), masks, bodies);
        Ok(list.typed(value_type))
    }

    /// Returns the length of [`CompactList::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params(), self.len())
    }
}

/// Encodes the type of the list's values; zeros for a list of blocks.
pub(super) fn write_type(value_type: Option<ValueType>) -> [u8; ValueType::WIRE_BYTES] {
    value_type.map_or([0; ValueType::WIRE_BYTES], ValueType::to_wire)
}

pub(super) fn read_type(bytes: [u8; ValueType::WIRE_BYTES]) -> Result<Option<ValueType>, Error> {
    if bytes == [0; ValueType::WIRE_BYTES] {
        return Ok(None);
    }
    let value_type = ValueType::from_wire(bytes).filter(|ty| ty.is_radix());
    Ok(Some(value_type.ok_or(WireError::Malformed { field: "type of integer" })?))
}

/// Refuses a list whose number of blocks is not a multiple of that of its type.
pub(super) fn check_count(value_type: Option<ValueType>, count: usize) -> Result<(), Error> {
    if value_type.is_none_or(|ty| count.is_multiple_of(ty.blocks())) {
        return Ok(());
    }
    Err(WireError::Malformed { field: "blocks" }.into())
}
