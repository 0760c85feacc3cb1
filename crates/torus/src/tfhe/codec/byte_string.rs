//! Encrypted byte strings: their kind of padding and their digits.

use super::block::header;
use super::radix::{NOT_THE_TYPE, digits_len, read_digits, write_digits};
use super::{Content, SCHEME, content};
use crate::Error;
use crate::tfhe::Params;
use crate::tfhe::integer::{FheBytes, Padding};
use crate::wire::frame::Frame;
use crate::wire::reader::at_most;
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireFresh, WireValue};

/// The greatest number of bytes of a string on the wire.
const MOST: usize = FheBytes::MOST;

/// The number of blocks of a byte.
const BYTE_BLOCKS: usize = 4;

impl Wire for FheBytes {
    type Context = Params;
    const KIND: Kind = Kind::ByteString;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, trust: Trust) -> Result<FheBytes, Error> {
        let content = content(frame, params)?;
        if trust == Trust::FreshOnly && !matches!(content, Content::Fresh(_)) {
            return Err(WireError::NotFresh.into());
        }
        let payload = &mut frame.payload;
        let padding = match payload.u8()? {
            0 => Padding::None,
            1 => Padding::Zeros,
            _ => return Err(WireError::Malformed { field: "padding" }.into()),
        };
        let count = payload.u32()?;
        at_most("bytes of the string", count.into(), MOST as u64)?;
        let count = BYTE_BLOCKS * count as usize;
        let blocks = read_digits(params, content, trust, count, payload)?;
        FheBytes::from_blocks(blocks, padding).map_err(|_| NOT_THE_TYPE)
    }
}

/// An empty string is not marked as a fresh encryption.
impl WireFresh for FheBytes {}

impl WireValue for FheBytes {
    fn header(&self, params: &Params) -> Result<Header, Error> {
        at_most("bytes of the string", self.capacity() as u64, MOST as u64)?;
        header(self.blocks(), params)
    }

    /// The kind of padding, the number of bytes and the digits.
    fn payload_len(&self, params: &Params) -> usize {
        1 + 4 + digits_len(params, self.blocks())
    }

    fn write(&self, _: &Params, out: &mut Vec<u8>) {
        out.push(u8::from(self.padding() == Padding::Zeros));
        out.extend((self.capacity() as u32).to_le_bytes());
        write_digits(self.blocks(), out);
    }
}
