//! Matrices prepared to multiply vectors.

use crate::scheme::{AnyMap, each};
use fathom_planner::RingOperation;
use pyo3::prelude::*;

/// A matrix prepared to multiply vectors.
#[pyclass(frozen, module = "fathom._fathom")]
pub struct LinearMap {
    pub(crate) inner: AnyMap,
}

impl LinearMap {
    /// Returns a product with the matrix as an operation that is counted.
    pub(crate) fn operation(&self) -> RingOperation {
        let [rows, columns] = [self.result_size(), self.size()].map(|size| size as u32);
        RingOperation::Transform { rows, columns, size: rows.max(columns) }
    }
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
