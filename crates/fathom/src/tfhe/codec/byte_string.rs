//! Encrypted byte strings: their kind of padding and their digits.

use super::block::{check, mark};
use super::radix::{NOT_THE_TYPE, digits_len, read_digits, write_digits};
use super::{Content, Trust, open_values, seal_torus};
use crate::Error;
use crate::tfhe::Params;
use crate::tfhe::integer::{FheBytes, Padding};
use crate::wire::WireError;
use crate::wire::frame::OVERHEAD;
use crate::wire::kind::Kind;
use crate::wire::reader::at_most;

/// The greatest number of bytes of a string on the wire.
const MOST: usize = FheBytes::MOST;

/// The number of blocks of a byte.
const BYTE_BLOCKS: usize = 4;

/// Returns the length of the kind of padding, the number of bytes and the digits.
fn payload_len(params: &Params, string: &FheBytes) -> usize {
    1 + 4 + digits_len(params, string.blocks())
}

impl FheBytes {
    /// Encodes the string as a frame. Clear digits, such as those of clear bytes that it was
    /// concatenated with, remain clear.
    ///
    /// # Errors
    /// [`WireError::Range`] if it has more than `2^16` bytes, or as in
    /// [`Block::to_bytes`](crate::tfhe::Block::to_bytes); [`Error::ParamsMismatch`] if it belongs
    /// to another parameter set; [`Error::Simulated`].
    pub fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, Error> {
        at_most("bytes of the string", self.capacity() as u64, MOST as u64)?;
        self.blocks().iter().try_for_each(|block| check(block, params).map(drop))?;
        let (mark, length) = (mark(self.blocks()), payload_len(params, self));
        Ok(seal_torus(Kind::ByteString, params, mark, length, |out| {
            out.push(u8::from(self.padding() == Padding::Zeros));
            out.extend((self.capacity() as u32).to_le_bytes());
            write_digits(self.blocks(), out);
        }))
    }

    /// Reads a string of these parameters. Range and noise of its blocks are claims of the sender,
    /// as in [`Block::from_bytes`](crate::tfhe::Block::from_bytes).
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Malformed`] if its blocks
    /// cannot be those of bytes.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<FheBytes, Error> {
        read(params, bytes, Trust::Claims)
    }

    /// Reads a fresh encryption of an untrusted sender, as
    /// [`Block::from_bytes_fresh`](crate::tfhe::Block::from_bytes_fresh) does: claims of range and
    /// noise are ignored.
    ///
    /// # Errors
    /// [`WireError::NotFresh`] unless the frame is marked as a fresh encryption, which that of an
    /// empty string is not; the errors of [`FheBytes::from_bytes`].
    pub fn from_bytes_fresh(params: &Params, bytes: &[u8]) -> Result<FheBytes, Error> {
        read(params, bytes, Trust::FreshOnly)
    }

    /// Returns the length of [`FheBytes::to_bytes`] in bytes.
    pub fn byte_len(&self, params: &Params) -> usize {
        OVERHEAD + payload_len(params, self)
    }
}

fn read(params: &Params, bytes: &[u8], trust: Trust) -> Result<FheBytes, Error> {
    let (frame, content) = open_values(bytes, Kind::ByteString, params)?;
    if trust == Trust::FreshOnly && !matches!(content, Content::Fresh(_)) {
        return Err(WireError::NotFresh.into());
    }
    let mut payload = frame.payload;
    let padding = match payload.u8()? {
        0 => Padding::None,
        1 => Padding::Zeros,
        _ => return Err(WireError::Malformed { field: "padding" }.into()),
    };
    let count = payload.u32()?;
    at_most("bytes of the string", count.into(), MOST as u64)?;
    let count = BYTE_BLOCKS * count as usize;
    let blocks = read_digits(params, content, trust, count, &mut payload)?;
    payload.finish()?;
    FheBytes::from_blocks(blocks, padding).map_err(|_| NOT_THE_TYPE)
}
