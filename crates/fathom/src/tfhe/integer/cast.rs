//! Conversions between encrypted types.

use super::digits::count;
use super::radix::{Radix, constant};
use super::{FheBool, Integer, Word};
use crate::tfhe::{Block, Error, Evaluator};

impl Evaluator {
    /// Converts a value to another type, modulo `2^BITS` of that type. A signed value is
    /// sign-extended; a truth value becomes 0 or 1. Cost: none, or one bootstrap to widen a signed
    /// integer.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn cast<T: Word, U: Integer>(&self, a: &T) -> Result<U, Error> {
        let radix = self.radix()?;
        let mut blocks = radix.blocks(a)?.to_vec();
        let wanted = count(U::BITS);
        if blocks.len() < wanted {
            let fill = if T::SIGNED { radix.sign_fill(&blocks)? } else { constant(0) };
            blocks.resize(wanted, fill);
        }
        blocks.truncate(wanted);
        Ok(U::wrap(blocks))
    }

    /// Returns whether the value is nonzero. Cost: about a quarter of a bootstrap per block.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn to_bool<T: Integer>(&self, a: &T) -> Result<FheBool, Error> {
        self.ne(a, 0u8)
    }
}

impl Radix<'_> {
    /// Returns the digit that extends a value in two's complement: 0 or 3.
    pub(super) fn sign_fill(&self, blocks: &[Block]) -> Result<Block, Error> {
        self.apply(&blocks[blocks.len() - 1], &self.tables.sign_fill)
    }
}
