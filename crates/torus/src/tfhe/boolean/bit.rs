//! The encrypted bit, its encryption and decryption.

use crate::tfhe::{Block, ClientKey, Decrypt, Encrypt, Error, Evaluator, Params};
use fathom_ring::SecretRng;
use std::ops::Not;

/// The greatest noise variance of a gate's output: that of the multiplexer, a sum of two
/// bootstraps.
pub(super) const MAX_OUTPUT_NOISE_VARIANCE: u32 = 2;

/// An encrypted bit: the torus element `bit / 2^p` plus noise, for a message space of `p` bits.
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
    /// Wraps a block that holds 0 or 1.
    pub(crate) fn new(block: Block) -> Bit {
        Bit { block: block.within(0, 1) }
    }

    /// Wraps a block that holds 0 or 1, such as a received one or one from a list. Its stated range
    /// and noise are trusted.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if it belongs to another parameter set; [`Error::NotCanonical`] if
    /// its range is wider than 0 to 1, or its noise greater than that of a gate's output.
    pub fn from_block(params: &Params, block: Block) -> Result<Bit, Error> {
        block.check_params(params)?;
        let (low, high) = block.range();
        if low < 0 || high > 1 || block.noise_variance() > MAX_OUTPUT_NOISE_VARIANCE {
            return Err(Error::NotCanonical {
                blocks: 1,
                top: 1,
                noise_variance: MAX_OUTPUT_NOISE_VARIANCE,
            });
        }
        Ok(Bit { block })
    }

    /// Wraps a fresh block of an untrusted sender, which is taken for a bit whatever range it
    /// states.
    pub(crate) fn from_untrusted(params: &Params, block: Block) -> Option<Bit> {
        Bit::from_block(params, block.within(0, 1)).ok()
    }

    /// Returns the trivial ciphertext of a clear bit, without noise or secrecy.
    pub fn trivial(params: &Params, bit: bool) -> Bit {
        Bit::new(Block::trivial(params.space(), bit.into()))
    }

    /// Returns a clear bit that simulates a fresh ciphertext, for [`Evaluator::simulated`].
    pub fn simulated(params: &Params, bit: bool) -> Bit {
        Bit::new(Block::simulated(params.space(), bit.into(), (0, 1)))
    }

    /// Returns the ciphertext with its public metadata.
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// Returns the block, if it belongs to the evaluator's parameters and key.
    pub(super) fn block_for(&self, evaluator: &Evaluator) -> Result<&Block, Error> {
        evaluator.check_block(&self.block)?;
        Ok(&self.block)
    }
}

/// Computes the complement `1 - bit`, which is linear and exact and needs no bootstrap.
impl Not for &Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit { block: self.block.sub_from(1) }
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        !&self
    }
}

impl Encrypt for Bit {
    type Message = bool;

    fn encrypt_under(
        client: &ClientKey,
        message: bool,
        rng: &mut SecretRng,
    ) -> Result<Self, Error> {
        Ok(Bit::new(client.encrypt_block(message.into(), rng)?))
    }
}

impl Decrypt for Bit {
    type Message = bool;

    fn decrypt_under(&self, client: &ClientKey) -> Result<bool, Error> {
        Ok(client.decrypt_block(self.block())? == 1)
    }
}
