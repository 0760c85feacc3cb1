//! The keys that a simulated computation used.

use fathom::rlwe::{KeyPlan, KeyUse};
use pyo3::prelude::*;

/// The keys that a computation needs, each with the highest level at which it is used.
#[pyclass(frozen, module = "fathom._fathom", name = "KeyPlan")]
pub struct PyKeyPlan {
    pub(crate) inner: KeyPlan,
}

#[pymethods]
impl PyKeyPlan {
    fn __len__(&self) -> usize {
        self.inner.iter().count()
    }

    /// Returns the keys: the Galois element, or none for the key of products, and the level.
    #[getter]
    fn entries(&self) -> Vec<(Option<usize>, usize)> {
        let entry = |(key, level): (KeyUse, fathom::rlwe::Level)| match key {
            KeyUse::Galois(element) => (Some(element), level.get()),
            // Every other use is that of products.
            _ => (None, level.get()),
        };
        self.inner.iter().map(entry).collect()
    }
}
