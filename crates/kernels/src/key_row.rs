//! Operands of the inner product of key switching: keys, laid out for a single pass, and digits.

use crate::line::Line;
use crate::{Modulus, Row};

/// Words of a block, which the last six levels of a transform combine.
const BLOCK: usize = 64;

/// The rows of a key-switching key modulo one prime, in the order in which
/// [`crate::Kernel::key_product`] reads them: one sequential stream, which the CPU prefetches.
///
/// The order is by block of 64 positions, then by digit, then by the two components. A product with
/// fewer digits reads the beginning of every block's part.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRow {
    words: Row,
    digits: usize,
}

/// The words of one block in the two components, for one digit.
pub(crate) type KeyBlock = [[Line; BLOCK / 8]; 2];

impl KeyRow {
    /// Lays out the two components of every digit. Shapes: at least one digit; canonical rows of
    /// equal length, a multiple of 64.
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

    /// Moves the keys for several primes into one buffer, so that together they may fill huge pages
    /// ([`Row::side_by_side`]).
    pub fn side_by_side(keys: &mut [KeyRow]) {
        Row::side_by_side(&mut keys.iter_mut().map(|key| &mut key.words).collect::<Vec<_>>());
    }

    /// Returns the number of digits.
    pub fn digits(&self) -> usize {
        self.digits
    }

    /// Returns the number of words in a row.
    pub fn degree(&self) -> usize {
        self.words.len() / (2 * self.digits)
    }

    /// Copies component `half` of a digit, in its original order, to `out`.
    pub fn copy_half(&self, digit: usize, half: usize, out: &mut [u64]) {
        debug_assert!(digit < self.digits && half < 2);
        let blocks = self.words.as_chunks::<BLOCK>().0.chunks_exact(2 * self.digits);
        for (out, blocks) in out.as_chunks_mut::<BLOCK>().0.iter_mut().zip(blocks) {
            *out = blocks[2 * digit + half];
        }
    }

    /// Iterates over the blocks; each item holds the words of all digits.
    pub(crate) fn strips(&self) -> impl Iterator<Item = &[KeyBlock]> {
        let blocks: &[KeyBlock] = self.words.as_chunks().0.as_chunks().0.as_chunks().0;
        blocks.chunks_exact(self.digits)
    }
}

/// The representation of a digit modulo the prime of a transform.
#[derive(Debug)]
pub enum Digit<'a> {
    /// Values in the NTT domain, lazy.
    Values(&'a [u64]),
    /// Coefficients, lazy; they are overwritten.
    Coefficients(&'a mut [u64]),
    /// Canonical coefficients modulo another odd number, which represent the centred integers of
    /// their residue classes.
    Residues {
        /// The coefficients.
        row: &'a [u64],
        /// The modulus of the coefficients.
        modulus: &'a Modulus,
        /// A buffer of the same length, which is overwritten.
        room: &'a mut [u64],
    },
}
