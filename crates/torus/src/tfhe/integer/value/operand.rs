//! The operands of operations: encrypted or clear.

use super::digits;
use super::radix_int::RadixInt;
use super::traits::{FheInteger, FheValue};
use super::types::{FheBool, FheUint};
use crate::tfhe::clear::Clear;
use crate::tfhe::{Block, Error};
use ethnum::{I256, U256};
use fathom_base::ValueType;
use std::borrow::Cow;

/// An operand of an operation on a `T`: a `&T`, a `T` or a clear value.
///
/// It is a trait, and not a conversion into one type, so that an operand of another type than `T`
/// does not compile. The types of this library alone implement it.
pub trait Operand<T> {
    /// Returns the value and its type.
    ///
    /// # Errors
    /// That of the expression whose result the operand is.
    #[doc(hidden)]
    fn content(&self) -> Result<Content<'_>, Error>;
}

/// The amount of a shift, or an exponent: a clear integer that is not negative, an encrypted
/// unsigned integer of any width, or a truth value, which counts as one bit.
///
/// It is not an [`Operand`], since its type is not that of the value: of a selection between two
/// encrypted integers the compiler could then not tell the type.
pub trait Amount {
    /// Returns the amount, with its type.
    #[doc(hidden)]
    fn amount(&self) -> Content<'_>;
}

/// The content of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// The type and the blocks of an encrypted value.
    Encrypted(ValueType, &'a [Block]),
    /// A clear value of any type.
    Clear(Clear),
}

/// The content of an operand of a known type.
#[derive(Clone, Debug)]
pub(in crate::tfhe::integer) enum Side<'a> {
    /// The blocks of an encrypted value.
    Encrypted(&'a [Block]),
    /// A clear value, in two's complement over the bits of the type.
    Clear(U256),
}

/// The number that an amount is.
#[derive(Clone, Copy, Debug)]
pub(in crate::tfhe::integer) enum Number<'a> {
    /// A public number.
    Clear(u128),
    /// The blocks of an encrypted unsigned integer.
    Encrypted(&'a [Block]),
}

impl<'a> Content<'a> {
    /// Returns the type; `None` if the operand is clear.
    pub(in crate::tfhe::integer) fn value_type(self) -> Option<ValueType> {
        match self {
            Content::Encrypted(ty, _) => Some(ty),
            Content::Clear(_) => None,
        }
    }

    /// Returns the operand as a value of type `ty`.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the clear value;
    /// [`Error::TypeMismatch`] if the operand is encrypted and has another type.
    pub(in crate::tfhe::integer) fn as_type(self, ty: ValueType) -> Result<Side<'a>, Error> {
        match self {
            Content::Clear(value) => Ok(Side::Clear(value.bits_of(ty)?)),
            Content::Encrypted(got, blocks) if got == ty => Ok(Side::Encrypted(blocks)),
            Content::Encrypted(got, _) => Err(Error::TypeMismatch { expected: ty, got: Some(got) }),
        }
    }

    /// Returns the amount as a number.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if it is negative; [`Error::TypeMismatch`] if it is encrypted and
    /// has a signed type.
    pub(in crate::tfhe::integer) fn as_number(self) -> Result<Number<'a>, Error> {
        match self {
            Content::Clear(value) => Ok(Number::Clear(value.try_into()?)),
            Content::Encrypted(got, _) if got.is_signed() => {
                Err(Error::TypeMismatch { expected: got.to_unsigned(), got: Some(got) })
            }
            Content::Encrypted(_, blocks) => Ok(Number::Encrypted(blocks)),
        }
    }
}

impl<'a> Side<'a> {
    /// Returns the operand as blocks of an integer of `bits` bits; a clear value gives trivial
    /// blocks.
    pub(in crate::tfhe::integer) fn into_blocks(self, bits: usize) -> Cow<'a, [Block]> {
        match self {
            Side::Encrypted(blocks) => Cow::Borrowed(blocks),
            Side::Clear(value) => Cow::Owned(digits::trivial(value, bits)),
        }
    }
}

fn encrypted<T: FheValue>(value: &T) -> Content<'_> {
    Content::Encrypted(value.value_type(), value.blocks())
}

impl<T: FheValue> Operand<T> for T {
    fn content(&self) -> Result<Content<'_>, Error> {
        Ok(encrypted(self))
    }
}

impl<T: FheValue> Operand<T> for &T {
    fn content(&self) -> Result<Content<'_>, Error> {
        Ok(encrypted(*self))
    }
}

impl<T> Operand<T> for Content<'_> {
    fn content(&self) -> Result<Content<'_>, Error> {
        Ok(*self)
    }
}

impl Amount for Content<'_> {
    fn amount(&self) -> Content<'_> {
        *self
    }
}

macro_rules! encrypted_amounts {
    ($([$($generic:tt)*] $type:ty;)*) => {$(
        impl<$($generic)*> Amount for $type {
            fn amount(&self) -> Content<'_> {
                encrypted(self)
            }
        }

        impl<$($generic)*> Amount for &$type {
            fn amount(&self) -> Content<'_> {
                encrypted(*self)
            }
        }
    )*};
}

encrypted_amounts! {
    [const BITS: usize] FheUint<BITS>;
    [] RadixInt;
    [] FheBool;
}

macro_rules! clear_amounts {
    ($($clear:ty),*) => {$(
        impl Amount for $clear {
            fn amount(&self) -> Content<'_> {
                Content::Clear((*self).into())
            }
        }
    )*};
}

// A literal without a suffix is an `i32`.
clear_amounts! { u8, u16, u32, u64, u128, usize, i32 }

impl Operand<FheBool> for bool {
    fn content(&self) -> Result<Content<'_>, Error> {
        Ok(Content::Clear((*self).into()))
    }
}

macro_rules! clear {
    ($($clear:ty),*) => {$(
        impl<T: FheInteger> Operand<T> for $clear {
            fn content(&self) -> Result<Content<'_>, Error> {
                Ok(Content::Clear((*self).into()))
            }
        }
    )*};
}

clear! {
    u8, u16, u32, u64, u128, usize, U256, i8, i16, i32, i64, i128, isize, I256, Clear
}
