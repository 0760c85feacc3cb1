//! The trait by which the encoding of one ring scheme differs from that of another, and the public
//! knowledge of messages that its ciphertexts carry.

use crate::Error;
use std::fmt::Debug;

/// The metadata and tables of a scheme's encoding.
pub trait Encoding: Copy + Debug + Send + Sync + sealed::Sealed + 'static {
    /// Public metadata that the encoding of a message needs: the factor of BFV and BGV, the scale
    /// of a scheme for real numbers.
    type Meta: Copy + Debug + PartialEq + Send + Sync;
    /// The public facts about the values of a message.
    type Facts: Facts;
    /// The tables of the encoding, which the parameters hold.
    type Tables: Debug + Send + Sync;

    /// Short name, as in result files and frames.
    const NAME: &'static str;
    /// The party that brings operands to one level.
    const LEVELS: Levels;
    /// Bound on the relative error of metadata after an operation has changed them: that of a few
    /// roundings for a scale in floating point, none for factors.
    const META_ERROR: f64 = 0.0;

    /// Returns the change that makes an operation possible whose result, of this metadata, would
    /// exceed the noise limit.
    #[doc(hidden)]
    fn remedy(_: &Self::Tables, _: Self::Meta, _: Shortage) -> &'static str {
        "take parameters of greater depth, for instance with Params::for_depth"
    }
}

/// The sizes of a result that exceeds the noise limit.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Shortage {
    /// `log2` of the modulus at its level.
    pub(crate) modulus_bits: f64,
    /// `log2` of the largest modulus of the parameters.
    pub(crate) largest_modulus_bits: f64,
    /// Bound on the message at a root.
    pub(crate) message: f64,
    /// Bound on the errors at a root.
    pub(crate) errors: f64,
}

/// The party that takes care of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// The evaluator: operands are brought to the lower of their levels.
    Automatic,
    /// The caller: operands at different levels are refused.
    Explicit,
}

pub(crate) mod sealed {
    /// Restricts [`Encoding`](super::Encoding) to the schemes of this crate.
    pub trait Sealed {}
}

/// Public knowledge of the values of a message, which every operation passes on: `()` for integers,
/// and for CKKS which values slots hold that no value was given for.
pub trait Facts: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Returns the facts of `-m`.
    #[must_use]
    fn negated(self) -> Self;
    /// Returns the facts of the message whose two rows of slots are swapped.
    #[must_use]
    fn conjugated(self) -> Self;
    /// Returns the facts of the sum of two messages.
    fn plus(left: Known<Self>, right: Known<Self>) -> Self;
    /// Returns the facts of the product of two messages, slot by slot.
    fn times(left: Known<Self>, right: Known<Self>) -> Self;
    /// Returns the facts of a matrix times the message, whose values are up to `magnitude`; `self`
    /// are those of the matrix.
    #[must_use]
    fn mapped(self, operand: Self, magnitude: f64) -> Self;
    /// Returns the facts of the message, computed from `operand`, each slot of which is the sum of
    /// all slots of the operand.
    #[must_use]
    fn summed_up(self, operand: Self) -> Self;
    /// Returns the facts of the message whose slots are rotated.
    #[must_use]
    fn rotated(self) -> Self;
    /// Returns the facts of the message, some of whose slots were replaced by zeros.
    #[must_use]
    fn selected(self) -> Self;
    /// Refuses a message that is not a vector of `size` values, repeated to fill the slots.
    ///
    /// # Errors
    /// [`DomainError::NotPacked`](crate::ckks::DomainError) of CKKS, where it is known.
    fn check_packed(self, operation: &'static str, size: usize) -> Result<(), Error>;
}

/// The facts of a message with the bound on its absolute values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known<F> {
    pub(crate) facts: F,
    pub(crate) magnitude: f64,
}

impl<F: Facts> Known<F> {
    pub(crate) fn negated(self) -> Known<F> {
        Known { facts: self.facts.negated(), ..self }
    }
}

impl Facts for () {
    fn negated(self) {}
    fn conjugated(self) {}
    fn plus(_: Known<()>, _: Known<()>) {}
    fn times(_: Known<()>, _: Known<()>) {}
    fn mapped(self, (): (), _: f64) {}
    fn summed_up(self, (): ()) {}
    fn rotated(self) {}
    fn selected(self) {}
    fn check_packed(self, _: &'static str, _: usize) -> Result<(), Error> {
        Ok(())
    }
}
