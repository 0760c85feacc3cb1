//! The traits that the encrypted types share.

use super::digits;
use crate::tfhe::clear::Clear;
use crate::tfhe::{Block, Error};
use ethnum::U256;
use fathom_base::{StaticType, ValueType};
use std::fmt;

pub(in crate::tfhe) mod sealed {
    use super::{Block, ValueType};

    /// A sealed trait: only the types of this library are encrypted values.
    pub trait Sealed: Sized {
        /// Returns the type of all values; `None` if each value has a type of its own.
        fn static_type() -> Option<ValueType>;

        /// Wraps canonical blocks, as many as the type `ty` has, which is [`Self::static_type`] if
        /// there is one.
        fn wrap(ty: ValueType, blocks: Vec<Block>) -> Self;
    }
}

/// An encrypted integer or truth value: a vector of canonical blocks, least significant first.
///
/// It is the bound of operations that every type has.
pub trait FheValue: sealed::Sealed + Clone + fmt::Debug {
    /// The type of the sum of a list: that of its elements, or, of truth values, of a count.
    type Sum: FheValue;

    /// Returns the type of the value.
    fn value_type(&self) -> ValueType;

    /// Returns the blocks, of two bits each, least significant first.
    fn blocks(&self) -> &[Block];

    /// Returns the number of bits of the value.
    fn bits(&self) -> usize {
        self.value_type().bits().into()
    }

    /// Returns whether the value is in two's complement.
    fn is_signed(&self) -> bool {
        self.value_type().is_signed()
    }

    /// Wraps canonical blocks as a value of the same type.
    #[doc(hidden)]
    fn like(&self, blocks: Vec<Block>) -> Self {
        Self::wrap(self.value_type(), blocks)
    }
}

/// An encrypted integer of an even number of bits from 2 to 256.
///
/// It stands beside [`FheValue`] so that arithmetic on truth values does not compile.
pub trait FheInteger: FheValue<Sum = Self> {
    /// The clear type that decryption returns: `u8` to `u128` or `i8` to `i128` for their widths,
    /// [`U256`](super::super::U256) or [`I256`](super::super::I256) for all other widths, and
    /// [`Clear`] for a type that is known at run time.
    type Message: Copy + fmt::Debug + fmt::Display + Ord + Into<Clear>;

    /// The unsigned type of the same number of bits.
    type Unsigned: FheInteger;

    /// The type of a product of twice the width, which is an [`FheInteger`] unless it would have
    /// more than 256 bits.
    type Wide;

    /// Returns the clear value of these bits.
    #[doc(hidden)]
    fn message(&self, bits: U256) -> Self::Message;

    /// Returns the bits of the value as an unsigned integer, without a bootstrap.
    fn as_unsigned(&self) -> Self::Unsigned {
        sealed::Sealed::wrap(self.value_type().to_unsigned(), self.blocks().to_vec())
    }

    /// Decrypts the value: `open` returns the digit of each block.
    fn to_digits(&self, open: impl FnMut(&Block) -> i32) -> Self::Message {
        self.message(digits::join(self.blocks().iter().map(open)))
    }
}

/// An encrypted value of a type that is known at compile time.
///
/// It is the bound of operations that make a value of nothing but its type: encryption, conversion,
/// reading a list. [`RadixInt`](super::RadixInt) has forms of them that take a [`ValueType`].
pub trait Typed: FheValue + StaticType {
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
        Ok(Self::wrap(ValueType::of::<Self>(), blocks))
    }

    /// Wraps fresh encryptions of the digits of a value. The message of a block has two bits, of
    /// which an honest sender of a truth value uses one.
    #[doc(hidden)]
    fn from_fresh(blocks: Vec<Block>) -> Result<Self, Error> {
        let narrow = |block: Block| if Self::BITS == 1 { block.within(0, 1) } else { block };
        Self::from_blocks(blocks.into_iter().map(narrow).collect())
    }

    /// Encrypts a value: `block` makes the block of each digit (0 to 3, least significant first).
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value, [`Error::NotCanonical`] if
    /// `block` does not return canonical blocks.
    fn from_digits(
        value: impl Into<Clear>,
        block: impl FnMut(i32) -> Block,
    ) -> Result<Self, Error> {
        let bits = value.into().bits_of(ValueType::of::<Self>())?;
        Self::from_blocks(digits::of(bits, Self::BITS).map(block).collect())
    }

    /// Returns the trivial ciphertext of a value, which hides nothing.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value.
    fn trivial(value: impl Into<Clear>) -> Result<Self, Error> {
        let ty = ValueType::of::<Self>();
        let bits = value.into().bits_of(ty)?;
        Ok(Self::wrap(ty, digits::trivial(bits, Self::BITS)))
    }
}

/// Writes the type and the public metadata that its blocks have in common.
pub(super) fn debug<T: FheValue>(value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let blocks = value.blocks();
    let greatest = |of: fn(&Block) -> u32| blocks.iter().map(of).max().unwrap_or(0);
    let clear = blocks.iter().filter(|block| block.is_clear()).count();
    let (noise_variance, depth) = (greatest(Block::noise_variance), greatest(Block::depth));
    let ty = value.value_type();
    write!(
        f,
        "{ty}({} blocks, {clear} clear, noise variance {noise_variance}, depth {depth})",
        blocks.len()
    )
}
