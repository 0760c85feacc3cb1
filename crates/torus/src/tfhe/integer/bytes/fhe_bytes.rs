//! The encrypted byte string.

use super::BYTE_BLOCKS;
use crate::tfhe::integer::blocks::constant;
use crate::tfhe::integer::value::digits;
use crate::tfhe::integer::value::traits::sealed::Sealed;
use crate::tfhe::integer::{FheUint8, FheValue, Typed, ValueType};
use crate::tfhe::{Block, Error, ListError};
use std::ops::Range;

/// The meaning of the bytes at the end of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Every byte belongs to the string, whose length is public.
    None,
    /// Zero bytes at the end do not belong to the string, so that its length is hidden. No byte of
    /// the string itself is zero.
    Zeros,
}

/// An encrypted string of bytes, one [`FheUint8`] each.
///
/// Its capacity, the number of bytes that it is made of, is public. So is its length, unless the
/// string is padded with zeros ([`Padding::Zeros`]). The bytes have no encoding: lower and upper
/// case are those of ASCII.
#[derive(Clone)]
pub struct FheBytes {
    /// Four blocks for each byte, its lowest digit first.
    blocks: Vec<Block>,
    padding: Padding,
}

impl std::fmt::Debug for FheBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FheBytes({} bytes, padding {:?})", self.capacity(), self.padding)
    }
}

impl FheBytes {
    /// The most bytes of a string that is padded or sent.
    pub const MOST: usize = 1 << 16;

    /// Returns the trivial ciphertext of a string, which hides nothing.
    pub fn trivial(bytes: &[u8]) -> FheBytes {
        let digits = bytes.iter().flat_map(|&byte| digits_of(byte));
        FheBytes { blocks: digits.map(constant).collect(), padding: Padding::None }
    }

    /// Returns the string of these bytes. With [`Padding::Zeros`], the caller states that no zero
    /// byte is followed by another one; if this is wrong, so are results.
    pub fn from_integers(bytes: &[FheUint8], padding: Padding) -> FheBytes {
        let blocks = bytes.iter().flat_map(|byte| byte.blocks().iter().cloned()).collect();
        FheBytes { blocks, padding }
    }

    /// Wraps blocks that hold the digits of bytes, four each.
    ///
    /// # Errors
    /// [`Error::NotCanonical`] if their number is not a multiple of four, or if their space, range
    /// or noise is not that of integers.
    pub fn from_blocks(blocks: Vec<Block>, padding: Padding) -> Result<FheBytes, Error> {
        let bytes = blocks.chunks(BYTE_BLOCKS);
        bytes.clone().try_for_each(|byte| digits::check_canonical(byte, FheUint8::BITS))?;
        let mut owners = blocks.iter().filter_map(Block::owner);
        if let Some(first) = owners.next() {
            owners.try_for_each(|owner| first.same(owner))?;
        }
        Ok(FheBytes { blocks, padding })
    }

    /// Wraps canonical blocks, four for each byte.
    pub(super) fn wrap(blocks: Vec<Block>, padding: Padding) -> FheBytes {
        debug_assert!(blocks.len().is_multiple_of(BYTE_BLOCKS));
        FheBytes { blocks, padding }
    }

    /// Returns the bytes, those of the padding included.
    pub fn to_integers(&self) -> Vec<FheUint8> {
        let bytes = self.blocks.chunks_exact(BYTE_BLOCKS);
        bytes.map(|blocks| FheUint8::wrap(ValueType::of::<FheUint8>(), blocks.to_vec())).collect()
    }

    /// Returns the bytes in a range of places as a string with the same kind of padding. Cost: no
    /// bootstrap.
    ///
    /// # Errors
    /// [`ListError::OutsideList`] if the range exceeds the capacity or ends before it starts.
    pub fn slice(&self, places: Range<usize>) -> Result<FheBytes, Error> {
        let (Range { start, end }, length) = (places, self.capacity());
        if start > end || end > length {
            return Err(ListError::OutsideList { start, end, length }.into());
        }
        let blocks = self.blocks[BYTE_BLOCKS * start..BYTE_BLOCKS * end].to_vec();
        Ok(FheBytes { blocks, padding: self.padding })
    }

    /// Returns the number of bytes, those of the padding included, which is public.
    pub fn capacity(&self) -> usize {
        self.blocks.len() / BYTE_BLOCKS
    }

    /// Returns whether zero bytes at the end are padding.
    pub fn padding(&self) -> Padding {
        self.padding
    }

    /// Returns the blocks: four for each byte, its lowest digit first.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

/// Returns the digits of a byte, the lowest first.
pub(super) fn digits_of(byte: u8) -> [i32; BYTE_BLOCKS] {
    [0, 2, 4, 6].map(|shift| i32::from((byte >> shift) & 3))
}
