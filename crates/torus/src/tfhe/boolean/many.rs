//! Conjunction, disjunction and parity of many bits.

use super::gates::at_least;
use super::{Bit, Gates};
use crate::tfhe::noise::Noise;
use crate::tfhe::{Block, Error, Job, Lut};

impl Gates {
    /// Computes the conjunction of all bits, which is true for no bits.
    ///
    /// A bootstrap takes up to half as many bits as the message space has values (2 for a `bool`
    /// set, 16 for `u_2_2_128`). The depth is the logarithm of the number of bits to this base.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if a bit belongs to other parameters.
    pub fn all(&self, bits: &[Bit]) -> Result<Bit, Error> {
        self.thresholds(bits, |inputs| inputs, true)
    }

    /// Computes the disjunction of all bits, which is false for no bits. The cost is that of
    /// [`Gates::all`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if a bit belongs to other parameters.
    pub fn any(&self, bits: &[Bit]) -> Result<Bit, Error> {
        self.thresholds(bits, |_| 1, false)
    }

    /// Computes the parity of the bits, which is false for no bits. A bootstrap takes as many bits
    /// as its noise limit allows.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if a bit belongs to other parameters.
    pub fn parity(&self, bits: &[Bit]) -> Result<Bit, Error> {
        self.reduce(bits, usize::MAX, false, |sum, _| Ok((sum.modulo(1), self.odd().clone())))
    }

    fn thresholds(
        &self,
        bits: &[Bit],
        threshold: impl Fn(i32) -> i32,
        empty: bool,
    ) -> Result<Bit, Error> {
        let space = self.evaluator().params().space();
        self.reduce(bits, space.half() as usize, empty, |sum, inputs| {
            Ok((sum, at_least(space, threshold(inputs), inputs)?))
        })
    }

    /// Sums groups of at most `arity` bits and bootstraps the sums, layer by layer, until one bit
    /// is left.
    fn reduce(
        &self,
        bits: &[Bit],
        arity: usize,
        empty: bool,
        table: impl Fn(Block, i32) -> Result<(Block, Lut), Error>,
    ) -> Result<Bit, Error> {
        let evaluator = self.evaluator();
        let blocks: Result<Vec<_>, _> =
            bits.iter().map(|bit| bit.block_for(evaluator).cloned()).collect();
        let mut blocks = blocks?;
        while blocks.len() > 1 {
            let mut groups = grouped(&blocks, arity, evaluator.params().max_noise_variance());
            // A bit without a partner waits for the next layer.
            let alone = groups.pop_if(|group| group.len() == 1).and_then(|group| group.first());
            let zero = Block::trivial(evaluator.params().space(), 0);
            let sums = groups.iter().map(|group| {
                let sum = group.iter().fold(zero.clone(), |sum, bit| sum.unchecked_add(bit));
                table(sum, group.len() as i32)
            });
            let sums: Vec<_> = sums.collect::<Result<_, _>>()?;
            let jobs: Vec<_> = sums.iter().map(|(input, lut)| Job { input, lut }).collect();
            let outputs = evaluator.bootstrap(&jobs)?.into_iter().flatten();
            blocks = outputs.chain(alone.cloned()).collect();
        }
        let one = blocks.pop().map(Bit::new);
        Ok(one.unwrap_or_else(|| Bit::trivial(evaluator.params(), empty)))
    }
}

/// Groups consecutive blocks, at most `arity` of them, so that the noise variance of each group's
/// sum is at most `limit`, unless that of a single block is greater.
fn grouped(blocks: &[Block], arity: usize, limit: u32) -> Vec<&[Block]> {
    let mut groups = Vec::new();
    let (mut start, mut noise) = (0, Noise::default());
    for (index, block) in blocks.iter().enumerate() {
        let with_this = noise.add_scaled(block.noise(), 1);
        let fits = index - start < arity && with_this.variance() <= limit;
        if index == start || fits {
            noise = with_this;
        } else {
            groups.push(&blocks[start..index]);
            (start, noise) = (index, block.noise().clone());
        }
    }
    groups.push(&blocks[start..]);
    groups
}
