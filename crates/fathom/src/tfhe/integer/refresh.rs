//! Refreshing integers by bootstraps.

use super::AnyRadixValue;
use crate::tfhe::{Block, Error, Evaluator};

impl Evaluator {
    /// Bootstraps every block, so that the value has the noise of bootstraps, independent of any
    /// other noise. Cost: one bootstrap per block that is not clear.
    ///
    /// The noise of a received result may depend on any other noise. If an operation therefore
    /// refuses it with [`Error::NoiseExceeded`], refresh it first.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Simulated`].
    pub fn refresh<T: AnyRadixValue>(&self, a: &T) -> Result<T, Error> {
        let radix = self.radix()?;
        let blocks = radix.blocks(a)?;
        let stale = blocks.iter().filter(|block| !block.is_clear()).cloned();
        let mut fresh = radix.map(stale, &radix.tables.message)?.into_iter();
        let refreshed = |block: &Block| {
            let fresh = if block.is_clear() { None } else { fresh.next() };
            let (low, high) = block.range();
            fresh.map_or_else(|| block.clone(), |fresh| fresh.within(low, high))
        };
        Ok(a.like(blocks.iter().map(refreshed).collect()))
    }
}
