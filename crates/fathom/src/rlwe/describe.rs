//! Descriptions of parameters, and the parameters made from them.

use super::{Mechanics, Params};
use crate::Error;

/// A description of parameters of the scheme `S`: its `Spec`, or its `Preset`, which names a
/// ready-made one.
pub trait Describe<S: Mechanics> {
    /// Finds the primes and checks everything: see [`Params::new`].
    ///
    /// # Errors
    /// Those of [`Params::new`].
    fn realise(self) -> Result<Params<S>, Error>;
}

impl<S: Mechanics> Params<S> {
    /// Makes parameters from a description: finds the primes and checks everything.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the product of all primes is too large for the degree and the level,
    /// [`Error::Spec`] if a field is out of range, [`Error::Ring`] if there are not enough primes
    /// or if the variable `FATHOM_KERNEL` names a kernel that cannot serve them.
    pub fn new(description: impl Describe<S>) -> Result<Params<S>, Error> {
        description.realise()
    }

    /// Makes the parameters of a preset.
    ///
    /// # Errors
    /// [`Error::Ring`] if the variable `FATHOM_KERNEL` names a kernel that cannot serve the set; a
    /// preset has no other errors on a CPU that has the portable kernel.
    pub fn preset(preset: impl Describe<S>) -> Result<Params<S>, Error> {
        preset.realise()
    }
}
