//! Encrypted truth values.

use super::word::sealed::Sealed;
use super::{Word, digits};
use crate::tfhe::{Block, Error};

/// An encrypted truth value: one block that holds 0 or 1.
#[derive(Clone, Debug)]
pub struct FheBool {
    blocks: Vec<Block>,
}

impl FheBool {
    /// The trivial ciphertext of a value, which hides nothing.
    pub fn trivial(value: bool) -> FheBool {
        FheBool { blocks: vec![Block::trivial(digits::SPACE, value.into())] }
    }

    /// From a block that holds 0 or 1.
    ///
    /// # Errors
    /// [`Error::NotCanonical`] if the block's space, range or noise is not that of a truth value.
    pub fn from_block(block: Block) -> Result<FheBool, Error> {
        FheBool::from_blocks(vec![block])
    }

    /// The block.
    pub fn block(&self) -> &Block {
        &self.blocks[0]
    }
}

impl Sealed for FheBool {
    fn wrap(blocks: Vec<Block>) -> FheBool {
        debug_assert!(digits::check_canonical(&blocks, 1).is_ok());
        FheBool { blocks }
    }
}

impl Word for FheBool {
    const BITS: usize = 1;
    const SIGNED: bool = false;

    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}
