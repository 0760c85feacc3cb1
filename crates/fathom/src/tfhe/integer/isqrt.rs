//! Square roots.

use super::AnyInteger;
use super::carry::CarryOut;
use super::digits;
use super::radix::{Radix, complements, constant};
use crate::tfhe::{Block, Error, Evaluator};

impl Evaluator {
    /// Computes the greatest integer whose square is at most `a`, taken as unsigned. Cost, for n
    /// blocks: about n^2 / 2 + 3 n bootstraps.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn isqrt<T: AnyInteger>(&self, a: &T) -> Result<T, Error> {
        let radix = self.radix()?;
        Ok(a.like(radix.square_root(radix.blocks(a)?)?))
    }
}

impl Radix<'_> {
    /// Computes the square root bit by bit, from the top. With the root `r` of the digits so far
    /// and their remainder, the next bit is set if `4 r + 1` is at most four times the remainder
    /// plus the next digit, and is then subtracted from it.
    fn square_root(&self, a: &[Block]) -> Result<Vec<Block>, Error> {
        // The bits of the root, the latest first.
        let mut root: Vec<Block> = Vec::with_capacity(a.len());
        let mut remainder: Vec<Block> = Vec::new();
        for digit in a.iter().rev() {
            remainder.insert(0, digit.clone());
            let mut trial = vec![constant(1)];
            trial.extend(joined(&root));
            let length = remainder.len().max(trial.len());
            remainder.resize(length, constant(0));
            trial.resize(length, constant(0));
            let sums = remainder.iter().zip(complements(&trial)).map(|(x, y)| x.unchecked_add(&y));
            let mut sums: Vec<_> = sums.collect();
            sums[0] = sums[0].add_scalar(1);
            let (difference, bit) = self.propagate(sums, CarryOut::Kept)?;
            remainder = self.selected(&bit, &difference, &remainder)?;
            root.insert(0, bit);
            // The remainder is at most twice the root, which has one bit less.
            remainder.truncate(digits::count(root.len() + 1));
        }
        let mut root = self.map(joined(&root), &self.tables.message)?;
        root.resize(a.len(), constant(0));
        Ok(root)
    }
}

/// Returns bits, the lowest first, as digits.
fn joined(bits: &[Block]) -> Vec<Block> {
    let digit = |bits: &[Block]| match bits {
        [low, high] => low.unchecked_add_scaled(high, 2),
        _ => bits[0].clone(),
    };
    bits.chunks(2).map(digit).collect()
}
