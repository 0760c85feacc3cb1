//! The operands of operations: encrypted or clear.

use super::{AnyInteger, AnyRadixValue, Clear, FheBool, I256, U256, ValueType, digits};
use crate::tfhe::{Block, Error};
use std::borrow::Cow;

/// The content of an operand.
#[derive(Clone, Debug)]
pub enum Side<'a> {
    /// The blocks of an encrypted value.
    Encrypted(&'a [Block]),
    /// A clear value, in two's complement over the bits of the type.
    Clear(U256),
}

impl<'a> Side<'a> {
    /// Returns the operand as blocks of an integer of `bits` bits; a clear value gives trivial
    /// blocks.
    pub(super) fn into_blocks(self, bits: usize) -> Cow<'a, [Block]> {
        match self {
            Side::Encrypted(blocks) => Cow::Borrowed(blocks),
            Side::Clear(value) => Cow::Owned(digits::trivial(value, bits)),
        }
    }
}

/// An operand of an operation on a `T`: a `&T`, a `T` or a clear value.
pub trait Operand<T: AnyRadixValue> {
    /// Returns the operand as a value of type `ty`.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the clear value;
    /// [`Error::TypeMismatch`] if the operand is encrypted and has another type.
    fn side(&self, ty: ValueType) -> Result<Side<'_>, Error>;

    /// Returns the type of the operand; `None` if it is clear.
    ///
    /// # Errors
    /// That of the expression whose result the operand is.
    fn value_type(&self) -> Result<Option<ValueType>, Error> {
        Ok(None)
    }
}

impl<T: AnyRadixValue> Operand<T> for &T {
    fn side(&self, ty: ValueType) -> Result<Side<'_>, Error> {
        encrypted(*self, ty)
    }

    fn value_type(&self) -> Result<Option<ValueType>, Error> {
        Ok(Some(AnyRadixValue::value_type(*self)))
    }
}

impl<T: AnyRadixValue> Operand<T> for T {
    fn side(&self, ty: ValueType) -> Result<Side<'_>, Error> {
        encrypted(self, ty)
    }

    fn value_type(&self) -> Result<Option<ValueType>, Error> {
        Ok(Some(AnyRadixValue::value_type(self)))
    }
}

/// Returns an encrypted operand, if it has the type `expected`.
pub(super) fn encrypted<T: AnyRadixValue>(
    word: &T,
    expected: ValueType,
) -> Result<Side<'_>, Error> {
    let got = word.value_type();
    if got == expected {
        return Ok(Side::Encrypted(word.blocks()));
    }
    Err(Error::TypeMismatch { expected, got: Some(got) })
}

impl Operand<FheBool> for bool {
    fn side(&self, _: ValueType) -> Result<Side<'_>, Error> {
        Ok(Side::Clear(U256::from(u8::from(*self))))
    }
}

macro_rules! clear_operands {
    ($($clear:ty),*) => {$(
        impl<T: AnyInteger> Operand<T> for $clear {
            fn side(&self, ty: ValueType) -> Result<Side<'_>, Error> {
                Ok(Side::Clear(Clear::from(*self).bits_of(ty)?))
            }
        }
    )*};
}

clear_operands! {
    u8, u16, u32, u64, u128, usize, U256, i8, i16, i32, i64, i128, isize, I256, Clear
}
