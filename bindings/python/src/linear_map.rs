//! Matrices prepared to multiply vectors.

use crate::scheme::{AnyMap, each};
use pyo3::prelude::*;

/// A matrix prepared to multiply vectors.
#[pyclass(frozen, module = "fathom._fathom")]
pub struct LinearMap {
    pub(crate) inner: AnyMap,
}

#[pymethods]
impl LinearMap {
    /// Returns the steps of the rotations that products take.
    #[getter]
    fn steps(&self) -> Vec<i64> {
        each!(&self.inner, map => map.rotations().steps)
    }

    /// Returns the number of slots in a period of the operand.
    #[getter]
    fn size(&self) -> usize {
        each!(&self.inner, map => map.size())
    }

    /// Returns the number of slots in a period of the result.
    #[getter]
    fn result_size(&self) -> usize {
        each!(&self.inner, map => map.result_size())
    }
}
