//! The length of a string that is hidden by padding.

use super::super::radix::{Radix, total};
use super::super::{FheUint32, Integer};
use super::{BYTE_BLOCKS, ByteStrings, FheBytes, Padding, Text};
use crate::tfhe::{Block, Error};

impl ByteStrings {
    /// Returns the number of bytes of a string, without its padding. Cost: about 1.2 bootstraps per
    /// byte; none if the string is not padded.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn len(&self, string: &FheBytes) -> Result<FheUint32, Error> {
        let radix = self.evaluator().radix()?;
        Text::from(string).check(&radix)?;
        match string.padding() {
            Padding::None => FheUint32::trivial(string.capacity() as u64),
            Padding::Zeros => radix.flag_count(&radix.nonzero_bytes(string.blocks())?),
        }
    }
}

impl Radix<'_> {
    /// Returns, for each byte, whether it is nonzero.
    pub(super) fn nonzero_bytes(&self, blocks: &[Block]) -> Result<Vec<Block>, Error> {
        // The sum of the digits is at most 12.
        self.map(blocks.chunks_exact(BYTE_BLOCKS).map(total), &self.tables.any)
    }
}
