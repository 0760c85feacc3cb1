//! The encrypted truth value.

use super::radix_value::{self, sealed};
use super::{AnyRadixValue, RadixValue, U256, ValueType, digits};
use crate::tfhe::{Block, Error};

/// An encrypted truth value: one block that holds 0 or 1.
#[derive(Clone)]
pub struct FheBool {
    blocks: Vec<Block>,
}

impl std::fmt::Debug for FheBool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        radix_value::debug(self, f)
    }
}

impl FheBool {
    /// Returns the trivial ciphertext of a value, which hides nothing.
    pub fn trivial(value: bool) -> FheBool {
        FheBool { blocks: vec![Block::trivial(digits::SPACE, value.into())] }
    }

    /// Wraps a block that holds 0 or 1.
    ///
    /// # Errors
    /// [`Error::NotCanonical`] if the block's space, range or noise is not that of a truth value.
    pub fn from_block(block: Block) -> Result<FheBool, Error> {
        FheBool::from_blocks(vec![block])
    }

    /// Wraps a fresh block of an untrusted sender, which is taken for a truth value whatever range
    /// it states.
    pub(crate) fn from_untrusted(block: Block) -> Option<FheBool> {
        FheBool::from_block(block.within(0, 1)).ok()
    }

    /// Returns the block.
    pub fn block(&self) -> &Block {
        &self.blocks[0]
    }
}

impl sealed::Sealed for FheBool {
    type Message = bool;

    fn message_bits(message: bool) -> Result<U256, Error> {
        Ok(u8::from(message).into())
    }

    fn wrap(blocks: Vec<Block>) -> FheBool {
        debug_assert!(digits::check_canonical(&blocks, 1).is_ok());
        FheBool { blocks }
    }
}

impl sealed::SealedAny for FheBool {
    fn static_type() -> Option<ValueType> {
        Some(ValueType::of::<Self>())
    }

    fn wrap_as(_: ValueType, blocks: Vec<Block>) -> FheBool {
        sealed::Sealed::wrap(blocks)
    }
}

impl AnyRadixValue for FheBool {
    fn value_type(&self) -> ValueType {
        ValueType::of::<Self>()
    }

    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl RadixValue for FheBool {
    const BITS: usize = 1;
    const SIGNED: bool = false;
}
