//! A small encrypted integer with what is publicly known of it.

use super::Space;
use super::noise::Noise;
use crate::lwe::LweCiphertext;
use std::hash::{DefaultHasher, Hash, Hasher};

/// An LWE ciphertext of a small integer: its message space, the range that the integer lies in, the
/// variance of its noise and its depth are public and travel with it.
///
/// Sums, differences and multiples are linear and cost no bootstrap; range and noise follow, that
/// of blocks with noise in common too. A lookup table takes a block whose range is in its domain
/// and whose noise is within the parameters' limit ([`super::Evaluator::bootstrap`] checks both).
///
/// Noises count as independent unless one block is a copy or a multiple of the other, or a sum
/// that has it as a term, or both are outputs of one function on one ciphertext, which are equal,
/// or of one multi-value bootstrap. A block that was computed, written and read again is not
/// recognised, and evaluation keys are not told apart: use one for each client key.
#[derive(Clone, Debug)]
pub struct Block {
    lwe: LweCiphertext,
    space: Space,
    range: (i32, i32),
    noise: Noise,
    depth: u32,
}

/// Equality of the ciphertexts and of what is publicly known of them.
impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        (self.space, self.range, self.norm(), self.depth)
            == (other.space, other.range, other.norm(), other.depth)
            && self.lwe == other.lwe
    }
}

impl Block {
    /// A block around a new ciphertext.
    pub(crate) fn new(
        lwe: LweCiphertext,
        space: Space,
        range: (i32, i32),
        norm: u32,
        depth: u32,
    ) -> Block {
        Block { lwe, space, range, noise: Noise::new(norm), depth }
    }

    /// A block around a ciphertext from elsewhere, which may come more than once.
    pub(crate) fn received(
        lwe: LweCiphertext,
        space: Space,
        range: (i32, i32),
        norm: u32,
        depth: u32,
    ) -> Block {
        let noise = Noise::of_mask(lwe.mask(), norm);
        Block { noise, ..Block::new(lwe, space, range, 0, depth) }
    }

    /// A block around what a computation gave that depends on nothing but `origin`: the
    /// [identities](Block::identity) of its inputs, and what was computed of them.
    pub(super) fn computed(
        lwe: LweCiphertext,
        space: Space,
        range: (i32, i32),
        norm: u32,
        depth: u32,
        origin: impl Hash,
    ) -> Block {
        Block::with_noise(lwe, space, range, Noise::of_source(name(&origin), norm), depth)
    }

    /// A block around what a computation gave, with the noise that it has.
    pub(super) fn with_noise(
        lwe: LweCiphertext,
        space: Space,
        range: (i32, i32),
        noise: Noise,
        depth: u32,
    ) -> Block {
        Block { lwe, space, range, noise, depth }
    }

    /// A name that equal ciphertexts have in common, also simulated ones, and no others.
    pub(super) fn identity(&self) -> u64 {
        name(&(self.noise.terms(), self.lwe.body()))
    }

    /// The trivial block of a clear integer: no noise, no secrecy.
    pub fn trivial(space: Space, value: i32) -> Block {
        let lwe = LweCiphertext::trivial(space.encode(value.into()));
        Block { lwe, space, range: (value, value), noise: Noise::default(), depth: 0 }
    }

    /// A clear integer that counts as a fresh ciphertext of a value in `range`: simulation.
    pub fn simulated(space: Space, value: i32, range: (i32, i32)) -> Block {
        Block { range, noise: Noise::new(1), ..Block::trivial(space, value) }
    }

    /// The same of a simulation: all that is public of the block, of the ciphertext its body only.
    pub(crate) fn to_simulated(&self) -> Block {
        Block { lwe: LweCiphertext::trivial(self.lwe.body()), ..self.clone() }
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
        self.noise.variance()
    }

    /// Where the noise comes from.
    pub(super) fn noise(&self) -> &Noise {
        &self.noise
    }

    /// Whether the other is the same ciphertext; of simulated blocks, whether it is a copy.
    pub(super) fn is_copy_of(&self, other: &Block) -> bool {
        let no_noise_apart = || self.noise.plus_scaled(&other.noise, -1).variance() == 0;
        self.lwe == other.lwe && (!self.lwe.is_trivial() || no_noise_apart())
    }

    /// Bootstraps on the longest path to this block.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether the value is public: trivial, and not standing for a ciphertext.
    pub fn is_clear(&self) -> bool {
        self.lwe.is_trivial() && self.norm() == 0
    }

    /// `self + other * factor`.
    ///
    /// # Panics
    /// If the blocks are of different message spaces, or both have a mask and these are of
    /// different lengths: there is no such sum.
    #[inline]
    pub fn plus_scaled(&self, other: &Block, factor: i32) -> Block {
        assert_eq!(self.space, other.space, "blocks of different message spaces");
        let scaled = other.scaled_range(factor);
        let range = sum(self.range, scaled);
        let noise = self.noise.plus_scaled(&other.noise, factor);
        let lwe = self.lwe.plus_scaled(&other.lwe, factor.into());
        let depth = self.depth.max(other.depth);
        if noise.is_none() {
            return Block { lwe, space: self.space, range, noise, depth }.cleared();
        }
        Block { lwe, space: self.space, range, noise, depth }
    }

    /// `self + other`.
    ///
    /// # Panics
    /// As [`Block::plus_scaled`].
    #[inline]
    pub fn plus(&self, other: &Block) -> Block {
        self.plus_scaled(other, 1)
    }

    /// `self - other`.
    ///
    /// # Panics
    /// As [`Block::plus_scaled`].
    #[inline]
    pub fn minus(&self, other: &Block) -> Block {
        self.plus_scaled(other, -1)
    }

    /// `constant - self`, in one pass.
    pub(crate) fn taken_from(&self, constant: i32) -> Block {
        Block::trivial(self.space, constant).minus(self)
    }

    /// `self * factor`.
    pub fn times(&self, factor: i32) -> Block {
        let lwe = self.lwe.scaled(factor.into());
        let (range, noise) = (self.scaled_range(factor), self.noise.scaled(factor));
        Block { lwe, range, noise, ..*self }.cleared()
    }

    /// The same, without its mask if all of that has cancelled: a clear integer.
    fn cleared(self) -> Block {
        let cancelled = self.noise.is_none() && self.lwe.mask().iter().all(|&word| word == 0);
        let lwe = if cancelled { LweCiphertext::trivial(self.lwe.body()) } else { self.lwe };
        Block { lwe, ..self }
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
        let range = sum(self.range, (constant, constant));
        Block { lwe, range, ..self.clone() }
    }

    /// The same ciphertext with a narrower range, which the caller knows to hold.
    #[must_use]
    pub(crate) fn within(self, low: i32, high: i32) -> Block {
        debug_assert!(low <= high);
        Block { range: (low.max(self.range.0), high.min(self.range.1)), ..self }
    }

    /// Least and greatest multiple by `factor`.
    pub(super) fn scaled_range(&self, factor: i32) -> (i32, i32) {
        let (low, high) = ends(self.range);
        let (low, high) = (low * i64::from(factor), high * i64::from(factor));
        bounded(low.min(high), low.max(high))
    }
}

/// A range that nothing is known of: one that has left the range of its type stays there.
const UNBOUNDED: (i32, i32) = (i32::MIN, i32::MAX);

fn ends((low, high): (i32, i32)) -> (i64, i64) {
    (low.into(), high.into())
}

/// The sum of two ranges.
#[inline]
fn sum(one: (i32, i32), other: (i32, i32)) -> (i32, i32) {
    let (one, other) = (ends(one), ends(other));
    bounded(one.0 + other.0, one.1 + other.1)
}

/// The range, or [`UNBOUNDED`].
#[inline]
fn bounded(low: i64, high: i64) -> (i32, i32) {
    let end = |end: i64| i32::try_from(end).ok().filter(|&end| end > i32::MIN && end < i32::MAX);
    end(low).zip(end(high)).unwrap_or(UNBOUNDED)
}

/// A name for what has this origin and for nothing else.
pub(super) fn name(origin: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    origin.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: Space = Space::new(5);

    fn ciphertext(words: [u32; 3]) -> Block {
        Block::new(LweCiphertext::new(words.to_vec(), 9), SPACE, (0, 3), 1, 0)
    }

    #[test]
    fn noise_of_one_block_adds_up_and_cancels() {
        let (a, b) = (ciphertext([1, 2, 3]), ciphertext([4, 5, 6]));
        assert_eq!(a.plus(&b).norm(), 2);
        assert_eq!(a.plus(&a).norm(), 4);
        assert_eq!(a.plus(&b).plus_scaled(&a, 14).norm(), 226);
        assert_eq!(a.plus(&b).minus(&a).norm(), 1);
        assert!(a.is_copy_of(&a.clone()) && !a.is_copy_of(&b));
        let [x, y] = [0; 2].map(|_| Block::simulated(SPACE, 2, (0, 3)));
        assert!(x.is_copy_of(&x.clone()) && !x.is_copy_of(&y));
    }

    #[test]
    fn a_block_less_itself_is_a_clear_integer() {
        let a = ciphertext([1, 2, 3]);
        for nothing in [a.minus(&a), a.times(0), a.times(2).minus(&a).minus(&a)] {
            assert!(nothing.is_clear());
            assert_eq!((nothing.norm(), nothing.lwe().body()), (0, 0));
        }
        assert!(!a.minus(&ciphertext([1, 2, 3])).is_clear());
    }

    #[test]
    fn a_range_that_left_its_type_does_not_come_back() {
        let a = ciphertext([1, 2, 3]);
        let far = a.plus_constant(i32::MAX);
        assert_eq!(far.range(), UNBOUNDED);
        assert_eq!(far.plus_constant(-i32::MAX).range(), UNBOUNDED);
        assert_eq!(far.minus(&far).plus(&a).times(-1).range(), UNBOUNDED);
        assert_eq!(a.times(i32::MIN).range(), UNBOUNDED);
        assert_eq!(a.times(i32::MIN).times(0).range(), (0, 0));
        let last = a.plus_constant(i32::MAX - 4);
        assert_eq!(last.range(), (i32::MAX - 4, i32::MAX - 1));
        assert_eq!(last.times(-1).plus(&last).range(), (-3, 3));
    }

    #[test]
    #[should_panic(expected = "message spaces")]
    fn blocks_of_different_spaces_have_no_sum() {
        ciphertext([1, 2, 3]).plus(&Block::trivial(Space::new(3), 1));
    }

    #[test]
    #[should_panic(expected = "masks of different lengths")]
    fn blocks_of_different_dimensions_have_no_sum() {
        let short = LweCiphertext::new(vec![1, 2], 9);
        ciphertext([1, 2, 3]).plus(&Block::new(short, SPACE, (0, 3), 1, 0));
    }
}
