//! Encrypted integers, truth values, bits and small integers: their type and their blocks.

use super::block::{block_len, header, read_clear, read_encrypted, write};
use super::{Content, SCHEME, content};
use crate::Error;
use crate::tfhe::boolean::Bit;
use crate::tfhe::integer::{FheBool, FheInt, FheUint, FheValue, RadixInt, Typed, ValueType};
use crate::tfhe::shortint::ShortInt;
use crate::tfhe::{Block, Params};
use crate::wire::frame::Frame;
use crate::wire::reader::Reader;
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireFresh, WireValue};

/// The form of a digit.
#[derive(Clone, Copy)]
enum Digit {
    /// The value of a clear digit.
    Clear = 0,
    /// An encrypted block.
    Encrypted = 1,
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

/// Reads a value of the expected type, or of any type, and returns its type and its blocks.
fn read_radix(
    expected: Option<ValueType>,
    params: &Params,
    frame: &mut Frame<'_>,
    trust: Trust,
) -> Result<(ValueType, Vec<Block>), Error> {
    let content = content(frame, params)?;
    if trust == Trust::FreshOnly && !matches!(content, Content::Fresh(_)) {
        return Err(WireError::NotFresh.into());
    }
    let got = ValueType::from_wire(frame.payload.array()?);
    let got = got.ok_or(WireError::Malformed { field: "type of integer" })?;
    if let Some(expected) = expected.filter(|&expected| got != expected) {
        return Err(WireError::ValueType { expected, got }.into());
    }
    let blocks = read_digits(params, content, trust, got.blocks(), &mut frame.payload)?;
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

/// Values of one or more blocks: their type, and how blocks become one.
macro_rules! wire {
    ($([$($bits:tt)*] $value:ty: $ty:expr, $blocks:expr, $read:expr;)*) => {$(
        impl<$($bits)*> Wire for $value {
            type Context = Params;
            const KIND: Kind = Kind::RadixValue;
            const SCHEME: &'static str = SCHEME;

            fn read(params: &Params, frame: &mut Frame<'_>, trust: Trust) -> Result<Self, Error> {
                $read(params, frame, trust)
            }
        }

        impl<$($bits)*> WireFresh for $value {}

        impl<$($bits)*> WireValue for $value {
            fn header(&self, params: &Params) -> Result<Header, Error> {
                header($blocks(self), params)
            }

            fn payload_len(&self, params: &Params) -> usize {
                ValueType::WIRE_BYTES + digits_len(params, $blocks(self))
            }

            fn write(&self, params: &Params, out: &mut Vec<u8>) {
                out.extend($ty(self, params).to_wire());
                write_digits($blocks(self), out);
            }
        }
    )*};
}

wire! {
    [const BITS: usize] FheUint<BITS>: radix_type, FheValue::blocks, word;
    [const BITS: usize] FheInt<BITS>: radix_type, FheValue::blocks, word;
    [] FheBool: radix_type, FheValue::blocks, truth_value;
    [] RadixInt: radix_type, FheValue::blocks, radix_int;
    [] Bit: |_, _| ValueType::BIT, bit_blocks, bit;
    [] ShortInt: |_, params| short_int_type(params), int_blocks, short_int;
}

fn radix_type<T: FheValue>(value: &T, _: &Params) -> ValueType {
    value.value_type()
}

fn short_int_type(params: &Params) -> ValueType {
    ValueType::short_int(params.spec().message_bits)
}

fn bit_blocks(bit: &Bit) -> &[Block] {
    std::slice::from_ref(bit.block())
}

fn int_blocks(int: &ShortInt) -> &[Block] {
    std::slice::from_ref(int.block())
}

fn word<T: Typed>(params: &Params, frame: &mut Frame<'_>, trust: Trust) -> Result<T, Error> {
    let (_, blocks) = read_radix(Some(ValueType::of::<T>()), params, frame, trust)?;
    T::from_blocks(blocks).map_err(|_| NOT_THE_TYPE)
}

/// Reads the block of a type that has one.
fn single(
    ty: ValueType,
    params: &Params,
    frame: &mut Frame<'_>,
    trust: Trust,
) -> Result<Block, Error> {
    let (_, blocks) = read_radix(Some(ty), params, frame, trust)?;
    blocks.into_iter().next().ok_or(NOT_THE_TYPE)
}

fn truth_value(params: &Params, frame: &mut Frame<'_>, trust: Trust) -> Result<FheBool, Error> {
    let block = single(ValueType::of::<FheBool>(), params, frame, trust)?;
    match trust {
        Trust::Claims => FheBool::from_block(block).map_err(|_| NOT_THE_TYPE),
        Trust::FreshOnly => FheBool::from_untrusted(block).ok_or(NOT_THE_TYPE),
    }
}

fn bit(params: &Params, frame: &mut Frame<'_>, trust: Trust) -> Result<Bit, Error> {
    let block = single(ValueType::BIT, params, frame, trust)?;
    match trust {
        Trust::Claims => Bit::from_block(params, block).map_err(|_| NOT_THE_TYPE),
        Trust::FreshOnly => Bit::from_untrusted(params, block).ok_or(NOT_THE_TYPE),
    }
}

fn short_int(params: &Params, frame: &mut Frame<'_>, trust: Trust) -> Result<ShortInt, Error> {
    let block = single(short_int_type(params), params, frame, trust)?;
    ShortInt::from_block(params, block).map_err(|_| NOT_THE_TYPE)
}

/// Reads an integer of any type.
fn radix_int(params: &Params, frame: &mut Frame<'_>, trust: Trust) -> Result<RadixInt, Error> {
    let (ty, blocks) = read_radix(None, params, frame, trust)?;
    RadixInt::from_blocks(ty, blocks).map_err(|_| NOT_THE_TYPE)
}

/// The error for blocks whose range or noise is not that of the type.
pub(super) const NOT_THE_TYPE: Error = Error::Wire(WireError::Malformed { field: "digits" });
