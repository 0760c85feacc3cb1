//! An encrypted bit.

use super::gates::MAX_OUTPUT_NORM;
use crate::tfhe::{Block, Error, Evaluator, Params};
use std::ops::Not;

/// An encrypted bit: the torus element `bit / 2^p` plus noise, where the parameters' message space
/// has `p` bits.
#[derive(Clone, PartialEq)]
pub struct Bit {
    block: Block,
}

impl std::fmt::Debug for Bit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bit({:?})", self.block)
    }
}

impl Bit {
    /// Around a block that holds 0 or 1.
    pub(crate) fn new(block: Block) -> Bit {
        Bit { block: block.within(0, 1) }
    }

    /// Around a block that holds 0 or 1, such as one that was received or taken out of a list. Its
    /// range and noise are believed.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if it is not of these parameters; [`Error::NotCanonical`] if its
    /// range is wider, or its noise more than a gate's output has.
    pub fn from_block(params: &Params, block: Block) -> Result<Bit, Error> {
        block.check_params(params)?;
        let (low, high) = block.range();
        if low < 0 || high > 1 || block.norm() > MAX_OUTPUT_NORM {
            return Err(Error::NotCanonical { blocks: 1, top: 1, norm: MAX_OUTPUT_NORM });
        }
        Ok(Bit { block })
    }

    /// From a block that was read, as a type: a message of an untrusted sender is taken for a bit.
    pub(crate) fn from_wire(params: &Params, block: Block) -> Option<Bit> {
        let block = if block.is_fresh() { block.within(0, 1) } else { block };
        Bit::from_block(params, block).ok()
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
        Bit { block: self.block.taken_from(1) }
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        !&self
    }
}
