//! The server of encrypted tables.

use super::{BATCH, COMPARED_BATCH, query_of, slices, to_json};
use crate::arrow::{Batches, read_schema, read_table, refused};
use crate::bytes::read;
use crate::errors::Refusal;
use crate::threads::share;
use crate::work::{briefly, go_on, reported};
use arrow_array::RecordBatchReader;
use arrow_schema::Schema as ArrowSchema;
use fathom::CancelToken;
use fathom_columns::{Computation, EncryptedResult, EvaluationKeys, Query, Server, TABLE_METADATA};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A server that computes on encrypted tables of one description, without a secret key.
#[pyclass(frozen, module = "fathom._fathom", name = "ColumnServer", weakref)]
pub struct PyColumnServer {
    inner: Arc<Server>,
    metadata: String,
    /// Blocks between two looks for Ctrl-C: those with comparisons take long.
    batch: usize,
}

/// Returns the metadata of an encrypted table.
///
/// # Errors
/// `WireError` if there are none.
pub(super) fn metadata_of(schema: &ArrowSchema) -> Result<String, Refusal> {
    schema.metadata().get(TABLE_METADATA).cloned().ok_or_else(|| {
        let message = format!(
            "the table has no metadata {TABLE_METADATA}: it is not encrypted, or a tool has lost \
             them; make a server from the file or its metadata, and give it the table to query"
        );
        Refusal::new("WireError", "no_metadata", message)
    })
}

/// Returns the metadata of an encrypted table or an Arrow schema; none if a tool has lost them.
#[pyfunction]
pub fn table_metadata(table: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    Ok(read_schema(table)?.metadata().get(TABLE_METADATA).cloned())
}

/// Joins the results of one query on several tables.
#[pyfunction]
pub fn join_results<'py>(
    py: Python<'py>,
    results: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let results = results.iter().map(read).collect::<PyResult<Vec<_>>>()?;
    let joined = || {
        let results = results.iter().map(|bytes| EncryptedResult::from_bytes(bytes));
        Ok(EncryptedResult::join(results.collect::<Result<_, _>>()?)?.to_bytes())
    };
    let bytes = briefly(py, || share(joined))?;
    Ok(PyBytes::new(py, &bytes))
}

#[pymethods]
impl PyColumnServer {
    #[staticmethod]
    fn from_metadata(
        py: Python<'_>,
        metadata: String,
        keys: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyColumnServer> {
        let keys = keys.map(read).transpose()?;
        let (inner, batch) = briefly(py, || {
            let server = Server::from_metadata(&metadata)?;
            let Some(bytes) = keys else { return Ok((Arc::new(server), BATCH)) };
            let keys = EvaluationKeys::from_bytes(&bytes)?;
            let batch = if keys.are_needed() { COMPARED_BATCH } else { BATCH };
            Ok((Arc::new(server.with_evaluation_keys(&keys)?), batch))
        })?;
        Ok(PyColumnServer { inner, metadata, batch })
    }

    #[classattr]
    const LEAF_BLOCKS: usize = Server::LEAF_BLOCKS;

    #[classattr]
    const PART_BLOCKS: usize = Server::PART_BLOCKS;

    #[getter]
    fn metadata(&self) -> &str {
        &self.metadata
    }

    #[getter]
    fn schema(&self) -> Result<String, Refusal> {
        to_json(self.inner.schema())
    }

    /// Returns the columns of the encrypted table that a query reads.
    fn columns(&self, query: &str) -> Result<Vec<String>, Refusal> {
        Ok(self.inner.columns(&query_of(query)?)?.into_iter().collect())
    }

    /// Answers a query on the blocks of a table; with a first block, a partial sum.
    #[pyo3(signature = (query, table, first))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        table: &Bound<'py, PyAny>,
        first: Option<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let query = query_of(query)?;
        let reader = read_table(table)?;
        let bytes = reported(py, move |token, done| {
            let mut computation = self.inner.start_at(&query, first.unwrap_or(0))?;
            let reader = self.needed(reader, &query)?;
            self.push(&mut computation, reader, token, done)?;
            share(|| {
                Ok(match first {
                    None => computation.finish()?.to_bytes(),
                    Some(first) => computation.finish_partial(first)?,
                })
            })
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Joins the partial sums of a table, in their order.
    fn merge<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        partials: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let query = query_of(query)?;
        let partials = partials.iter().map(read).collect::<PyResult<Vec<_>>>()?;
        let merged = || {
            let mut computation = self.inner.start(&query)?;
            for partial in &partials {
                computation.push_partial(partial)?;
            }
            Ok(computation.finish()?.to_bytes())
        };
        let bytes = briefly(py, || share(merged))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// The batches of a table, of which these columns are read.
struct Needed {
    reader: Batches,
    columns: Vec<usize>,
}

impl PyColumnServer {
    /// Checks that a table is the one of the server, and chooses the columns that a query reads.
    fn needed(&self, reader: Batches, query: &Query) -> Result<Needed, Refusal> {
        let schema = reader.schema();
        // What a tool has kept of the metadata tells whether the table is another one.
        if let Some(found) = schema.metadata().get(TABLE_METADATA)
            && *found != self.metadata
        {
            let message = "the table has the metadata of another one; make a server for each table";
            return Err(Refusal::new("KeyMismatchError", "other_table", message));
        }
        let names = self.inner.columns(query)?;
        let own = schema.fields().iter().enumerate();
        let columns = own.filter(|(_, field)| names.contains(field.name())).map(|(at, _)| at);
        Ok(Needed { columns: columns.collect(), reader })
    }

    /// Adds all batches to a computation, and counts their blocks.
    fn push(
        &self,
        computation: &mut Computation<'_>,
        needed: Needed,
        token: &CancelToken,
        done: &AtomicUsize,
    ) -> Result<(), Refusal> {
        for batch in needed.reader {
            let batch = batch.and_then(|batch| batch.project(&needed.columns));
            let batch = batch.map_err(|error| refused(&error))?;
            for blocks in slices(&batch, self.batch) {
                go_on(token)?;
                share(|| Ok(computation.push(&self.inner.adopt(&blocks)?)?))?;
                done.store(computation.block_count(), Ordering::Relaxed);
            }
        }
        Ok(())
    }
}
