//! Tables of other packages, by the C interface of Arrow: capsules with structures that the package
//! fills and this file takes over. It is the only unsafe code of the binding.
//!
//! Nothing of the data is copied. Its contents, such as offsets and text, are checked; a package
//! that fills the structures themselves wrongly breaks the process, as with every other reader of
//! them.
#![expect(unsafe_code, reason = "the structures of the C interface are read through pointers")]

use crate::errors::Refusal;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::ptr::NonNull;
use std::sync::Arc;

const STREAM: &CStr = c"arrow_array_stream";
const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";

/// Record batches in the order of a table.
pub type Batches = Box<dyn RecordBatchReader + Send>;

/// Takes over the batches of an object with `__arrow_c_stream__` or `__arrow_c_array__`.
///
/// # Errors
/// `KindError` for an object without them, or with anything but record batches; exceptions of the
/// object.
pub fn read_table(table: &Bound<'_, PyAny>) -> PyResult<Batches> {
    let py = table.py();
    if table.hasattr("__arrow_c_stream__")? {
        let capsule = table.call_method0("__arrow_c_stream__")?;
        let stream = pointer::<FFI_ArrowArrayStream>(&capsule, STREAM)?;
        // SAFETY: The capsule has the name of a stream, so that its maker filled in a structure of
        // one. It is moved out, and an empty one is left behind.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        let reader = RecordBatchStreamReader::try_new(stream);
        let reader = reader.map_err(|error| refused(&error).into_exception(py))?;
        let schema = reader.schema();
        let batches = reader.map(|batch| batch.and_then(validated));
        return Ok(Box::new(RecordBatchIterator::new(batches, schema)));
    }
    if table.hasattr("__arrow_c_array__")? {
        let capsules = table.call_method0("__arrow_c_array__")?;
        let capsules = capsules.cast::<PyTuple>()?;
        let schema = pointer::<FFI_ArrowSchema>(&capsules.get_item(0)?, SCHEMA)?;
        let array = pointer::<FFI_ArrowArray>(&capsules.get_item(1)?, ARRAY)?;
        let batch = read_batch(schema, array).map_err(|error| refused(&error));
        let batch = batch.map_err(|refusal| refusal.into_exception(py))?;
        let schema = batch.schema();
        return Ok(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    }
    let shown =
        "a table with __arrow_c_stream__, such as those of pyarrow, polars, pandas and DuckDB";
    Err(Refusal::of_type(shown, "table", table).into_exception(py))
}

/// Reads the schema of an object with `__arrow_c_schema__`, or the batches of which have one.
///
/// # Errors
/// As [`read_table`].
pub fn read_schema(table: &Bound<'_, PyAny>) -> PyResult<SchemaRef> {
    if !table.hasattr("__arrow_c_schema__")? {
        return Ok(read_table(table)?.schema());
    }
    let capsule = table.call_method0("__arrow_c_schema__")?;
    let schema = pointer::<FFI_ArrowSchema>(&capsule, SCHEMA)?;
    // SAFETY: The capsule has the name of a schema, and lives until the end of the function.
    let schema = filled(unsafe { schema.as_ref() }).and_then(Schema::try_from);
    let schema = schema.map_err(|error| refused(&error).into_exception(table.py()))?;
    Ok(Arc::new(schema))
}

/// Returns batches as a capsule, for `__arrow_c_stream__`.
///
/// # Errors
/// Exceptions of the interpreter.
pub fn to_stream<'py>(
    py: Python<'py>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
}

/// Returns a schema as a capsule, for `__arrow_c_schema__`.
///
/// # Errors
/// `KindError` for types that the interface does not have.
pub fn to_schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema);
    let schema = schema.map_err(|error| refused(&error).into_exception(py))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Describes an error of a table, or of whoever computes it.
pub fn refused(error: &ArrowError) -> Refusal {
    Refusal::new("KindError", "arrow", format!("the table is not read: {error}"))
}

fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?.cast())
}

fn read_batch(
    schema: NonNull<FFI_ArrowSchema>,
    array: NonNull<FFI_ArrowArray>,
) -> Result<RecordBatch, ArrowError> {
    // SAFETY: The capsule has the name of a schema, and the caller holds it.
    let schema = filled(unsafe { schema.as_ref() })?;
    // SAFETY: The capsule has the name of an array. It is moved out, and an empty one left behind.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    if array.is_released() {
        return Err(emptied());
    }
    // SAFETY: The maker of both capsules made the array for the schema.
    let data = unsafe { from_ffi(array, schema) }?;
    if !matches!(data.data_type(), DataType::Struct(_)) || data.null_count() > 0 {
        let text = format!("{} is no record batch", data.data_type());
        return Err(ArrowError::CDataInterface(text));
    }
    let columns = StructArray::from(data).into_parts().1;
    validated(RecordBatch::try_new(Arc::new(Schema::try_from(schema)?), columns)?)
}

/// Refuses the schema of a capsule that somebody has taken over before.
fn filled(schema: &FFI_ArrowSchema) -> Result<&FFI_ArrowSchema, ArrowError> {
    schema.release().map(|_| schema).ok_or_else(emptied)
}

fn emptied() -> ArrowError {
    ArrowError::CDataInterface("its capsules are empty: each is read once".to_owned())
}

/// Refuses columns whose offsets leave their buffers, or whose text is no UTF-8. The bytes of
/// binary columns, such as ciphertexts, are not read.
fn validated(batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        column.to_data().validate_full().map_err(|error| {
            ArrowError::CDataInterface(format!("column {:?}: {error}", field.name()))
        })?;
    }
    Ok(batch)
}
