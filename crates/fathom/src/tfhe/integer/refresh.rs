//! Integers with the noise of bootstraps.

use super::Word;
use crate::tfhe::{Block, Error, Evaluator};

impl Evaluator {
    /// The same value in blocks of one bootstrap each, whose noises are independent of all others.
    /// Cost: one bootstrap a block that is not clear.
    ///
    /// Of the noise of a result that was received, nothing is known but its bound; where an
    /// operation refuses it with [`Error::NoiseExceeded`], this is the remedy.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Simulated`].
    pub fn refresh<T: Word>(&self, a: &T) -> Result<T, Error> {
        let radix = self.radix()?;
        let blocks = radix.blocks(a)?;
        let stale = blocks.iter().filter(|block| !block.is_clear()).cloned();
        let mut fresh = radix.map(stale, &radix.tables.message)?.into_iter();
        let refreshed = |block: &Block| {
            let fresh = if block.is_clear() { None } else { fresh.next() };
            let (low, high) = block.range();
            fresh.map_or_else(|| block.clone(), |fresh| fresh.within(low, high))
        };
        Ok(T::wrap(blocks.iter().map(refreshed).collect()))
    }
}
