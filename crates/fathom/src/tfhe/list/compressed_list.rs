//! The list, and where its blocks lie.

use super::PackingShape;
use crate::KeyId;
use crate::tfhe::integer::WordType;
use crate::tfhe::{Error, Owner, Params};
use fathom_ring::CoefficientSum;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Blocks of the same width, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Blocks, at least 1.
    pub(crate) count: u32,
    /// Bits of each: it holds `0..2^bits`.
    pub(crate) bits: u32,
}

/// Blocks packed by [`Evaluator::compress`](crate::tfhe::Evaluator::compress): a ring ciphertext
/// under the small key for every `degree` groups of blocks, its words cut to
/// [`Params::compressed_bits`] bits.
///
/// A 64-bit integer takes 48 bytes in a long list, and 1.7 KB alone. A list of integers or truth
/// values names their type.
#[derive(Clone, PartialEq)]
pub struct CompressedList {
    pub(super) params: Arc<Params>,
    pub(super) origin: Origin,
    pub(super) word_type: Option<WordType>,
    pub(super) shape: PackingShape,
    pub(super) runs: Vec<Run>,
    /// The masks of every ring ciphertext: exponents below `2 N`.
    pub(super) masks: Vec<u32>,
    /// One body for each group.
    pub(super) bodies: Vec<u32>,
}

/// Whose messages a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Those of a secret key.
    Encrypted(Owner),
    /// Nobody's: all blocks are clear.
    Clear,
    /// Nobody's: all blocks are simulated.
    Simulated,
}

/// Where a block lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Group of blocks that share a ciphertext.
    pub(super) group: usize,
    /// Digit of the group's message.
    pub(super) slot: usize,
    /// Bits of a digit.
    pub(super) bits: u32,
}

impl CompressedList {
    pub(crate) fn from_parts(
        params: &Arc<Params>,
        origin: Origin,
        shape: PackingShape,
        runs: Vec<Run>,
        [masks, bodies]: [Vec<u32>; 2],
    ) -> CompressedList {
        let params = Arc::clone(params);
        CompressedList { params, origin, word_type: None, shape, runs, masks, bodies }
    }

    /// Returns the list as one of words of a type, none for blocks.
    pub(crate) fn typed(self, word_type: Option<WordType>) -> CompressedList {
        CompressedList { word_type, ..self }
    }

    /// Returns the type of the integers or truth values; none for a list of blocks.
    pub fn word_type(&self) -> Option<WordType> {
        self.word_type
    }

    /// Returns the secret key that it is encrypted under; none if all of it is clear or simulated.
    pub fn key_id(&self) -> Option<KeyId> {
        match self.origin {
            Origin::Encrypted(owner) => Some(owner.key()),
            Origin::Clear | Origin::Simulated => None,
        }
    }

    /// Returns whether all blocks are clear: nothing is hidden.
    pub fn is_clear(&self) -> bool {
        self.origin == Origin::Clear
    }

    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// Checks that the list is of these parameters and of this key, or simulated for none.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Simulated`].
    pub(super) fn check(&self, params: &Params, own: Option<Owner>) -> Result<(), Error> {
        self.params.same(params)?;
        match (self.origin, own) {
            (Origin::Encrypted(owner), Some(own)) => owner.same(own),
            (Origin::Clear, _) | (Origin::Simulated, None) => Ok(()),
            (Origin::Encrypted(_), None) | (Origin::Simulated, Some(_)) => Err(Error::Simulated),
        }
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Arc<Params> {
        &self.params
    }

    /// Blocks in the list.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.count as usize).sum()
    }

    /// Returns whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(crate) fn shape(&self) -> &PackingShape {
        &self.shape
    }

    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    pub(crate) fn masks(&self) -> &[u32] {
        &self.masks
    }

    pub(crate) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Where the blocks of a range lie.
    pub(super) fn places(&self, blocks: Range<usize>) -> Result<Vec<Place>, Error> {
        if blocks.start > blocks.end || blocks.end > self.len() {
            return Err(Error::OutsideList {
                end: blocks.end.max(blocks.start),
                length: self.len(),
            });
        }
        let (mut places, mut group) = (Vec::with_capacity(blocks.len()), 0);
        for &Run { count, bits } in &self.runs {
            let slots = self.shape.slots(&self.params, bits);
            let place = |index| Place { group: group + index / slots, slot: index % slots, bits };
            places.extend((0..count as usize).map(place));
            group += (count as usize).div_ceil(slots);
        }
        places.truncate(blocks.end);
        Ok(places.split_off(blocks.start))
    }

    /// Returns the ciphertext of a group under the small key: the words of the mask, then the body.
    pub(super) fn ciphertext(&self, group: usize) -> Vec<u64> {
        let shape = &self.shape;
        let shift = 64 - self.params.compressed_bits();
        let chunk = group / shape.degree;
        let count = shape.degree.min(self.bodies.len() - chunk * shape.degree);
        let masks = &self.masks[chunk * shape.mask_len()..][..shape.mask_len()];
        let masks: Vec<u64> = masks.iter().map(|&word| u64::from(word) << shift).collect();
        let empty = vec![0; shape.degree];
        let mut sum = CoefficientSum::new(&masks, &empty);
        sum.add(shape.place(group % shape.degree, count), 1);
        let (mut words, _) = sum.finish();
        words.truncate(self.params.spec().small_dimension);
        words.push(u64::from(self.bodies[group]) << shift);
        words
    }
}

impl fmt::Debug for CompressedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CompressedList({} blocks, {:?})", self.len(), self.origin)
    }
}
