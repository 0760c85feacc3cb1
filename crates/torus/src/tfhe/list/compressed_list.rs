//! The compressed list, and the places of its blocks.

use crate::KeyId;
use crate::tfhe::ListError;
use crate::tfhe::PackingShape;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{Error, Owner, Params};
use fathom_ring::CoefficientSum;
use std::fmt;
use std::ops::Range;

/// Consecutive blocks of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Number of blocks, at least 1.
    pub(crate) count: u32,
    /// Width of each block, which holds `0..2^bits`.
    pub(crate) bits: u32,
}

/// Blocks packed by [`Evaluator::compress`](crate::tfhe::Evaluator::compress).
///
/// Groups of blocks share a ciphertext each, and up to `degree` groups share a ring ciphertext
/// under the small key, whose words are rounded to [`Params::compressed_bits`] bits. A 64-bit
/// integer takes 48 bytes in a long list, and 1.7 KB in a list of its own. A list of integers or
/// truth values also holds their type.
#[derive(Clone, PartialEq)]
pub struct CompressedList {
    pub(super) params: Params,
    pub(super) origin: Origin,
    pub(super) value_type: Option<ValueType>,
    pub(super) shape: PackingShape,
    pub(super) runs: Vec<Run>,
    /// The masks of all ring ciphertexts, as exponents below `2 N`.
    pub(super) masks: Vec<u32>,
    /// One body for each group.
    pub(super) bodies: Vec<u32>,
}

/// The owner of the messages in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The blocks are encrypted under a secret key.
    Encrypted(Owner),
    /// All blocks are clear.
    Clear,
    /// All blocks are simulated.
    Simulated,
}

/// The place of a block in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Index of the group of blocks that share a ciphertext.
    pub(super) group: usize,
    /// Index of the digit in the group's message.
    pub(super) slot: usize,
    /// Width of a digit in bits.
    pub(super) bits: u32,
}

impl CompressedList {
    pub(crate) fn from_parts(
        params: &Params,
        origin: Origin,
        shape: PackingShape,
        runs: Vec<Run>,
        [masks, bodies]: [Vec<u32>; 2],
    ) -> CompressedList {
        let params = params.clone();
        CompressedList { params, origin, value_type: None, shape, runs, masks, bodies }
    }

    /// Returns the list with this type of its values; `None` for a list of blocks.
    pub(crate) fn typed(self, value_type: Option<ValueType>) -> CompressedList {
        CompressedList { value_type, ..self }
    }

    /// Returns the type of the integers or truth values; `None` for a list of blocks.
    pub fn value_type(&self) -> Option<ValueType> {
        self.value_type
    }

    /// Returns the identifier of the secret key; `None` if all blocks are clear or simulated.
    pub fn key_id(&self) -> Option<KeyId> {
        match self.origin {
            Origin::Encrypted(owner) => Some(owner.key()),
            Origin::Clear | Origin::Simulated => None,
        }
    }

    /// Returns whether all blocks are clear, so that nothing is hidden.
    pub fn is_clear(&self) -> bool {
        self.origin == Origin::Clear
    }

    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// Checks that the list has these parameters and belongs to this key, or is simulated if there
    /// is none.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Simulated`].
    pub(super) fn check(&self, params: &Params, own: Option<Owner>) -> Result<(), Error> {
        self.params.same(params)?;
        match (self.origin, own) {
            (Origin::Encrypted(owner), Some(own)) => owner.same(own),
            (Origin::Clear, _) | (Origin::Simulated, None) => Ok(()),
            (Origin::Encrypted(_), None) | (Origin::Simulated, Some(_)) => {
                Err(Error::Simulated { operation: "decompression" })
            }
        }
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.count as usize).sum()
    }

    /// Returns whether the list is empty.
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

    /// Returns the places of a range of blocks.
    pub(super) fn places(&self, blocks: Range<usize>) -> Result<Vec<Place>, Error> {
        if blocks.start > blocks.end || blocks.end > self.len() {
            let Range { start, end } = blocks;
            return Err(ListError::OutsideList { start, end, length: self.len() }.into());
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

    /// Returns the ciphertext of a group under the small key: its mask, then its body.
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
