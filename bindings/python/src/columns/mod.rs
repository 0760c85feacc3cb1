//! Encrypted columns: tables in and out by Arrow, queries and schemas in JSON.

mod answer;
mod key;
mod server;
mod table;

pub use answer::PyAnswer;
pub use key::PyTableKey;
pub use server::{PyColumnServer, join_results, table_metadata};
pub use table::{PyEncryptedTable, PyRows};

use crate::errors::Refusal;
use crate::work::briefly;
use arrow_array::RecordBatch;
use fathom_columns::{Query, Schema, plan};
use pyo3::prelude::*;

/// Blocks between two looks for Ctrl-C.
const BATCH: usize = 64;

/// The same where encrypted values are compared.
const COMPARED_BATCH: usize = 4;

/// Returns the blocks of a batch, this many at a time.
fn slices(batch: &RecordBatch, count: usize) -> impl Iterator<Item = RecordBatch> + '_ {
    let starts = (0..batch.num_rows()).step_by(count);
    starts.map(move |start| batch.slice(start, count.min(batch.num_rows() - start)))
}

fn schema_of(text: &str) -> Result<Schema, Refusal> {
    let schema: Schema = serde_json::from_str(text).map_err(|error| {
        Refusal::new("ParamsError", "schema", format!("the schema is none: {error}"))
    })?;
    schema.check()?;
    Ok(schema)
}

fn query_of(text: &str) -> Result<Query, Refusal> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("the query has a form that docs/columns.md does not show: {error}");
        Refusal::new("QueryError", "form", message)
    })
}

fn to_json<T: serde::Serialize>(value: &T) -> Result<String, Refusal> {
    serde_json::to_string(value)
        .map_err(|error| Refusal::new("InternalError", "json", error.to_string()))
}

/// Checks a schema in JSON, and returns it in the form of the library.
#[pyfunction]
pub fn check_schema(text: &str) -> Result<String, Refusal> {
    to_json(&schema_of(text)?)
}

/// Returns what the encrypted columns of a schema cost, in JSON.
#[pyfunction]
pub fn plan_columns(py: Python<'_>, schema: &str) -> PyResult<String> {
    briefly(py, || to_json(&plan(&schema_of(schema)?)?))
}
