//! Encrypted tables in memory.

use super::server::metadata_of;
use crate::arrow::{read_table, refused, to_schema, to_stream};
use crate::work::{go_on, interruptibly};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// An encrypted table.
#[pyclass(frozen, module = "fathom._fathom", name = "EncryptedTable")]
pub struct PyEncryptedTable {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl PyEncryptedTable {
    pub(super) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> PyEncryptedTable {
        PyEncryptedTable { schema, batches }
    }

    /// Returns the schema and the blocks.
    pub(super) fn parts(&self) -> (SchemaRef, Vec<RecordBatch>) {
        (self.schema.clone(), self.batches.clone())
    }
}

/// The rows of an encrypted table, decrypted.
#[pyclass(frozen, module = "fathom._fathom", name = "Rows")]
pub struct PyRows {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl PyRows {
    pub(super) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> PyRows {
        PyRows { schema, batches }
    }
}

#[pymethods]
impl PyRows {
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        to_stream(py, self.schema.clone(), self.batches.clone())
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Returns the names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }
}

#[pymethods]
impl PyEncryptedTable {
    /// Takes over a table that kept its metadata.
    #[staticmethod]
    fn read(py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<PyEncryptedTable> {
        let reader = read_table(table)?;
        let schema = reader.schema();
        metadata_of(&schema)?;
        let batches = interruptibly(py, move |token| {
            let checked = |batch: Result<_, _>| {
                go_on(token)?;
                batch.map_err(|error| refused(&error))
            };
            reader.map(checked).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(PyEncryptedTable { schema, batches })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to answer any request with the types at hand.
        let _ = requested_schema;
        to_stream(py, self.schema.clone(), self.batches.clone())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        to_schema(py, &self.schema)
    }

    #[getter]
    fn metadata(&self) -> PyResult<String> {
        Ok(metadata_of(&self.schema)?)
    }

    /// Returns the number of blocks.
    #[getter]
    fn blocks(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Returns the number of rows that the blocks state.
    #[getter]
    fn rows(&self) -> i64 {
        let rows = |batch: &RecordBatch| {
            let rows = batch.column_by_name("rows")?.as_primitive_opt::<Int32Type>()?;
            Some(rows.iter().flatten().map(i64::from).sum::<i64>())
        };
        self.batches.iter().filter_map(rows).sum()
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.batches.iter().map(RecordBatch::get_array_memory_size).sum()
    }

    /// Returns the names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }
}
