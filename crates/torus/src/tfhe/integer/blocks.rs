//! Sums, differences and other functions of blocks that take no bootstrap.

use crate::tfhe::Block;
use crate::tfhe::integer::value::digits::{CANONICAL_NOISE_VARIANCE, DIGIT_MAX, SPACE};

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
    low >= 0 && high <= DIGIT_MAX && block.noise_variance() <= CANONICAL_NOISE_VARIANCE
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
