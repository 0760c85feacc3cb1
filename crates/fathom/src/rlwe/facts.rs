//! Public knowledge of the values of a message, besides its norms.

use std::fmt::Debug;

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
}
