//! Conversions between encrypted types.

use crate::tfhe::integer::blocks::constant;
use crate::tfhe::integer::value::digits::count;
use crate::tfhe::integer::value::radix_int::integer_type;
use crate::tfhe::integer::value::traits::sealed::Sealed;
use crate::tfhe::integer::{FheBool, FheInteger, FheValue, Integers, RadixInt, Typed, ValueType};
use crate::tfhe::{Block, Error};

impl Integers {
    /// Converts a value to another type, modulo `2^BITS` of that type. A signed value is
    /// sign-extended; a truth value becomes 0 or 1. Cost: none, or one bootstrap to widen a signed
    /// integer.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn cast<T: FheValue, U: FheInteger + Typed>(&self, a: &T) -> Result<U, Error> {
        Ok(U::wrap(ValueType::of::<U>(), self.resized(a, U::BITS)?))
    }

    /// Converts a value to a type that is known at run time; see [`Integers::cast`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::TypeMismatch`] if `ty` is not a type of integers.
    pub fn cast_to<T: FheValue>(&self, a: &T, ty: ValueType) -> Result<RadixInt, Error> {
        let ty = integer_type(ty)?;
        Ok(RadixInt::wrap(ty, self.resized(a, ty.bits().into())?))
    }

    /// Returns whether the value is nonzero. Cost: about a quarter of a bootstrap per block.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn to_bool<T: FheInteger>(&self, a: &T) -> Result<FheBool, Error> {
        self.ne(a, 0u8)
    }
}

impl Integers {
    /// Returns the digits of a value modulo `2^bits`, extended if it has fewer bits.
    fn resized<T: FheValue>(&self, a: &T, bits: usize) -> Result<Vec<Block>, Error> {
        let mut blocks = self.blocks(a)?.to_vec();
        let wanted = count(bits);
        if blocks.len() < wanted {
            let fill = if a.is_signed() { self.sign_fill(&blocks)? } else { constant(0) };
            blocks.resize(wanted, fill);
        }
        blocks.truncate(wanted);
        Ok(blocks)
    }

    /// Returns the digit that extends a value in two's complement: 0 or 3.
    pub(in crate::tfhe::integer) fn sign_fill(&self, blocks: &[Block]) -> Result<Block, Error> {
        self.apply(&blocks[blocks.len() - 1], &self.tables.sign_fill)
    }
}
