//! Functions on blocks that several operations share.

use super::digits::{self, DIGIT_BITS, DIGIT_MAX, SPACE};
use super::tables::{TABLES, Tables};
use super::{AnyRadixValue, FheBool, Operand, Side, ValueType};
use crate::tfhe::{Block, Error, Evaluator, Job, Lut};
use std::borrow::Cow;

/// The least noise limit of a parameter set for integers: that of a selection between two blocks,
/// by a third, with the noise of two bootstraps each (docs/maths/tfhe-integers.md).
const LEAST_LIMIT: u32 = 132;

/// An evaluator for the parameters of integers, with the lookup tables of integers.
#[derive(Clone, Copy)]
pub(super) struct Radix<'e> {
    evaluator: &'e Evaluator,
    pub(super) tables: &'static Tables,
}

impl Evaluator {
    /// Returns this evaluator with the tables of integers, if its parameters are those of integers.
    pub(super) fn radix(&self) -> Result<Radix<'_>, Error> {
        let params = self.params();
        let two_bits = params.space() == SPACE && params.spec().message_bits as usize == DIGIT_BITS;
        if !two_bits || params.max_noise_variance() < LEAST_LIMIT {
            return Err(Error::ParamsMismatch {
                left: format!(
                    "integers, of blocks of 2 bits of message and 2 of carry, with noise up to \
                     {LEAST_LIMIT}"
                ),
                right: params.name().to_owned(),
            });
        }
        let tables = &*TABLES;
        Ok(Radix { evaluator: self, tables })
    }
}

impl<'e> Radix<'e> {
    /// Returns the evaluator.
    pub(super) fn evaluator(&self) -> &'e Evaluator {
        self.evaluator
    }

    /// Returns the blocks of an operand, if they belong to the evaluator's parameters and key.
    pub(super) fn blocks<'a, T: AnyRadixValue>(&self, word: &'a T) -> Result<&'a [Block], Error> {
        self.check(word.blocks())?;
        Ok(word.blocks())
    }

    /// Returns the second operand of an operation on `a`.
    pub(super) fn side<'a, T: AnyRadixValue>(
        &self,
        a: &T,
        operand: &'a impl Operand<T>,
    ) -> Result<Side<'a>, Error> {
        self.side_as(a.value_type(), operand)
    }

    /// Returns an operand as a value of this type.
    pub(super) fn side_as<'a, T: AnyRadixValue>(
        &self,
        ty: ValueType,
        operand: &'a impl Operand<T>,
    ) -> Result<Side<'a>, Error> {
        let side = operand.side(ty)?;
        if let Side::Encrypted(blocks) = side {
            digits::check_canonical(blocks, ty.bits().into())?;
            self.check(blocks)?;
        }
        Ok(side)
    }

    /// Returns the second operand of an operation on `a`, as blocks.
    pub(super) fn operand<'a, T: AnyRadixValue>(
        &self,
        a: &T,
        operand: &'a impl Operand<T>,
    ) -> Result<Cow<'a, [Block]>, Error> {
        Ok(self.side(a, operand)?.into_blocks(a.bits()))
    }

    /// Refuses blocks of other parameters or another key, and blocks of a simulation.
    pub(super) fn check(&self, blocks: &[Block]) -> Result<(), Error> {
        blocks.iter().try_for_each(|block| self.evaluator.check_block(block))
    }

    /// Evaluates independent lookup tables in one layer.
    pub(super) fn layer(&self, jobs: &[(Block, &Lut)]) -> Result<Vec<Vec<Block>>, Error> {
        let jobs: Vec<_> = jobs.iter().map(|(input, lut)| Job { input, lut }).collect();
        self.evaluator.bootstrap(&jobs)
    }

    /// Evaluates one table with one function on every input, in one layer.
    pub(super) fn map(
        &self,
        inputs: impl IntoIterator<Item = Block>,
        lut: &Lut,
    ) -> Result<Vec<Block>, Error> {
        let jobs: Vec<_> = inputs.into_iter().map(|input| (input, lut)).collect();
        Ok(self.layer(&jobs)?.into_iter().flatten().collect())
    }

    /// Returns the differences of two vectors of digits, as nibbles if their noise is within the
    /// limit of a bootstrap.
    pub(super) fn nibble_differences(&self, a: &[Block], b: &[Block]) -> Vec<Block> {
        let max_noise_variance = self.evaluator.params().max_noise_variance();
        let nibble = |digits: &[Block]| {
            let nibble = nibbles(digits);
            let fits = nibble.iter().all(|nibble| nibble.noise_variance() <= max_noise_variance);
            if fits { nibble } else { digits.to_vec() }
        };
        differences(a, b).chunks(2).flat_map(nibble).collect()
    }

    /// Evaluates one lookup table with one function.
    pub(super) fn apply(&self, input: &Block, lut: &Lut) -> Result<Block, Error> {
        self.evaluator.apply(input, lut)
    }
}

/// Returns a block that holds 0 or 1 as a truth value.
pub(super) fn truth(block: Block) -> Result<FheBool, Error> {
    FheBool::from_block(block)
}

/// Returns the trivial block of a digit.
pub(super) fn constant(digit: i32) -> Block {
    Block::trivial(SPACE, digit)
}

/// Computes `3 - digit`: the complement of both bits.
pub(super) fn complement(block: &Block) -> Block {
    block.sub_from(DIGIT_MAX)
}

/// Returns the complement of every block.
pub(super) fn complements(blocks: &[Block]) -> Vec<Block> {
    blocks.iter().map(complement).collect()
}

/// Computes `low + 4 high`: two digits as one argument.
pub(super) fn pair(low: &Block, high: &Block) -> Block {
    low.unchecked_add_scaled(high, 4)
}

/// Returns pairs of digits as integers below 16; the last may be a single digit.
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
    a.iter().zip(b).map(|(a, b)| a.unchecked_sub(b)).collect()
}

/// Removes every block of which there is a copy later in the list, since their noises would add up.
/// This is allowed if only the last nonzero block matters, or whether there is one.
pub(super) fn without_copies(blocks: &[Block]) -> Vec<Block> {
    let is_last = |(index, block): &(usize, &Block)| {
        !blocks[index + 1..].iter().any(|later| later.is_copy_of(block))
    };
    blocks.iter().enumerate().filter(is_last).map(|(_, block)| block.clone()).collect()
}

/// Returns the sum of blocks, which is 0 for an empty list.
pub(super) fn total<'a>(blocks: impl IntoIterator<Item = &'a Block>) -> Block {
    let mut blocks = blocks.into_iter();
    let Some(first) = blocks.next().cloned() else {
        return constant(0);
    };
    blocks.fold(first, |sum, block| sum.unchecked_add(block))
}

/// Returns whether a block is canonical, so that it can be part of an integer.
pub(super) fn is_canonical(block: &Block) -> bool {
    let (low, high) = block.range();
    low >= 0 && high <= DIGIT_MAX && block.noise_variance() <= super::CANONICAL_NOISE_VARIANCE
}

/// Computes the sum of all `2^i items[i]`. For signs, it has the sign of the last nonzero one.
pub(super) fn weighted(items: &[Block]) -> Block {
    let terms = items.iter().enumerate();
    terms.fold(constant(0), |sum, (index, item)| sum.unchecked_add_scaled(item, 1 << index))
}

/// Returns the outputs of a layer of two functions.
pub(super) fn two(outputs: Vec<Vec<Block>>) -> [Block; 2] {
    let mut outputs = outputs.into_iter().flatten();
    [(); 2].map(|()| outputs.next().expect("two functions have two outputs"))
}
