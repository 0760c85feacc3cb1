//! The traits that the encrypted types share, and their type identifiers.

use super::super::Block;
use super::digits;
use super::{Clear, U256, Value};
use crate::tfhe::{Error, Params};
use std::fmt;

pub(crate) mod sealed {
    use super::{Block, WordType};

    /// A sealed trait: only the types of this module are encrypted values.
    pub trait Sealed: Sized {
        /// Wraps canonical blocks, as many as the type has.
        fn wrap(blocks: Vec<Block>) -> Self;
    }

    /// A sealed trait: only the types of this module are encrypted values of any type.
    pub trait SealedAny: Sized {
        /// Returns the type of all values; `None` if each value has a type of its own.
        fn static_type() -> Option<WordType>;

        /// Wraps canonical blocks, as many as the type `ty` has, which is [`Self::static_type`] if
        /// there is one.
        fn wrap_as(ty: WordType, blocks: Vec<Block>) -> Self;
    }
}

/// The type of an encrypted integer, truth value, bit or small integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WordType {
    bits: u16,
    form: Form,
}

/// The encoding of a value in its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// Base-4 digits.
    Unsigned,
    /// Base-4 digits in two's complement.
    Signed,
    /// A bit of [`boolean`](crate::tfhe::boolean), in one block.
    Bit,
    /// A message with carry, in one block.
    ShortInt,
}

impl WordType {
    /// The number of bytes of a type in frames.
    pub(crate) const WIRE_BYTES: usize = 3;

    /// The type [`Bit`](crate::tfhe::boolean::Bit).
    pub(crate) const BIT: WordType = WordType { bits: 1, form: Form::Bit };

    /// Returns the identifier of the type `T`.
    pub fn of<T: Word>() -> WordType {
        let form = if T::SIGNED { Form::Signed } else { Form::Unsigned };
        WordType { bits: T::BITS as u16, form }
    }

    /// Returns the type of unsigned integers of `bits` bits.
    ///
    /// # Errors
    /// [`Error::IntegerBits`] unless `bits` is even and between 2 and 256.
    pub fn unsigned(bits: usize) -> Result<WordType, Error> {
        Ok(WordType { bits: integer_bits(bits)?, form: Form::Unsigned })
    }

    /// Returns the type of signed integers of `bits` bits.
    ///
    /// # Errors
    /// [`Error::IntegerBits`] unless `bits` is even and between 2 and 256.
    pub fn signed(bits: usize) -> Result<WordType, Error> {
        Ok(WordType { bits: integer_bits(bits)?, form: Form::Signed })
    }

    /// Returns the unsigned type of the same number of bits.
    pub(crate) fn to_unsigned(self) -> WordType {
        WordType { form: Form::Unsigned, ..self }
    }

    /// Returns the type [`ShortInt`](crate::tfhe::shortint::ShortInt) for these parameters.
    pub(crate) fn short_int(params: &Params) -> WordType {
        WordType { bits: params.spec().message_bits as u16, form: Form::ShortInt }
    }

    /// Encodes the number of bits and the form, as in frames.
    pub(crate) fn to_wire(self) -> [u8; WordType::WIRE_BYTES] {
        let [low, high] = self.bits.to_le_bytes();
        [low, high, self.form as u8]
    }

    /// Returns the type with this encoding, if there is one.
    pub(crate) fn from_wire([low, high, form]: [u8; WordType::WIRE_BYTES]) -> Option<WordType> {
        let bits = u16::from_le_bytes([low, high]);
        let form = match (form, bits) {
            (0, 1) => Form::Unsigned,
            (0, 2..=256) if bits.is_multiple_of(2) => Form::Unsigned,
            (1, 2..=256) if bits.is_multiple_of(2) => Form::Signed,
            (2, 1) => Form::Bit,
            (3, 1..=11) => Form::ShortInt,
            _ => return None,
        };
        Some(WordType { bits, form })
    }

    /// Returns whether lists can have this type, that is, whether it is an integer or a truth
    /// value.
    pub(crate) fn is_word(self) -> bool {
        matches!(self.form, Form::Unsigned | Form::Signed)
    }

    /// Returns the number of bits of a value.
    pub fn bits(self) -> u16 {
        self.bits
    }

    /// Returns whether values are in two's complement.
    pub fn is_signed(self) -> bool {
        self.form == Form::Signed
    }

    /// Returns the number of blocks of a value.
    pub(crate) fn blocks(self) -> usize {
        if self.is_word() { digits::count(self.bits.into()) } else { 1 }
    }

    /// Returns the greatest digit.
    pub(crate) fn top(self) -> i32 {
        if self.bits == 1 { 1 } else { digits::DIGIT_MAX }
    }
}

/// Returns the number of bits, if an integer can have it.
fn integer_bits(bits: usize) -> Result<u16, Error> {
    let allowed = (2..=256).contains(&bits) && bits.is_multiple_of(2);
    if allowed { Ok(bits as u16) } else { Err(Error::IntegerBits { bits }) }
}

/// Writes the name of the type.
impl fmt::Display for WordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.form, self.bits) {
            (Form::Unsigned, 1) => f.write_str("FheBool"),
            (Form::Unsigned, bits) => write!(f, "FheUint{bits}"),
            (Form::Signed, bits) => write!(f, "FheInt{bits}"),
            (Form::Bit, _) => f.write_str("Bit"),
            (Form::ShortInt, bits) => write!(f, "ShortInt of {bits} bits"),
        }
    }
}

/// An encrypted integer or truth value, of a type that is fixed ([`Word`]) or known at run time
/// ([`RadixInt`](super::RadixInt)): a vector of canonical blocks, least significant first.
pub trait AnyWord: sealed::SealedAny + Clone + fmt::Debug {
    /// Returns the type of the value.
    fn word_type(&self) -> WordType;

    /// Returns the blocks, of two bits each, least significant first.
    fn blocks(&self) -> &[Block];

    /// Returns the number of bits of the value.
    fn bits(&self) -> usize {
        self.word_type().bits().into()
    }

    /// Returns whether the value is in two's complement.
    fn is_signed(&self) -> bool {
        self.word_type().is_signed()
    }

    /// Wraps canonical blocks as a value of the same type.
    #[doc(hidden)]
    fn like(&self, blocks: Vec<Block>) -> Self {
        Self::wrap_as(self.word_type(), blocks)
    }
}

/// An encrypted integer or truth value whose type fixes the number of bits.
pub trait Word: AnyWord + sealed::Sealed {
    /// The number of bits of a value.
    const BITS: usize;
    /// True if the value is in two's complement.
    const SIGNED: bool;

    /// Wraps blocks that hold the digits of a value.
    ///
    /// # Errors
    /// [`Error::NotCanonical`] if their number, space, range or noise is not that of this type.
    fn from_blocks(blocks: Vec<Block>) -> Result<Self, Error> {
        digits::check_canonical(&blocks, Self::BITS)?;
        Ok(Self::wrap(blocks))
    }
}

/// Writes the type and the public metadata that its blocks have in common.
pub(super) fn debug<T: AnyWord>(word: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let blocks = word.blocks();
    let greatest = |of: fn(&Block) -> u32| blocks.iter().map(of).max().unwrap_or(0);
    let clear = blocks.iter().filter(|block| block.is_clear()).count();
    let (noise_variance, depth) = (greatest(Block::noise_variance), greatest(Block::depth));
    let ty = word.word_type();
    write!(
        f,
        "{ty}({} blocks, {clear} clear, noise variance {noise_variance}, depth {depth})",
        blocks.len()
    )
}

/// An encrypted integer of a width that is fixed ([`Integer`]) or known at run time
/// ([`RadixInt`](super::RadixInt)): an even number of bits from 2 to 256.
pub trait AnyInteger: AnyWord {
    /// The clear type.
    type Value: Copy + fmt::Debug + fmt::Display + Into<Clear>;

    /// The unsigned type of the same number of bits.
    type Unsigned: AnyInteger;

    /// Returns the clear value of these bits.
    fn value(&self, bits: U256) -> Self::Value;

    /// Returns the bits of the value as an unsigned integer, without a bootstrap.
    fn as_unsigned(&self) -> Self::Unsigned {
        sealed::SealedAny::wrap_as(self.word_type().to_unsigned(), self.blocks().to_vec())
    }

    /// Decrypts the value: `open` returns the digit of each block.
    fn to_digits(&self, open: impl FnMut(&Block) -> i32) -> Self::Value {
        self.value(digits::join(self.blocks().iter().map(open)))
    }
}

/// An encrypted integer whose type fixes the width.
///
/// Its [`AnyInteger::Value`] is `u8` to `u128` or `i8` to `i128` for their widths, and
/// [`U256`](super::U256) or [`I256`](super::I256) for all other widths.
pub trait Integer: Word + AnyInteger<Value: Value> {
    /// Encrypts a value: `block` makes the block of each digit (0 to 3, least significant first).
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value, [`Error::NotCanonical`] if
    /// `block` does not return canonical blocks.
    fn from_digits(
        value: impl Into<Clear>,
        block: impl FnMut(i32) -> Block,
    ) -> Result<Self, Error> {
        let bits = value.into().bits_of(WordType::of::<Self>())?;
        Self::from_blocks(digits::of(bits, Self::BITS).map(block).collect())
    }

    /// Returns the trivial ciphertext of a value, which hides nothing.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value.
    fn trivial(value: impl Into<Clear>) -> Result<Self, Error> {
        let bits = value.into().bits_of(WordType::of::<Self>())?;
        Ok(Self::wrap(digits::trivial(bits, Self::BITS)))
    }
}
