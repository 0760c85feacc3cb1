//! An encrypted small integer.

use crate::tfhe::{Block, Error, Params};

/// An encrypted integer modulo `2^message_bits`, in a block that may also hold carries.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortInt {
    block: Block,
}

impl ShortInt {
    pub(super) fn new(block: Block) -> ShortInt {
        ShortInt { block }
    }

    /// The trivial ciphertext of a clear integer: no noise, no secrecy.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] unless `value < 2^message_bits`.
    pub fn trivial(params: &Params, value: u32) -> Result<ShortInt, Error> {
        let value = message(params, value)?;
        Ok(ShortInt { block: Block::trivial(params.space(), value) })
    }

    /// A clear integer that counts as a fresh ciphertext: for simulated evaluators.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] unless `value < 2^message_bits`.
    pub fn simulated(params: &Params, value: u32) -> Result<ShortInt, Error> {
        let range = (0, params.message_modulus() - 1);
        let value = message(params, value)?;
        Ok(ShortInt { block: Block::simulated(params.space(), value, range) })
    }

    /// The ciphertext, the range of its value, its noise and depth.
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// Whether the block holds a message without carry, with at most the noise of a bootstrap.
    pub fn is_canonical(&self, params: &Params) -> bool {
        let (low, high) = self.block.range();
        low >= 0 && high < params.message_modulus() && self.block.norm() <= 1
    }
}

/// A value that is a message.
fn message(params: &Params, value: u32) -> Result<i32, Error> {
    let high = params.message_modulus() - 1;
    let refused = || Error::ValueOutOfRange { low: 0, high: high.into() };
    i32::try_from(value).ok().filter(|&value| value <= high).ok_or_else(refused)
}
