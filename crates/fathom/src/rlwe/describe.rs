//! Parameters made from descriptions.

use super::{Mechanics, Params};
use crate::Error;

impl<S: Mechanics> Params<S> {
    /// Makes parameters from a description, the `Spec` of the scheme: finds the primes and checks
    /// everything.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the product of all primes is too large for the degree and the level,
    /// [`Error::Spec`] if a field is out of range, [`Error::Ring`] if there are not enough primes
    /// or if the variable `FATHOM_KERNEL` names a kernel that cannot serve them.
    pub fn new<D>(description: D) -> Result<Params<S>, Error>
    where
        Params<S>: TryFrom<D, Error = Error>,
    {
        Params::try_from(description)
    }

    /// Makes the parameters of a `Preset` of the scheme.
    ///
    /// # Errors
    /// [`Error::Ring`] if the variable `FATHOM_KERNEL` names a kernel that cannot serve the set; a
    /// preset has no other errors on a CPU that has the portable kernel.
    pub fn preset<D>(preset: D) -> Result<Params<S>, Error>
    where
        Params<S>: TryFrom<D, Error = Error>,
    {
        Params::try_from(preset)
    }
}
