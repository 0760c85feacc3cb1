//! Lists of blocks encrypted under the secret key, with one seed for all masks.

use super::compact_list::{FreshList, read_fresh_list, write_type};
use super::{SCHEME, of_fresh};
use crate::Error;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{Params, SeededList};
use crate::wire::frame::Frame;
use crate::wire::{Header, Kind, Trust, Wire, WireObject};

/// Returns the length of the type, the count, the seed, and the bodies of whole bytes.
fn payload_len(params: &Params, count: usize) -> usize {
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
        let FreshList { owner, value_type, count } = read_fresh_list(params, frame, payload_len)?;
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
        payload_len(self.params(), self.len())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(write_type(self.value_type()));
        out.extend((self.len() as u64).to_le_bytes());
        out.extend(self.seed().0);
        let unsent = 8 - body_len(self.params());
        out.extend(self.bodies().iter().flat_map(|b| b.to_le_bytes().into_iter().skip(unsent)));
    }
}
