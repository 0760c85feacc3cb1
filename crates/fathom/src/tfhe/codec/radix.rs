//! Encrypted integers, truth values, bits and small integers: their type and their blocks.

use super::block::{block_len, check, mark, read_clear, read_encrypted, write};
use super::{Content, Trust, open_values, seal_torus};
use crate::Error;
use crate::tfhe::boolean::Bit;
use crate::tfhe::integer::{
    AnyRadixValue, FheBool, FheInt, FheUint, RadixInt, RadixValue, ValueType,
};
use crate::tfhe::shortint::ShortInt;
use crate::tfhe::{Block, Params};
use crate::wire::WireError;
use crate::wire::frame::OVERHEAD;
use crate::wire::kind::Kind;
use crate::wire::reader::Reader;

/// The form of a digit.
#[derive(Clone, Copy)]
enum Digit {
    /// The value of a clear digit.
    Clear = 0,
    /// An encrypted block.
    Encrypted = 1,
}

fn payload_len(params: &Params, blocks: &[Block]) -> usize {
    ValueType::WIRE_BYTES + digits_len(params, blocks)
}

/// Returns the length of digits with their forms.
pub(super) fn digits_len(params: &Params, blocks: &[Block]) -> usize {
    blocks.iter().map(|block| 1 + block_len(params, block)).sum()
}

/// Appends digits with their forms.
pub(super) fn write_digits(blocks: &[Block], out: &mut Vec<u8>) {
    for block in blocks {
        let digit = if block.is_clear() { Digit::Clear } else { Digit::Encrypted };
        out.push(digit as u8);
        write(block, out);
    }
}

fn write_radix(ty: ValueType, blocks: &[Block], params: &Params) -> Result<Vec<u8>, Error> {
    blocks.iter().try_for_each(|block| check(block, params).map(drop))?;
    Ok(seal_torus(Kind::RadixValue, params, mark(blocks), payload_len(params, blocks), |out| {
        out.extend(ty.to_wire());
        write_digits(blocks, out);
    }))
}

/// Reads a value of the expected type, or of any type, and returns its type and its blocks.
fn read_radix(
    expected: Option<ValueType>,
    params: &Params,
    bytes: &[u8],
    trust: Trust,
) -> Result<(ValueType, Vec<Block>), Error> {
    let (frame, content) = open_values(bytes, Kind::RadixValue, params)?;
    if trust == Trust::FreshOnly && !matches!(content, Content::Fresh(_)) {
        return Err(WireError::NotFresh.into());
    }
    let mut payload = frame.payload;
    let got = ValueType::from_wire(payload.array()?);
    let got = got.ok_or(WireError::Malformed { field: "type of integer" })?;
    if let Some(expected) = expected.filter(|&expected| got != expected) {
        return Err(WireError::ValueType { expected, got }.into());
    }
    let blocks = read_digits(params, content, trust, got.blocks(), &mut payload)?;
    payload.finish()?;
    Ok((got, blocks))
}

/// Reads `count` digits of a frame with this content.
pub(super) fn read_digits(
    params: &Params,
    content: Content,
    trust: Trust,
    count: usize,
    payload: &mut Reader<'_>,
) -> Result<Vec<Block>, Error> {
    let mut blocks = Vec::new();
    for _ in 0..count {
        blocks.push(read_digit(params, content, trust, payload)?);
    }
    // The form of a frame is unique: fresh encryptions have no clear digits between them.
    let clear = blocks.iter().filter(|block| block.is_clear()).count();
    let right = match content {
        Content::Clear => true,
        Content::Fresh(_) => clear == 0 && count > 0,
        Content::Computed(_) => clear < blocks.len(),
    };
    if right { Ok(blocks) } else { Err(WireError::Malformed { field: "flags" }.into()) }
}

fn read_digit(
    params: &Params,
    content: Content,
    trust: Trust,
    payload: &mut Reader<'_>,
) -> Result<Block, Error> {
    match payload.u8()? {
        0 => read_clear(params, payload),
        1 => read_encrypted(params, content, trust, payload),
        _ => Err(WireError::Malformed { field: "kind of digit" }.into()),
    }
}

macro_rules! wire {
    ($($(#[$doc:meta])+ $type:ty $(, const $bits:ident)?;
        $ty:expr, $blocks:expr, $wrap:expr, $wrap_untrusted:expr;)*) => {$(
        impl$(<const $bits: usize>)? $type {
            $(#[$doc])+
            /// Encodes the value. A clear value is marked as such and sent as its digits.
            ///
            /// # Errors
            /// [`Error::ParamsMismatch`] if it belongs to another parameter set;
            /// [`WireError::Range`] as in [`Block::to_bytes`]; [`Error::Simulated`].
            pub fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, Error> {
                write_radix($ty(params), $blocks(self), params)
            }

            /// Reads a value of these parameters. Range and noise of its blocks are claims of the
            /// sender, as in [`Block::from_bytes`].
            ///
            /// # Errors
            /// Any [`WireError`] of a damaged or foreign frame; [`WireError::ValueType`] if it
            /// holds another type; [`WireError::Malformed`] if its blocks cannot be those of the
            /// type.
            pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
                $wrap(params, read_radix(Some($ty(params)), params, bytes, Trust::Claims)?.1)
            }

            /// Reads a fresh encryption of an untrusted sender, as [`Block::from_bytes_fresh`]
            /// does: claims of range and noise are ignored.
            ///
            /// # Errors
            /// [`WireError::NotFresh`] unless the frame is marked as a fresh encryption; the errors
            /// of `from_bytes`.
            pub fn from_bytes_fresh(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
                let (_, blocks) = read_radix(Some($ty(params)), params, bytes, Trust::FreshOnly)?;
                $wrap_untrusted(params, blocks)
            }

            /// Returns the length of the frame in bytes.
            pub fn byte_len(&self, params: &Params) -> usize {
                OVERHEAD + payload_len(params, $blocks(self))
            }
        }
    )*};
}

/// Returns the value with these blocks.
fn word<T: RadixValue>(_: &Params, blocks: Vec<Block>) -> Result<T, Error> {
    T::from_blocks(blocks).map_err(|_| NOT_THE_TYPE)
}

fn value_type<T: RadixValue>(_: &Params) -> ValueType {
    ValueType::of::<T>()
}

fn bit_blocks(bit: &Bit) -> &[Block] {
    std::slice::from_ref(bit.block())
}

fn short_int_type(params: &Params) -> ValueType {
    ValueType::short_int(params.spec().message_bits)
}

fn int_blocks(int: &ShortInt) -> &[Block] {
    std::slice::from_ref(int.block())
}

fn short_int(params: &Params, blocks: Vec<Block>) -> Result<ShortInt, Error> {
    ShortInt::from_block(params, single(blocks)?).map_err(|_| NOT_THE_TYPE)
}

/// Returns the block of a type that has one block.
fn single(blocks: Vec<Block>) -> Result<Block, Error> {
    blocks.into_iter().next().ok_or(NOT_THE_TYPE)
}

wire! {
    /// Encodes the integer as a frame. Clear digits, such as those that a shift has filled in,
    /// remain clear.
    FheUint<BITS>, const BITS; value_type::<FheUint<BITS>>, AnyRadixValue::blocks, word, word;
    /// Encodes the integer as a frame. Clear digits, such as those that a shift has filled in,
    /// remain clear.
    FheInt<BITS>, const BITS; value_type::<FheInt<BITS>>, AnyRadixValue::blocks, word, word;
    /// Encodes the truth value as a frame.
    FheBool; value_type::<FheBool>, AnyRadixValue::blocks,
        |_, blocks| FheBool::from_block(single(blocks)?).map_err(|_| NOT_THE_TYPE),
        |_, blocks| FheBool::from_untrusted(single(blocks)?).ok_or(NOT_THE_TYPE);
    /// Encodes the bit as a frame.
    Bit; |_| ValueType::BIT, bit_blocks,
        |params, blocks| Bit::from_block(params, single(blocks)?).map_err(|_| NOT_THE_TYPE),
        |params, blocks| Bit::from_untrusted(params, single(blocks)?).ok_or(NOT_THE_TYPE);
    /// Encodes the small integer as a frame.
    ShortInt; short_int_type, int_blocks, short_int, short_int;
}

impl RadixInt {
    /// Encodes the integer as a frame, which is that of the type of this width and sign.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if it belongs to another parameter set; [`WireError::Range`]
    /// as in [`Block::to_bytes`]; [`Error::Simulated`].
    pub fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, Error> {
        write_radix(self.value_type(), self.blocks(), params)
    }

    /// Reads an integer of any type and of these parameters. Range and noise of its blocks are
    /// claims of the sender, as in [`Block::from_bytes`].
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Malformed`] if it is not an
    /// integer.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        radix_int(read_radix(None, params, bytes, Trust::Claims)?)
    }

    /// Reads a fresh encryption of an untrusted sender, as [`Block::from_bytes_fresh`] does:
    /// claims of range and noise are ignored.
    ///
    /// # Errors
    /// [`WireError::NotFresh`] unless the frame is marked as a fresh encryption; the errors of
    /// [`RadixInt::from_bytes`].
    pub fn from_bytes_fresh(params: &Params, bytes: &[u8]) -> Result<Self, Error> {
        radix_int(read_radix(None, params, bytes, Trust::FreshOnly)?)
    }

    /// Returns the length of the frame in bytes.
    pub fn byte_len(&self, params: &Params) -> usize {
        OVERHEAD + payload_len(params, self.blocks())
    }
}

fn radix_int((ty, blocks): (ValueType, Vec<Block>)) -> Result<RadixInt, Error> {
    RadixInt::from_blocks(ty, blocks).map_err(|_| NOT_THE_TYPE)
}

/// The error for blocks whose range or noise is not that of the type.
pub(super) const NOT_THE_TYPE: Error = Error::Wire(WireError::Malformed { field: "digits" });
