//! The second operand of an operation: encrypted or clear.

use super::word::sealed::Sealed;
use super::{Clear, FheBool, I256, Integer, U256, Word, digits};
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

/// The second operand of an operation on a `T`: a `&T` or a clear value.
pub trait Operand<T: Word> {
    /// Returns the operand.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if `T` cannot hold the clear value.
    fn side(&self) -> Result<Side<'_>, Error>;
}

impl<T: Word> Operand<T> for &T {
    fn side(&self) -> Result<Side<'_>, Error> {
        Ok(Side::Encrypted(self.blocks()))
    }
}

impl Operand<FheBool> for bool {
    fn side(&self) -> Result<Side<'_>, Error> {
        Ok(Side::Clear(U256::from(u8::from(*self))))
    }
}

macro_rules! clear_operands {
    ($($clear:ty),*) => {$(
        impl<T: Integer + Sealed> Operand<T> for $clear {
            fn side(&self) -> Result<Side<'_>, Error> {
                Ok(Side::Clear(Clear::from(*self).bits_of::<T>()?))
            }
        }
    )*};
}

clear_operands! { u8, u16, u32, u64, u128, U256, i8, i16, i32, i64, i128, I256, Clear }
