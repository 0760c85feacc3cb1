//! The encrypted integer of a type that is known at run time.

use super::digits;
use super::traits::{self, FheInteger, FheValue, Typed, sealed};
use crate::tfhe::clear::Clear;
use crate::tfhe::{Block, Error};
use ethnum::U256;
use fathom_base::ValueType;

/// An encrypted integer whose width and sign are known at run time, for programs that read them
/// from a file or a request.
///
/// Every operation on [`FheUint`](super::FheUint) and [`FheInt`](super::FheInt) also takes this
/// type; the operands of one operation must have the same [`ValueType`]. Where the result alone
/// tells the type, a form of the operation takes it as an argument: `Integers::cast_to`,
/// `lookup_clear_to`, `dot_clear_to`, `decompress_radix`. Both convert into it, and
/// [`RadixInt::to_word`] converts back.
#[derive(Clone)]
pub struct RadixInt {
    ty: ValueType,
    blocks: Vec<Block>,
}

impl RadixInt {
    /// Wraps blocks that hold the digits of a value of type `ty`.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if `ty` is not a type of integers; [`Error::NotCanonical`] if the
    /// number, space, range or noise of the blocks is not that of the type.
    pub fn from_blocks(ty: ValueType, blocks: Vec<Block>) -> Result<RadixInt, Error> {
        let ty = integer_type(ty)?;
        digits::check_canonical(&blocks, ty.bits().into())?;
        Ok(RadixInt { ty, blocks })
    }

    /// Encrypts a value: `block` makes the block of each digit (0 to 3, least significant first).
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value; [`Error::TypeMismatch`] and
    /// [`Error::NotCanonical`] as in [`RadixInt::from_blocks`].
    pub fn from_digits(
        ty: ValueType,
        value: impl Into<Clear>,
        block: impl FnMut(i32) -> Block,
    ) -> Result<RadixInt, Error> {
        let bits = value.into().bits_of(integer_type(ty)?)?;
        RadixInt::from_blocks(ty, digits::of(bits, ty.bits().into()).map(block).collect())
    }

    /// Returns the trivial ciphertext of a value, which hides nothing.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value; [`Error::TypeMismatch`] if
    /// `ty` is not a type of integers.
    pub fn trivial(ty: ValueType, value: impl Into<Clear>) -> Result<RadixInt, Error> {
        RadixInt::from_digits(ty, value, |digit| Block::trivial(digits::SPACE, digit))
    }

    /// Returns the value as a `T`, which must be the type of the value.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if it has another type.
    pub fn to_word<T: Typed>(&self) -> Result<T, Error> {
        let (expected, got) = (ValueType::of::<T>(), self.ty);
        if got != expected {
            return Err(Error::TypeMismatch { expected, got: Some(got) });
        }
        Ok(T::wrap(self.ty, self.blocks.clone()))
    }
}

/// Returns the type, if it is one of integers.
///
/// # Errors
/// [`Error::TypeMismatch`].
pub(in crate::tfhe::integer) fn integer_type(ty: ValueType) -> Result<ValueType, Error> {
    if ty.is_radix() && ty.bits() > 1 {
        return Ok(ty);
    }
    Err(Error::TypeMismatch { expected: ValueType::radix(64, false), got: Some(ty) })
}

impl std::fmt::Debug for RadixInt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        traits::debug(self, f)
    }
}

impl sealed::Sealed for RadixInt {
    fn static_type() -> Option<ValueType> {
        None
    }

    fn wrap(ty: ValueType, blocks: Vec<Block>) -> RadixInt {
        debug_assert!(digits::check_canonical(&blocks, ty.bits().into()).is_ok());
        RadixInt { ty, blocks }
    }
}

impl FheValue for RadixInt {
    type Sum = RadixInt;

    fn value_type(&self) -> ValueType {
        self.ty
    }

    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl FheInteger for RadixInt {
    type Message = Clear;
    type Unsigned = RadixInt;
    /// Products of more than 256 bits are refused.
    type Wide = RadixInt;

    fn message(&self, bits: U256) -> Clear {
        Clear::of_bits(self.ty, bits)
    }
}
