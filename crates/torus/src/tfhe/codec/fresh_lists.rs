//! The wire forms of lists of fresh encryptions: under a public key, with masks for every `N`
//! blocks, and under the secret key, with one seed for all masks.
//!
//! Both begin with the type of the values and the number of blocks, which determines the length.

use super::{Content, SCHEME, content, of_fresh};
use crate::Error;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{CompactList, Owner, Params, SeededList};
use crate::wire::frame::{Frame, transparent};
use crate::wire::pack::{pack_high, packed_len, unpack_high};
use crate::wire::reader::at_most;
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};

/// Returns the length of the type, the count, a mask for every `N` blocks, and a word for each
/// block, padded to a multiple of 64 words.
fn compact_len(params: &Params, count: usize) -> usize {
    let (degree, bits) = (params.spec().degree, params.list_bits());
    let bodies = packed_len(count.next_multiple_of(64), bits);
    ValueType::WIRE_BYTES + 8 + count.div_ceil(degree) * packed_len(degree, bits) + bodies
}

/// A frame of fresh encryptions, read up to the number of blocks.
pub(super) struct FreshList {
    pub(super) owner: Owner,
    pub(super) value_type: Option<ValueType>,
    pub(super) count: usize,
}

/// Checks a frame of fresh encryptions, whose payload begins with the type of its values and their
/// number of blocks, and has the length that `payload_len` returns for that number.
pub(super) fn read_fresh_list(
    params: &Params,
    frame: &mut Frame<'_>,
    payload_len: fn(&Params, usize) -> usize,
) -> Result<FreshList, Error> {
    let Content::Fresh(owner) = content(frame, params)? else {
        return Err(WireError::NotFresh.into());
    };
    let whole = *frame;
    let value_type = read_type(frame.payload.array()?)?;
    let count = frame.payload.u64()?;
    at_most("blocks", count, CompactList::MOST as u64)?;
    let count = count as usize;
    whole.expect(&params.id(), payload_len(params, count))?;
    check_count(value_type, count)?;
    Ok(FreshList { owner, value_type, count })
}

impl Wire for CompactList {
    type Context = Params;
    const KIND: Kind = Kind::CiphertextList;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        let FreshList { owner, value_type, count } = read_fresh_list(params, frame, compact_len)?;
        let (degree, bits) = (params.spec().degree, params.list_bits());
        let mut read = |words: usize| -> Result<Vec<u64>, Error> {
            let mut row = vec![0; words];
            unpack_high(frame.payload.take(packed_len(words, bits))?, bits, &mut row);
            Ok(row)
        };
        let masks = read(count.div_ceil(degree) * degree)?;
        let mut bodies = read(count.next_multiple_of(64))?;
        if masks.chunks_exact(degree).any(|mask| mask.iter().all(|&word| word == 0)) {
            return Err(transparent());
        }
        if bodies.split_off(count).iter().any(|&word| word != 0) {
            return Err(WireError::Malformed { field: "filling" }.into());
        }
        let list = CompactList::from_parts(params.clone(), owner.key(), masks, bodies);
        Ok(list.typed(value_type))
    }
}

impl WireObject for CompactList {
    fn header(&self) -> Header {
        of_fresh(self.params(), self.key_id())
    }

    fn payload_len(&self) -> usize {
        compact_len(self.params(), self.len())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let bits = self.params().list_bits();
        out.extend(write_type(self.value_type()));
        out.extend((self.len() as u64).to_le_bytes());
        pack_high(self.masks(), bits, out);
        let mut bodies = self.bodies().to_vec();
        bodies.resize(self.len().next_multiple_of(64), 0);
        pack_high(&bodies, bits, out);
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

/// Returns the length of the type, the count, the seed, and the bodies of whole bytes.
fn seeded_len(params: &Params, count: usize) -> usize {
    ValueType::WIRE_BYTES + 8 + 32 + count * body_len(params)
}

fn body_len(params: &Params) -> usize {
    params.seeded_bits() as usize / 8
}

/// The masks, of `4 k N` bytes for each block, are made by [`SeededList::expand`] only.
impl Wire for SeededList {
    type Context = Params;
    const KIND: Kind = Kind::SeededList;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        let FreshList { owner, value_type, count } = read_fresh_list(params, frame, seeded_len)?;
        let seed = frame.payload.seed()?;
        let length = body_len(params);
        let bodies = frame.payload.take(count * length)?.chunks_exact(length).map(|bytes| {
            let mut word = [0; 8];
            word[8 - length..].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        });
        let list = SeededList::from_parts(params.clone(), owner.key(), seed, bodies.collect());
        Ok(list.typed(value_type))
    }
}

impl WireObject for SeededList {
    fn header(&self) -> Header {
        of_fresh(self.params(), self.key_id())
    }

    fn payload_len(&self) -> usize {
        seeded_len(self.params(), self.len())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(write_type(self.value_type()));
        out.extend((self.len() as u64).to_le_bytes());
        out.extend(self.seed().0);
        let unsent = 8 - body_len(self.params());
        out.extend(self.bodies().iter().flat_map(|b| b.to_le_bytes().into_iter().skip(unsent)));
    }
}
