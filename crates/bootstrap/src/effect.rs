//! The effect of a bootstrapping on errors.

use super::cleaning::Response;
use fathom_rings::internals::Noise;

/// The effect on errors of a bootstrapping that applies a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    /// The noise that it adds, at the scale of the result.
    pub(super) added: Noise,
    /// Bound on the error that the bootstrapping adds to a slot, in units of results.
    pub(super) error: f64,
    /// Bound on the error of a slot, in units of operands, that comes in before the exponential.
    pub(super) internal: f64,
    /// The change of a result by an error of the operand.
    pub(super) response: Response,
    /// The scale of the results.
    pub(super) scale: f64,
}

impl Effect {
    /// Returns the bound on the error of a result, in its units, that an error of the operand of at
    /// most this size in every slot leads to.
    pub(super) fn of_operand(&self, error: f64) -> f64 {
        self.response.between(self.internal, error)
    }

    /// Returns the greatest error of an operand that leads to at most this error.
    pub(super) fn greatest_operand(&self, error: f64) -> f64 {
        self.response.greatest(self.internal, error)
    }

    /// Returns the scale of the results.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }
}
