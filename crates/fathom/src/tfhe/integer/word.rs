//! What the encrypted types have in common.

use super::super::Block;
use super::digits;
use super::{Clear, U256};
use crate::tfhe::Error;

pub(crate) mod sealed {
    use super::Block;

    /// Only the types of this module are words.
    pub trait Sealed {
        /// From canonical blocks, as many as the type has.
        fn wrap(blocks: Vec<Block>) -> Self;
    }
}

/// An encrypted integer or truth value: a vector of canonical blocks, least significant first.
pub trait Word: sealed::Sealed + Clone {
    /// Bits of the value.
    const BITS: usize;
    /// Whether the value is in two's complement.
    const SIGNED: bool;

    /// The blocks, of two bits each, least significant first.
    fn blocks(&self) -> &[Block];

    /// From blocks that hold the digits of a value.
    ///
    /// # Errors
    /// [`Error::NotCanonical`] if their number, space, range or noise is not that of this type.
    fn from_blocks(blocks: Vec<Block>) -> Result<Self, Error> {
        digits::check_canonical(&blocks, Self::BITS)?;
        Ok(Self::wrap(blocks))
    }
}

/// An encrypted integer.
pub trait Integer: Word {
    /// The blocks of a value, made by `block` from each digit (0 to 3, least significant first):
    /// the way to encrypt.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value, [`Error::NotCanonical`] if
    /// `block` does not return canonical blocks.
    fn from_digits(
        value: impl Into<Clear>,
        block: impl FnMut(i32) -> Block,
    ) -> Result<Self, Error> {
        let bits = value.into().bits_of::<Self>()?;
        Self::from_blocks(digits::of(bits, Self::BITS).map(block).collect())
    }

    /// The value of the digits that `open` reads from each block, reduced to the type's bits and
    /// without sign: the way to decrypt.
    fn to_digits(&self, open: impl FnMut(&Block) -> i32) -> U256 {
        digits::join(self.blocks().iter().map(open))
    }

    /// The trivial ciphertext of a value, which hides nothing.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value.
    fn trivial(value: impl Into<Clear>) -> Result<Self, Error> {
        let bits = value.into().bits_of::<Self>()?;
        Ok(Self::wrap(digits::trivial(bits, Self::BITS)))
    }
}
