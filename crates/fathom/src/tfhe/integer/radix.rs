//! What the operations on blocks share.

use super::digits::{self, DIGIT_BITS, DIGIT_MAX, SPACE};
use super::tables::{TABLES, Tables};
use super::{FheBool, Operand, Side, Word};
use crate::tfhe::{Block, Error, Evaluator, Job, Lut};
use std::borrow::Cow;

/// Noise that a bootstrap takes in every set of integers: that of a selection between two blocks of
/// two bootstraps each, by a third (docs/maths/tfhe-integers.md).
const LEAST_LIMIT: u32 = 132;

/// An evaluator whose parameters are those of integers, with the lookup tables of integers.
#[derive(Clone, Copy)]
pub(super) struct Radix<'e> {
    evaluator: &'e Evaluator,
    pub(super) tables: &'static Tables,
}

impl Evaluator {
    /// This evaluator, if its parameters are those of integers.
    pub(super) fn radix(&self) -> Result<Radix<'_>, Error> {
        let params = self.params();
        let two_bits = params.space() == SPACE && params.spec().message_bits as usize == DIGIT_BITS;
        if !two_bits || params.max_norm() < LEAST_LIMIT {
            return Err(Error::ParamsMismatch {
                left: format!(
                    "integers, of blocks of 2 bits of message and 2 of carry, with noise up to \
                     {LEAST_LIMIT}"
                ),
                right: params.name().to_owned(),
            });
        }
        let tables = TABLES.as_ref().map_err(Clone::clone)?;
        Ok(Radix { evaluator: self, tables })
    }
}

impl<'e> Radix<'e> {
    /// Returns the evaluator.
    pub(super) fn evaluator(&self) -> &'e Evaluator {
        self.evaluator
    }

    /// Returns the blocks of an operand, if they belong to the evaluator's parameters.
    pub(super) fn blocks<'a, T: Word>(&self, word: &'a T) -> Result<&'a [Block], Error> {
        self.check(word.blocks())?;
        Ok(word.blocks())
    }

    /// Returns the second operand of an operation on a `T`.
    pub(super) fn side<'a, T: Word>(
        &self,
        operand: &'a impl Operand<T>,
    ) -> Result<Side<'a>, Error> {
        let side = operand.side()?;
        if let Side::Encrypted(blocks) = side {
            digits::check_canonical(blocks, T::BITS)?;
            self.check(blocks)?;
        }
        Ok(side)
    }

    /// Returns the second operand of an operation on a `T`, as blocks.
    pub(super) fn operand<'a, T: Word>(
        &self,
        operand: &'a impl Operand<T>,
    ) -> Result<Cow<'a, [Block]>, Error> {
        Ok(self.side(operand)?.into_blocks(T::BITS))
    }

    /// Refuses blocks of other parameters, of another key or of a simulation.
    pub(super) fn check(&self, blocks: &[Block]) -> Result<(), Error> {
        blocks.iter().try_for_each(|block| self.evaluator.check_block(block))
    }

    /// One layer: evaluates independent lookup tables together.
    pub(super) fn layer(&self, jobs: &[(Block, &Lut)]) -> Result<Vec<Vec<Block>>, Error> {
        let jobs: Vec<_> = jobs.iter().map(|(input, lut)| Job { input, lut }).collect();
        self.evaluator.bootstrap(&jobs)
    }

    /// One layer of the same table, of one function, on every input.
    pub(super) fn map(
        &self,
        inputs: impl IntoIterator<Item = Block>,
        lut: &Lut,
    ) -> Result<Vec<Block>, Error> {
        let jobs: Vec<_> = inputs.into_iter().map(|input| (input, lut)).collect();
        Ok(self.layer(&jobs)?.into_iter().flatten().collect())
    }

    /// Returns the differences of two vectors of digits, in nibbles where a bootstrap takes their
    /// noise.
    pub(super) fn nibble_differences(&self, a: &[Block], b: &[Block]) -> Vec<Block> {
        let max_norm = self.evaluator.params().max_norm();
        let nibble = |digits: &[Block]| {
            let nibble = nibbles(digits);
            let fits = nibble.iter().all(|nibble| nibble.norm() <= max_norm);
            if fits { nibble } else { digits.to_vec() }
        };
        differences(a, b).chunks(2).flat_map(nibble).collect()
    }

    /// One bootstrap.
    pub(super) fn apply(&self, input: &Block, lut: &Lut) -> Result<Block, Error> {
        self.evaluator.apply(input, lut)
    }
}

/// Returns the truth value of a block that holds 0 or 1.
pub(super) fn truth(block: Block) -> Result<FheBool, Error> {
    FheBool::from_block(block)
}

/// Returns the trivial block of a digit.
pub(super) fn constant(digit: i32) -> Block {
    Block::trivial(SPACE, digit)
}

/// Computes `3 - digit`: the complement of both bits.
pub(super) fn complement(block: &Block) -> Block {
    block.taken_from(DIGIT_MAX)
}

/// Returns the complement of every block.
pub(super) fn complements(blocks: &[Block]) -> Vec<Block> {
    blocks.iter().map(complement).collect()
}

/// Computes `low + 4 high`: two digits as one argument.
pub(super) fn pair(low: &Block, high: &Block) -> Block {
    low.plus_scaled(high, 4)
}

/// Returns the digits two by two, as integers below 16; the last may be one digit alone.
pub(super) fn nibbles(blocks: &[Block]) -> Vec<Block> {
    let nibble = |blocks: &[Block]| match blocks {
        [low, high] => pair(low, high),
        [low, ..] => low.clone(),
        [] => constant(0),
    };
    blocks.chunks(2).map(nibble).collect()
}

/// Returns the differences of two vectors of blocks.
pub(super) fn differences(a: &[Block], b: &[Block]) -> Vec<Block> {
    a.iter().zip(b).map(|(a, b)| a.minus(b)).collect()
}

/// Returns a list without the blocks that a later one is a copy of, whose noise would add up: where
/// only the last block counts that is not 0, or whether there is one.
pub(super) fn without_copies(blocks: &[Block]) -> Vec<Block> {
    let is_last = |(index, block): &(usize, &Block)| {
        !blocks[index + 1..].iter().any(|later| later.is_copy_of(block))
    };
    blocks.iter().enumerate().filter(is_last).map(|(_, block)| block.clone()).collect()
}

/// Returns the sum of blocks; 0 of none.
pub(super) fn total<'a>(blocks: impl IntoIterator<Item = &'a Block>) -> Block {
    let mut blocks = blocks.into_iter();
    let Some(first) = blocks.next().cloned() else {
        return constant(0);
    };
    blocks.fold(first, |sum, block| sum.plus(block))
}

/// Returns whether a block may stand in an integer as it is.
pub(super) fn is_canonical(block: &Block) -> bool {
    let (low, high) = block.range();
    low >= 0 && high <= DIGIT_MAX && block.norm() <= super::CANONICAL_NORM
}

/// Computes `sum of 2^i items[i]`; of signs, one with the sign of the last that is not 0.
pub(super) fn weighted(items: &[Block]) -> Block {
    let terms = items.iter().enumerate();
    terms.fold(constant(0), |sum, (index, item)| sum.plus_scaled(item, 1 << index))
}

/// Returns the first two outputs of a layer.
pub(super) fn two(outputs: Vec<Vec<Block>>) -> [Block; 2] {
    let mut outputs = outputs.into_iter().flatten();
    [(); 2].map(|()| outputs.next().unwrap_or_else(|| constant(0)))
}
