//! Encrypted integers of a type that is known at run time.

use super::digits::{self, check_params};
use super::radix_value::{self, sealed};
use super::{
    AnyInteger, AnyRadixValue, Clear, FheInt, FheUint, RadixValue, U256, ValueType, Widening,
};
#[cfg(doc)]
use crate::tfhe::Evaluator;
use crate::tfhe::{Block, ClientKey, Error};
use fathom_ring::SecretRng;

/// An encrypted integer whose width and sign are known at run time, for programs that read them
/// from a file or a request.
///
/// Every operation on [`FheUint`] and [`FheInt`] also takes this type; the operands of one
/// operation must have the same [`ValueType`]. Where the result alone tells the type, a form of the
/// operation takes it as an argument: [`Evaluator::cast_to`], [`Evaluator::lookup_clear_to`],
/// [`Evaluator::dot_clear_to`], [`Evaluator::decompress_radix`]. Both convert into it, and
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
    pub fn to_word<T: RadixValue>(&self) -> Result<T, Error> {
        let (expected, got) = (ValueType::of::<T>(), self.ty);
        if got != expected {
            return Err(Error::TypeMismatch { expected, got: Some(got) });
        }
        Ok(T::wrap(self.blocks.clone()))
    }
}

/// Returns the type, if it is one of integers.
///
/// # Errors
/// [`Error::TypeMismatch`].
pub(super) fn integer_type(ty: ValueType) -> Result<ValueType, Error> {
    if ty.is_radix() && ty.bits() > 1 {
        return Ok(ty);
    }
    let expected = ValueType::of::<FheUint<64>>();
    Err(Error::TypeMismatch { expected, got: Some(ty) })
}

impl std::fmt::Debug for RadixInt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        radix_value::debug(self, f)
    }
}

impl sealed::SealedAny for RadixInt {
    fn static_type() -> Option<ValueType> {
        None
    }

    fn wrap_as(ty: ValueType, blocks: Vec<Block>) -> RadixInt {
        debug_assert!(digits::check_canonical(&blocks, ty.bits().into()).is_ok());
        RadixInt { ty, blocks }
    }
}

impl AnyRadixValue for RadixInt {
    fn value_type(&self) -> ValueType {
        self.ty
    }

    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl AnyInteger for RadixInt {
    type Value = Clear;
    type Unsigned = RadixInt;

    fn value(&self, bits: U256) -> Clear {
        Clear::of_bits(self.ty, bits)
    }
}

impl Widening for RadixInt {
    type Wide = RadixInt;
}

impl<const BITS: usize> From<FheUint<BITS>> for RadixInt {
    fn from(integer: FheUint<BITS>) -> RadixInt {
        RadixInt { ty: integer.value_type(), blocks: integer.blocks().to_vec() }
    }
}

impl<const BITS: usize> From<FheInt<BITS>> for RadixInt {
    fn from(integer: FheInt<BITS>) -> RadixInt {
        RadixInt { ty: integer.value_type(), blocks: integer.blocks().to_vec() }
    }
}

impl ClientKey {
    /// Encrypts a clear value as an integer of type `ty`.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value; [`Error::TypeMismatch`] if
    /// `ty` is not a type of integers; [`Error::ParamsMismatch`] if the blocks of the key do not
    /// have the 2 bits of message and 2 of carry that integers need.
    pub fn encrypt_radix(
        &self,
        ty: ValueType,
        value: impl Into<Clear>,
        rng: &mut SecretRng,
    ) -> Result<RadixInt, Error> {
        check_params(self.params())?;
        let bits = value.into().bits_of(integer_type(ty)?)?;
        let digits = digits::of(bits, ty.bits().into());
        let blocks = rng.during(|rng| {
            digits.map(|digit| self.encrypt_block(digit as u32, rng)).collect::<Result<_, _>>()
        });
        RadixInt::from_blocks(ty, blocks?)
    }
}
