//! The secret keys of a table.

use super::answer::PyAnswer;
use super::table::{PyEncryptedTable, PyRows};
use super::{BATCH, schema_of, slices, to_json};
use crate::arrow::{read_table, refused};
use crate::bytes::read;
use crate::errors::Refusal;
use crate::threads::share;
use crate::work::{abandonable, briefly, go_on, interruptibly, reported};
use arrow_select::concat::concat_batches;
use fathom_columns::{EncryptedResult, Encryptor, TableKey};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The secret keys of a table.
#[pyclass(frozen, module = "fathom._fathom", name = "TableKey")]
pub struct PyTableKey {
    inner: Arc<TableKey>,
}

#[pymethods]
impl PyTableKey {
    #[staticmethod]
    fn generate(py: Python<'_>, schema: &str) -> PyResult<PyTableKey> {
        let schema = schema_of(schema)?;
        let inner = abandonable(py, move || Ok(TableKey::generate(&schema)?))?;
        Ok(PyTableKey { inner: Arc::new(inner) })
    }

    #[staticmethod]
    fn from_secret_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<PyTableKey> {
        let bytes = read(data)?;
        let inner = briefly(py, || Ok(TableKey::from_secret_bytes(&bytes)?))?;
        Ok(PyTableKey { inner: Arc::new(inner) })
    }

    fn to_secret_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.to_secret_bytes())
    }

    #[getter]
    fn schema(&self) -> Result<String, Refusal> {
        to_json(self.inner.schema())
    }

    /// Returns the identifiers of the keys.
    #[getter]
    fn ids(&self) -> Vec<String> {
        self.inner.ids().map(|id| id.to_string()).collect()
    }

    /// Generates the keys that compare encrypted values and fold groups; none if no column takes
    /// any.
    fn evaluation_keys<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let secret = Arc::clone(&self.inner);
        let keys =
            abandonable(py, move || Ok(secret.evaluation_keys()?.map(|keys| keys.to_bytes())))?;
        Ok(keys.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// Encrypts the rows of a table of any package.
    fn encrypt(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<PyEncryptedTable> {
        let reader = read_table(table)?;
        let batch = interruptibly(py, move |token| {
            let schema = reader.schema();
            let checked = |batch: Result<_, _>| {
                go_on(token)?;
                batch.map_err(|error| refused(&error))
            };
            let batches = reader.map(checked).collect::<Result<Vec<_>, Refusal>>()?;
            concat_batches(&schema, &batches).map_err(|error| refused(&error))
        })?;
        reported(py, |token, done| {
            let encryptor = Encryptor::new(&self.inner, &batch)?;
            let count = encryptor.block_count();
            let mut batches = Vec::new();
            for first in (0..count).step_by(BATCH) {
                go_on(token)?;
                let end = count.min(first + BATCH);
                batches.push(share(|| Ok(encryptor.blocks(first..end)?))?);
                done.store(end, Ordering::Relaxed);
            }
            Ok(PyEncryptedTable::new(encryptor.arrow_schema(), batches))
        })
    }

    /// Decrypts the rows of a table.
    fn read_rows(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<PyRows> {
        let encrypted = read_table(table)?;
        reported(py, |token, done| {
            let mut reader = self.inner.read_rows(&encrypted.schema())?;
            let mut batches = Vec::new();
            for batch in encrypted {
                let batch = batch.map_err(|error| refused(&error))?;
                for blocks in slices(&batch, BATCH) {
                    go_on(token)?;
                    batches.push(share(|| Ok(reader.push(&blocks)?))?);
                    done.fetch_add(blocks.num_rows(), Ordering::Relaxed);
                }
            }
            let schema = reader.schema();
            reader.finish()?;
            Ok(PyRows::new(schema, batches))
        })
    }

    /// Encrypts a table of this key again, under another key of the same schema.
    fn rekey(
        &self,
        py: Python<'_>,
        table: &PyEncryptedTable,
        new_key: &PyTableKey,
    ) -> PyResult<PyEncryptedTable> {
        let (schema, batches) = table.parts();
        reported(py, |token, done| {
            let mut rekeyer = self.inner.rekey(&schema, &new_key.inner)?;
            let mut all = Vec::new();
            for batch in &batches {
                for blocks in slices(batch, BATCH) {
                    go_on(token)?;
                    all.push(share(|| Ok(rekeyer.push(&blocks)?))?);
                    done.fetch_add(blocks.num_rows(), Ordering::Relaxed);
                }
            }
            let schema = rekeyer.arrow_schema();
            rekeyer.finish()?;
            Ok(PyEncryptedTable::new(schema, all))
        })
    }

    /// Decrypts the result of a query.
    fn decrypt(&self, py: Python<'_>, result: &Bound<'_, PyAny>) -> PyResult<PyAnswer> {
        let bytes = read(result)?;
        briefly(py, || {
            let result = EncryptedResult::from_bytes(&bytes)?;
            Ok(PyAnswer::new(self.inner.decrypt(&result)?, result.query().clone()))
        })
    }
}
