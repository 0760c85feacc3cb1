//! Linear maps of any scheme with slots, by values of its messages.

use super::{Level, LinearMap, Params, Scheme, Slotted};
use crate::Error;
use std::collections::BTreeMap;

/// A scheme with slots, whose linear maps multiply messages by matrices of their values.
pub trait Mapped: Slotted + Scheme {
    /// See [`LinearMap::of_diagonals`].
    #[doc(hidden)]
    fn map_of_diagonals(
        params: &Params<Self>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<Self::Value>>,
        level: Level,
    ) -> Result<LinearMap<Self>, Error>;
}

impl<S: Mapped> LinearMap<S> {
    /// Prepares a square matrix of `size` rows, a power of two, for vectors at `level`, by its
    /// diagonals: `result[i] = sum_d diagonals[d][i] * operand[(i + d) mod size]`.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::NoSuchLevel`] and the refusals of values of the scheme.
    pub fn of_diagonals(
        params: &Params<S>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<S::Value>>,
        level: impl Into<Level>,
    ) -> Result<LinearMap<S>, Error> {
        S::map_of_diagonals(params, size, diagonals, level.into())
    }
}
