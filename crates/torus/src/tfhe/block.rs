//! The LWE ciphertext of a small integer, with the public bounds on its value and noise.

mod linear;

use super::accumulator::Argument;
use super::noise::{Noise, source_name};
use super::{Error, Owner, Params, Space, Span};
use crate::KeyId;
use crate::lwe::LweCiphertext;
use std::fmt;

/// An LWE ciphertext of a small integer, with its public metadata: message space, range of the
/// integer, noise variance and depth.
///
/// Sums, differences and multiples are linear and need no bootstrap; they update range and noise. A
/// lookup table takes a block whose range is within its domain and whose noise is within the limit
/// of the parameters ([`super::Evaluator::bootstrap`] checks both).
///
/// The noise variance accounts for dependence. Two blocks have dependent noise if one is a copy or
/// a multiple of the other, or a sum that contains it, or if both are outputs of the same function
/// of the same ciphertext (which are equal) or of the same multi-value bootstrap. All other noises
/// count as independent. If a block was computed elsewhere and received, its noise may depend on
/// any other: its standard deviation is added to theirs. Derivation: docs/maths/tfhe.md.
///
/// A block holds the identifier of its secret key and of its parameter set, and every operation
/// compares them. A clear block belongs to no key and can be combined with any.
#[derive(Clone)]
pub struct Block {
    lwe: LweCiphertext,
    space: Space,
    range: Span,
    noise: Noise,
    depth: u32,
    fresh: bool,
    /// `None` for a clear or simulated block.
    owner: Option<Owner>,
}

/// Compares the ciphertexts and their public metadata.
impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        (self.space, self.range, self.noise_variance(), self.depth, self.owner)
            == (other.space, other.range, other.noise_variance(), other.depth, other.owner)
            && self.lwe == other.lwe
    }
}

/// Prints the public metadata of the block, without its ciphertext.
impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span { low, high } = self.range;
        write!(
            f,
            "Block({low}..={high}, noise variance {}, depth {}",
            self.noise_variance(),
            self.depth
        )?;
        match self.owner {
            Some(owner) => write!(f, ", key {})", owner.key()),
            None if self.is_clear() => write!(f, ", clear)"),
            None => write!(f, ", simulated)"),
        }
    }
}

/// The metadata of a received block, as its sender states it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claims {
    /// Least and greatest integer that the block may hold.
    pub(crate) range: Span,
    /// Noise variance, in units of the variance of a bootstrap's output.
    pub(crate) noise_variance: u32,
    /// Number of bootstraps on the longest path to the block.
    pub(crate) depth: u32,
}

impl Block {
    /// Returns the block of a fresh encryption with these parameters under this key.
    pub(crate) fn fresh(lwe: LweCiphertext, params: &Params, owner: Owner, range: Span) -> Block {
        let (noise, space) = (Noise::of_mask(lwe.mask(), 1), params.space());
        Block { lwe, space, range, noise, depth: 0, fresh: true, owner: Some(owner) }
    }

    /// Returns a block that was computed elsewhere, so that its noise may depend on any other.
    pub(crate) fn received(
        lwe: LweCiphertext,
        params: &Params,
        owner: Owner,
        claims: Claims,
    ) -> Block {
        let Claims { range, noise_variance, depth } = claims;
        let noise = Noise::of_mask(lwe.mask(), noise_variance).of_unknown_origin();
        Block { lwe, space: params.space(), range, noise, depth, fresh: false, owner: Some(owner) }
    }

    /// Returns a clear block for a result that turned out to be public, with this range.
    pub(super) fn clear(lwe: &LweCiphertext, space: Space, range: Span) -> Block {
        let lwe = LweCiphertext::trivial(lwe.body());
        Block::with_noise(lwe, space, range, Noise::default(), 0)
    }

    /// Returns a block for the result of a computation, with its noise.
    pub(super) fn with_noise(
        lwe: LweCiphertext,
        space: Space,
        range: Span,
        noise: Noise,
        depth: u32,
    ) -> Block {
        Block { lwe, space, range, noise, depth, fresh: false, owner: None }
    }

    /// Returns the block with this owner; a clear block has none.
    #[must_use]
    pub(super) fn owned_by(self, owner: Option<Owner>) -> Block {
        let owner = owner.filter(|_| !self.lwe.is_trivial());
        Block { owner, ..self }
    }

    /// Returns the block as the argument of a blind rotation. Equal masks have equal names, however
    /// they were computed or received. The noise stands in for the mask of a simulated block.
    pub(super) fn argument(&self) -> Argument {
        let mask = if self.lwe.is_trivial() {
            source_name(&self.noise.terms())
        } else {
            source_name(&self.lwe.mask())
        };
        Argument { mask, body: self.lwe.body(), space: self.space }
    }

    /// Returns the trivial block of a clear integer, without noise or secrecy.
    pub fn trivial(space: Space, value: i32) -> Block {
        let lwe = LweCiphertext::trivial(space.encode(value.into()));
        Block::with_noise(lwe, space, Span::of(value), Noise::default(), 0)
    }

    /// Returns a clear integer that simulates a fresh ciphertext of a value between the two ends of
    /// `range`, in either order. A value outside widens the range.
    pub fn simulated(space: Space, value: i32, range: (i32, i32)) -> Block {
        let range = simulated_span(value, range);
        Block { range, noise: Noise::new(1), ..Block::trivial(space, value) }
    }

    /// Returns a clear integer that simulates a ciphertext computed elsewhere. Its noise has
    /// variance `noise_variance` and may depend on any other noise. The range is as in
    /// [`Block::simulated`].
    pub fn simulated_received(
        space: Space,
        value: i32,
        range: (i32, i32),
        noise_variance: u32,
    ) -> Block {
        let noise = Noise::new(noise_variance).of_unknown_origin();
        let range = simulated_span(value, range);
        Block { range, noise, ..Block::trivial(space, value) }
    }

    /// Returns the block for a simulation: all public metadata, and the body of the ciphertext.
    pub(crate) fn to_simulated(&self) -> Block {
        let lwe = LweCiphertext::trivial(self.lwe.body());
        Block { lwe, owner: None, fresh: false, ..self.clone() }
    }

    /// Returns the identifier of the secret key that the block is encrypted under; `None` if it is
    /// clear or simulated.
    pub fn key_id(&self) -> Option<KeyId> {
        self.owner.map(Owner::key)
    }

    /// Returns the key and the parameter set; `None` if the block is clear or simulated.
    #[inline]
    pub(crate) fn owner(&self) -> Option<Owner> {
        self.owner
    }

    /// Returns whether the block is a fresh encryption, on which nothing was computed.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Returns the ciphertext.
    pub fn lwe(&self) -> &LweCiphertext {
        &self.lwe
    }

    /// Returns the message space.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Returns the least and the greatest integer that the block may hold.
    pub fn range(&self) -> (i32, i32) {
        self.range.ends()
    }

    /// Returns the span of the integers that the block may hold.
    #[inline]
    pub(super) fn span(&self) -> Span {
        self.range
    }

    /// Returns the noise variance, in units of the variance of a bootstrap's output; 0 for a clear
    /// integer.
    pub fn noise_variance(&self) -> u32 {
        self.noise.variance()
    }

    /// Returns the noise as a sum of independent sources.
    pub(super) fn noise(&self) -> &Noise {
        &self.noise
    }

    /// Returns whether the other block is the same ciphertext, or, if simulated, a copy.
    pub(super) fn is_copy_of(&self, other: &Block) -> bool {
        let no_noise_apart = || self.noise.add_scaled(&other.noise, -1).variance() == 0;
        self.lwe == other.lwe && (!self.lwe.is_trivial() || no_noise_apart())
    }

    /// Returns the number of bootstraps on the longest path to this block.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns whether the value is public: the ciphertext is trivial and not simulated.
    pub fn is_clear(&self) -> bool {
        self.lwe.is_trivial() && self.noise_variance() == 0
    }

    /// Returns the value of a clear block; it is in the block's range if that is correct.
    pub(crate) fn clear_value(&self) -> i32 {
        debug_assert!(self.is_clear());
        // The body determines the integer up to multiples of the period; the range starts with the
        // least that it can be. A range from outside may start anywhere, which the clamp keeps from
        // overflow.
        let (low, period) = (self.range.low.clamp(-self.period(), self.period()), self.period());
        low + (self.space.decode(self.lwe.body()).wrapping_sub(low) & (period - 1))
    }

    /// Returns the number of messages.
    fn period(&self) -> i32 {
        2 * self.space.half()
    }

    /// Refuses a block of other parameters.
    pub(super) fn check_params(&self, params: &Params) -> Result<(), Error> {
        let own = self.owner.is_none_or(|owner| owner.is_of(params));
        if own && self.space == params.space() {
            return Ok(());
        }
        let left = match self.owner {
            Some(owner) => format!("a block of key {}", owner.key()),
            None => format!("a block of {} bits", self.space.bits()),
        };
        Err(Error::ParamsMismatch { left, right: params.name().to_owned() })
    }
}

/// Returns the least span that contains the value and both ends of `range`, in either order.
fn simulated_span(value: i32, range: (i32, i32)) -> Span {
    Span::of(range.0).hull(Span::of(range.1)).hull(Span::of(value))
}
