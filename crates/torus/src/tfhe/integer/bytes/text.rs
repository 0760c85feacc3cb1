//! The operands of operations on byte strings: encrypted or clear.

use super::fhe_bytes::digits_of;
use super::{BYTE_BLOCKS, FheBytes, Padding};
use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::constant;
use crate::tfhe::{Block, Error};
use std::borrow::Cow;

/// An operand of an operation on byte strings: a `&FheBytes`, or clear bytes such as a `&[u8]`, a
/// `&str` or `b"..."`.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// An encrypted string.
    Encrypted(&'a FheBytes),
    /// A clear string.
    Clear(&'a [u8]),
}

impl<'a> From<&'a FheBytes> for Text<'a> {
    fn from(string: &'a FheBytes) -> Text<'a> {
        Text::Encrypted(string)
    }
}

impl<'a> From<&'a [u8]> for Text<'a> {
    fn from(bytes: &'a [u8]) -> Text<'a> {
        Text::Clear(bytes)
    }
}

impl<'a, const LENGTH: usize> From<&'a [u8; LENGTH]> for Text<'a> {
    fn from(bytes: &'a [u8; LENGTH]) -> Text<'a> {
        Text::Clear(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for Text<'a> {
    fn from(bytes: &'a Vec<u8>) -> Text<'a> {
        Text::Clear(bytes)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Text<'a> {
        Text::Clear(text.as_bytes())
    }
}

impl<'a> Text<'a> {
    /// Returns the number of bytes, padding included.
    pub fn capacity(&self) -> usize {
        match self {
            Text::Encrypted(string) => string.capacity(),
            Text::Clear(bytes) => bytes.len(),
        }
    }

    /// Returns whether zero bytes at the end are padding; those of a clear string are not.
    pub fn padding(&self) -> Padding {
        match self {
            Text::Encrypted(string) => string.padding(),
            Text::Clear(_) => Padding::None,
        }
    }

    /// Returns the blocks, those of a clear string being trivial.
    pub(super) fn blocks(&self) -> Cow<'a, [Block]> {
        match self {
            Text::Encrypted(string) => Cow::Borrowed(string.blocks()),
            Text::Clear(bytes) => {
                Cow::Owned(bytes.iter().flat_map(|&byte| digits_of(byte)).map(constant).collect())
            }
        }
    }

    /// Returns whether the string is clear and its last byte is zero.
    pub(super) fn ends_with_zero(&self) -> bool {
        matches!(self, Text::Clear([.., 0]))
    }

    /// Refuses blocks of other parameters or another key.
    pub(super) fn check(&self, integers: &Integers) -> Result<(), Error> {
        match self {
            Text::Encrypted(string) => integers.check(string.blocks()),
            Text::Clear(_) => Ok(()),
        }
    }
}

/// Returns the blocks of byte `place`.
pub(super) fn byte(blocks: &[Block], place: usize) -> &[Block] {
    &blocks[BYTE_BLOCKS * place..BYTE_BLOCKS * (place + 1)]
}
