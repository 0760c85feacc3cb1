//! What key switching multiplies: a key laid out for one pass over it, and digits.

use crate::lanes::Line;
use crate::{Modulus, Row};

/// Words of a block: what the last six levels of a transform combine.
const BLOCK: usize = 64;

/// The rows of a key-switching key modulo one prime, in the order in which
/// [`crate::Kernel::key_product`] reads them: a single stream, which the processor fetches ahead.
///
/// For each block of 64 positions, for each digit, for each of the two halves: the block's words. A
/// product with fewer digits reads the beginning of what there is for each block.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRow {
    words: Row,
    digits: usize,
}

/// The block's words in the two halves for one digit.
pub(crate) type KeyBlock = [[Line; BLOCK / 8]; 2];

impl KeyRow {
    /// Lays out the two halves for every digit, at least one: canonical rows of equal length, a
    /// multiple of 64.
    pub fn new(pairs: &[[&[u64]; 2]]) -> KeyRow {
        let degree = pairs[0][0].len();
        debug_assert!(degree.is_multiple_of(BLOCK), "blocks have 64 words");
        debug_assert!(pairs.as_flattened().iter().all(|row| row.len() == degree));
        let mut words = Row::zeroed(2 * pairs.len() * degree);
        let blocks = words.as_chunks_mut::<BLOCK>().0.chunks_exact_mut(2 * pairs.len());
        for (at, blocks) in blocks.enumerate() {
            for (block, half) in blocks.iter_mut().zip(pairs.as_flattened()) {
                block.copy_from_slice(&half[at * BLOCK..][..BLOCK]);
            }
        }
        KeyRow { words, digits: pairs.len() }
    }

    /// Moves keys for several primes into one buffer: together they may fill huge pages
    /// ([`Row::side_by_side`]).
    pub fn side_by_side(keys: &mut [KeyRow]) {
        Row::side_by_side(&mut keys.iter_mut().map(|key| &mut key.words).collect::<Vec<_>>());
    }

    /// The number of digits that there are words for.
    pub fn digits(&self) -> usize {
        self.digits
    }

    /// Words of a row.
    pub fn degree(&self) -> usize {
        self.words.len() / (2 * self.digits)
    }

    /// The words of a half for a digit, as they were given, into `out`.
    pub fn copy_half(&self, digit: usize, half: usize, out: &mut [u64]) {
        debug_assert!(digit < self.digits && half < 2);
        let blocks = self.words.as_chunks::<BLOCK>().0.chunks_exact(2 * self.digits);
        for (out, blocks) in out.as_chunks_mut::<BLOCK>().0.iter_mut().zip(blocks) {
            *out = blocks[2 * digit + half];
        }
    }

    /// For each block in turn, its words for every digit.
    pub(crate) fn strips(&self) -> impl Iterator<Item = &[KeyBlock]> {
        let blocks: &[KeyBlock] = self.words.as_chunks().0.as_chunks().0.as_chunks().0;
        blocks.chunks_exact(self.digits)
    }
}

/// How a digit of a key switch is given modulo the prime of a transform.
#[derive(Debug)]
pub enum Digit<'a> {
    /// By its values, lazy.
    Values(&'a [u64]),
    /// By its coefficients, lazy; they are used up.
    Coefficients(&'a mut [u64]),
    /// By its coefficients modulo another odd number, canonical there, which stand for the smallest
    /// integers of their classes; with room for as many words.
    Residues {
        /// The coefficients.
        row: &'a [u64],
        /// What they are residues of.
        modulus: &'a Modulus,
        /// Will be overwritten.
        room: &'a mut [u64],
    },
}
