//! A small encrypted integer with what is publicly known of it.

use super::Space;
use crate::lwe::LweCiphertext;

/// An LWE ciphertext of a small integer: its message space, the range that the integer lies in, the
/// variance of its noise and its depth are public and travel with it.
///
/// Sums, differences and multiples are linear and cost no bootstrap; range and noise follow. A
/// lookup table takes a block whose range is in its domain and whose noise is within the
/// parameters' limit ([`super::Evaluator::bootstrap`] checks both).
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    lwe: LweCiphertext,
    space: Space,
    range: (i32, i32),
    norm: u32,
    depth: u32,
}

impl Block {
    /// A block around a ciphertext.
    pub(crate) fn new(
        lwe: LweCiphertext,
        space: Space,
        range: (i32, i32),
        norm: u32,
        depth: u32,
    ) -> Block {
        Block { lwe, space, range, norm, depth }
    }

    /// The trivial block of a clear integer: no noise, no secrecy.
    pub fn trivial(space: Space, value: i32) -> Block {
        let lwe = LweCiphertext::trivial(space.encode(value.into()));
        Block { lwe, space, range: (value, value), norm: 0, depth: 0 }
    }

    /// A clear integer that counts as a fresh ciphertext of a value in `range`: simulation.
    pub fn simulated(space: Space, value: i32, range: (i32, i32)) -> Block {
        Block { range, norm: 1, ..Block::trivial(space, value) }
    }

    /// The same of a simulation: all that is public of the block, of the ciphertext its body only.
    pub(crate) fn to_simulated(&self) -> Block {
        Block { lwe: LweCiphertext::trivial(self.lwe.body()), ..*self }
    }

    /// The ciphertext.
    pub fn lwe(&self) -> &LweCiphertext {
        &self.lwe
    }

    /// The message space.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Least and greatest integer that the block may hold.
    pub fn range(&self) -> (i32, i32) {
        self.range
    }

    /// Variance of the noise, in units of the output of a plain bootstrap; 0 for a clear integer.
    pub fn norm(&self) -> u32 {
        self.norm
    }

    /// Bootstraps on the longest path to this block.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether the value is public: trivial, and not standing for a ciphertext.
    pub fn is_clear(&self) -> bool {
        self.lwe.is_trivial() && self.norm == 0
    }

    /// `self + other * factor`.
    pub fn plus_scaled(&self, other: &Block, factor: i32) -> Block {
        debug_assert_eq!(self.space, other.space);
        let scaled = other.scaled_range(factor);
        Block {
            lwe: self.lwe.plus_scaled(&other.lwe, factor.into()),
            space: self.space,
            range: (self.range.0 + scaled.0, self.range.1 + scaled.1),
            norm: self.norm.saturating_add(other.scaled_norm(factor)),
            depth: self.depth.max(other.depth),
        }
    }

    /// `self + other`.
    pub fn plus(&self, other: &Block) -> Block {
        self.plus_scaled(other, 1)
    }

    /// `self - other`.
    pub fn minus(&self, other: &Block) -> Block {
        self.plus_scaled(other, -1)
    }

    /// `self * factor`.
    pub fn times(&self, factor: i32) -> Block {
        let lwe = self.lwe.scaled(factor.into());
        let (range, norm) = (self.scaled_range(factor), self.scaled_norm(factor));
        Block { lwe, range, norm, ..*self }
    }

    /// The integer modulo `2^bits`, in the space of that many bits.
    ///
    /// Its values lie further apart, by the factor by which the noise grows: with the same noise on
    /// every term of a sum, the bootstrap that follows fails no more often.
    pub(crate) fn modulo(&self, bits: u32) -> Block {
        debug_assert!((1..=self.space.bits()).contains(&bits));
        let space = Space::new(bits);
        Block {
            space,
            range: (0, 2 * space.half() - 1),
            ..self.times(1 << (self.space.bits() - bits))
        }
    }

    /// `self + constant`.
    pub fn plus_constant(&self, constant: i32) -> Block {
        let mut lwe = self.lwe.clone();
        lwe.add_message(self.space.encode(constant.into()));
        let range = (self.range.0 + constant, self.range.1 + constant);
        Block { lwe, range, ..*self }
    }

    /// The same ciphertext with a narrower range, which the caller knows to hold.
    #[must_use]
    pub(crate) fn within(self, low: i32, high: i32) -> Block {
        debug_assert!(low <= high);
        Block { range: (low.max(self.range.0), high.min(self.range.1)), ..self }
    }

    /// Least and greatest multiple by `factor`.
    pub(super) fn scaled_range(&self, factor: i32) -> (i32, i32) {
        let ends = (self.range.0 * factor, self.range.1 * factor);
        (ends.0.min(ends.1), ends.0.max(ends.1))
    }

    fn scaled_norm(&self, factor: i32) -> u32 {
        self.norm.saturating_mul(factor.unsigned_abs().saturating_pow(2))
    }
}
