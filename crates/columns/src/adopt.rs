//! Batches of blocks as other tools return them.
//!
//! Parquet readers, data frames and databases keep the values of a table, and change their types:
//! ciphertexts become binary of any length, lists get long offsets, texts become views, and the
//! metadata of the table is lost. [`Server::adopt`] undoes that.

use crate::array::integers;
use crate::clear::normalized;
use crate::table::TableInfo;
use crate::{ClearType, Error, Server};
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, FixedSizeBinaryArray, GenericListArray, Int32Array, ListArray,
    OffsetSizeTrait, RecordBatch, RecordBatchOptions, new_null_array,
};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema as ArrowSchema};
use std::sync::Arc;

impl Server {
    /// Reads what a table says about itself, from its metadata alone: tools that keep the columns
    /// of a table and lose their types go on with [`Server::adopt`].
    ///
    /// # Errors
    /// As [`Server::open`].
    pub fn from_metadata(text: &str) -> Result<Server, Error> {
        Server::open(&TableInfo::schema_of(text, Fields::empty()))
    }

    /// Brings a batch of blocks to the types of the table, and leaves out columns that it does not
    /// have. The order of the blocks must be that of the table.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a column whose values are none of the table.
    pub fn adopt(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let (mut fields, mut columns) = (Vec::new(), Vec::new());
        for field in self.info.fields(|_, _| 0) {
            let Some(array) = batch.column_by_name(field.name()) else { continue };
            let refuse = || {
                let reason = format!(
                    "column {:?} is {}, which holds no {}",
                    field.name(),
                    array.data_type(),
                    field.data_type()
                );
                Error::malformed("a block", reason)
            };
            let array = conform(array, field.data_type()).ok_or_else(refuse)?;
            fields.push(Field::new(field.name(), array.data_type().clone(), true));
            columns.push(array);
        }
        let schema = Arc::new(ArrowSchema::new(fields));
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
    }
}

/// Brings an array to a type of an encrypted table.
fn conform(array: &ArrayRef, expected: &DataType) -> Option<ArrayRef> {
    if let DataType::List(item) = expected {
        if let Some(array) = array.as_list_opt::<i64>() {
            return list(array, item);
        }
        return list(array.as_list_opt::<i32>()?, item);
    }
    if matches!(expected, DataType::FixedSizeBinary(_)) { frames(array) } else { int32(array) }
}

fn int32(array: &ArrayRef) -> Option<ArrayRef> {
    let values = integers(array)?;
    let values = values.iter().map(|value| value.map(i32::try_from).transpose().ok());
    Some(Arc::new(values.collect::<Option<Int32Array>>()?))
}

/// Brings a list with offsets of any width to one with elements of a type.
fn list<O: OffsetSizeTrait>(array: &GenericListArray<O>, item: &FieldRef) -> Option<ArrayRef> {
    let offsets = array.value_offsets();
    let (first, last) = (offsets.first()?.as_usize(), offsets.last()?.as_usize());
    let own = offsets.iter().map(|offset| i32::try_from(offset.as_usize() - first).ok());
    let own = OffsetBuffer::new(ScalarBuffer::from(own.collect::<Option<Vec<_>>>()?));
    let values = element(&array.values().slice(first, last - first), item.data_type())?;
    let item = Arc::new(Field::new(item.name(), values.data_type().clone(), true));
    let list = ListArray::try_new(item, own, values, array.nulls().cloned()).ok()?;
    Some(Arc::new(list))
}

fn element(values: &ArrayRef, expected: &DataType) -> Option<ArrayRef> {
    if *values.data_type() == DataType::Null {
        return Some(new_null_array(expected, values.len()));
    }
    match ClearType::ALL.into_iter().find(|kind| kind.data_type() == *expected) {
        Some(kind) => normalized(values, kind),
        None => int32(values),
    }
}

/// Brings ciphertexts, all of the same length, to binary of that length.
fn frames(array: &ArrayRef) -> Option<ArrayRef> {
    if matches!(array.data_type(), DataType::FixedSizeBinary(_)) {
        return Some(array.clone());
    }
    let values: Vec<Option<&[u8]>> = if let Some(binary) = array.as_binary_opt::<i32>() {
        binary.iter().collect()
    } else if let Some(binary) = array.as_binary_opt::<i64>() {
        binary.iter().collect()
    } else {
        array.as_binary_view_opt()?.iter().collect()
    };
    let values = values.into_iter().collect::<Option<Vec<_>>>()?;
    let width = values.first().map_or(1, |first| first.len());
    if values.iter().any(|frame| frame.len() != width) {
        return None;
    }
    let joined = Buffer::from_vec(values.concat());
    let frames = FixedSizeBinaryArray::try_new(i32::try_from(width).ok()?, joined, None).ok()?;
    Some(Arc::new(frames))
}
