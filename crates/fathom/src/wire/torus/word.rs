//! Encrypted integers and truth values: their blocks in one frame.

use super::super::WireError;
use super::super::frame::{Kind, OVERHEAD, open};
use super::super::reader::Reader;
use super::block::{block_len, check, read, write};
use super::{SCHEME, seal_torus};
use crate::tfhe::integer::{FheBool, FheInt, FheUint, Word};
use crate::tfhe::{Block, Params};

/// Bits of the type, and whether it is signed.
const TYPE_BYTES: usize = 3;

/// A digit of a word.
#[derive(Clone, Copy)]
enum Digit {
    /// Its value, one byte.
    Clear = 0,
    /// A block.
    Encrypted = 1,
}

fn digit(block: &Block) -> Digit {
    if block.is_clear() { Digit::Clear } else { Digit::Encrypted }
}

fn payload_len(params: &Params, blocks: &[Block]) -> usize {
    let bytes = |block| match digit(block) {
        Digit::Clear => 1,
        Digit::Encrypted => block_len(params),
    };
    TYPE_BYTES + blocks.iter().map(|block| 1 + bytes(block)).sum::<usize>()
}

fn write_word<T: Word>(word: &T, params: &Params) -> Result<Vec<u8>, WireError> {
    let blocks = word.blocks();
    if blocks.iter().all(Block::is_clear) {
        return Err(WireError::Transparent);
    }
    if blocks.iter().any(|block| block.space() != params.space()) {
        return Err(WireError::ParamsMismatch);
    }
    blocks.iter().filter(|block| !block.is_clear()).try_for_each(|block| check(block, params))?;
    Ok(seal_torus(Kind::Word, params, payload_len(params, blocks), |out| {
        out.extend((T::BITS as u16).to_le_bytes());
        out.push(T::SIGNED.into());
        for block in blocks {
            out.push(digit(block) as u8);
            match digit(block) {
                Digit::Clear => out.push(block.space().decode(block.lwe().body()) as u8),
                Digit::Encrypted => write(block, out),
            }
        }
    }))
}

fn read_word<T: Word>(params: &Params, bytes: &[u8]) -> Result<T, WireError> {
    let frame = open(bytes, Kind::Word, SCHEME)?.plain()?;
    frame.belongs(&params.id())?;
    let mut payload = frame.payload;
    let (bits, signed) = (payload.u16()?, payload.u8()?);
    if (usize::from(bits), signed) != (T::BITS, u8::from(T::SIGNED)) {
        return Err(WireError::Malformed { field: "type of integer" });
    }
    let mut blocks = Vec::with_capacity(T::BITS.div_ceil(2));
    for _ in 0..T::BITS.div_ceil(2) {
        blocks.push(read_digit(params, &mut payload)?);
    }
    payload.finish()?;
    if blocks.iter().all(Block::is_clear) {
        return Err(WireError::Transparent);
    }
    T::from_blocks(blocks).map_err(|_| WireError::Malformed { field: "digits" })
}

fn read_digit(params: &Params, payload: &mut Reader<'_>) -> Result<Block, WireError> {
    match payload.u8()? {
        0 => match payload.u8()? {
            value @ 0..4 => Ok(Block::trivial(params.space(), value.into())),
            _ => Err(WireError::Malformed { field: "digit" }),
        },
        1 => read(params, payload),
        _ => Err(WireError::Malformed { field: "kind of digit" }),
    }
}

macro_rules! wire {
    ($($(#[$doc:meta])+ $type:ty $(, const $bits:ident)?;)*) => {$(
        impl$(<const $bits: usize>)? $type {
            $(#[$doc])+
            ///
            /// # Errors
            /// [`WireError::Transparent`] if no digit is encrypted; [`WireError::ParamsMismatch`]
            /// if it is not of these parameters; [`WireError::Range`] as of [`Block::to_bytes`].
            pub fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, WireError> {
                write_word(self, params)
            }

            /// Reads one of these parameters. Range and noise of its blocks are claims of the
            /// sender, as in [`Block::from_bytes`].
            ///
            /// # Errors
            /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Malformed`] if it
            /// holds another type, or blocks that are not canonical; [`WireError::Transparent`] if
            /// no digit is encrypted.
            pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, WireError> {
                read_word(params, bytes)
            }

            /// Bytes of the frame.
            pub fn byte_len(&self, params: &Params) -> usize {
                OVERHEAD + payload_len(params, self.blocks())
            }
        }
    )*};
}

wire! {
    /// The integer as a frame. Digits that are clear, such as those that a shift has filled, stay
    /// clear.
    FheUint<BITS>, const BITS;
    /// The integer as a frame. Digits that are clear, such as those that a shift has filled, stay
    /// clear.
    FheInt<BITS>, const BITS;
    /// The truth value as a frame.
    FheBool;
}
