//! Columns of tables of other packages: found by name, decoded, and widened.

use crate::Error;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, Int64Array, PrimitiveArray};
use arrow_select::take::take;
use std::fmt;

/// Returns integers of any width as `int64`; `None` for another type, or if a value does not fit.
pub(crate) fn integers(array: &ArrayRef) -> Option<Int64Array> {
    if let Some(array) = decoded(array) {
        return integers(&array);
    }
    macro_rules! widened {
        ($($kind:ty),*) => {
            $(if let Some(values) = array.as_primitive_opt::<$kind>() {
                let values: &PrimitiveArray<$kind> = values;
                return Some(values.iter().map(|value| value.map(i64::from)).collect());
            })*
        };
    }
    if let Some(values) = array.as_primitive_opt::<Int64Type>() {
        return Some(values.clone());
    }
    widened!(Int8Type, Int16Type, Int32Type, UInt8Type, UInt16Type, UInt32Type);
    let values = array.as_primitive_opt::<UInt64Type>()?;
    let narrowed = values.iter().map(|value| value.map(i64::try_from).transpose());
    narrowed.collect::<Result<Int64Array, _>>().ok()
}

/// Refuses an array that is no column of integers: one of another type, or with an integer beyond
/// 64 bits with a sign, whose row is named. The array starts at row `first` of its table.
pub(crate) fn not_integers(name: &str, array: &ArrayRef, first: usize, expected: &str) -> Error {
    let array = decoded(array).unwrap_or_else(|| array.clone());
    let values = array.as_primitive_opt::<UInt64Type>();
    let is_beyond = |value: Option<u64>| value.is_some_and(|value| i64::try_from(value).is_err());
    match values.and_then(|values| values.iter().position(is_beyond)) {
        None => type_error(name, array.data_type(), expected),
        Some(row) => {
            let found = format!("UInt64 with a value above 2^63 - 1 in row {}", first + row);
            let expected = format!("{expected} of values up to 2^63 - 1");
            type_error(name, found, &expected)
        }
    }
}

/// Returns the values of an array that numbers the entries of a dictionary.
pub(crate) fn decoded(array: &ArrayRef) -> Option<ArrayRef> {
    let dictionary = array.as_any_dictionary_opt()?;
    take(dictionary.values(), dictionary.keys(), None).ok()
}

/// Returns the column of a name from a table, and refuses two of that name.
pub(crate) fn column<'a>(
    batch: &'a arrow_array::RecordBatch,
    name: &str,
    expected: &str,
) -> Result<&'a ArrayRef, Error> {
    let fields = batch.schema_ref().fields();
    if fields.iter().filter(|field| field.name() == name).count() > 1 {
        return Err(type_error(name, TWICE, expected));
    }
    batch.column_by_name(name).ok_or_else(|| type_error(name, "missing", expected))
}

/// The words for a table with two columns of one name.
pub(crate) const TWICE: &str = "there twice, and either could be meant";

pub(crate) fn type_error(name: &str, found: impl fmt::Display, expected: &str) -> Error {
    let (found, expected) = (found.to_string(), expected.to_owned());
    Error::Type { column: name.to_owned(), found, expected }
}
