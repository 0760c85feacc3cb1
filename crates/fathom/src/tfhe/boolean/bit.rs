//! An encrypted bit.

use crate::tfhe::{Block, Error, Evaluator, Params};
use std::ops::Not;

/// An encrypted bit: the torus element `bit / 2^p` plus noise, where the parameters' message space
/// has `p` bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Bit {
    block: Block,
}

impl Bit {
    /// Around a block that holds 0 or 1.
    pub(crate) fn new(block: Block) -> Bit {
        Bit { block: block.within(0, 1) }
    }

    /// The trivial ciphertext of a clear bit: no noise, no secrecy.
    pub fn trivial(params: &Params, bit: bool) -> Bit {
        Bit::new(Block::trivial(params.space(), bit.into()))
    }

    /// A clear bit that counts as a fresh ciphertext: for [`Evaluator::simulated`].
    pub fn simulated(params: &Params, bit: bool) -> Bit {
        Bit::new(Block::simulated(params.space(), bit.into(), (0, 1)))
    }

    /// The ciphertext with what is publicly known of it.
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// The ciphertext, if it belongs to the evaluator's parameters.
    pub(super) fn block_for(&self, evaluator: &Evaluator) -> Result<&Block, Error> {
        evaluator.check_block(&self.block)?;
        Ok(&self.block)
    }
}

/// The complement, `1 - bit`: linear and exact, without a bootstrap.
impl Not for &Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit { block: self.block.times(-1).plus_constant(1) }
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        !&self
    }
}
