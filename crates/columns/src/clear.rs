//! Values of clear columns.

use crate::array::{decoded, integers, type_error};
use crate::stored::stored_values;
use crate::{ClearType, EncryptedType, Error};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
use arrow_schema::DataType;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The value by which rows are grouped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Label {
    /// The value is missing.
    Null,
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// Text.
    Text(String),
    /// The values of several columns.
    Several(Vec<Label>),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Null => Ok(()),
            Label::Bool(value) => write!(f, "{value}"),
            Label::Int(value) => write!(f, "{value}"),
            Label::Text(value) => f.write_str(value),
            Label::Several(values) => {
                for (number, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if number > 0 { ", " } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

impl ClearType {
    /// Returns the Arrow type in which values are stored.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            ClearType::Bool => DataType::Boolean,
            ClearType::Int64 => DataType::Int64,
            ClearType::Float64 => DataType::Float64,
            ClearType::Text => DataType::Utf8,
            ClearType::Date => DataType::Date32,
            ClearType::Timestamp(unit) => DataType::Timestamp(unit.into(), None),
        }
    }
}

/// The values of a clear column, as they are stored.
#[derive(Clone, Debug)]
pub(crate) enum ClearValues {
    Bool(BooleanArray),
    Int(Int64Array),
    Float(Float64Array),
    Text(StringArray),
    /// Points in time, as the integers that stand for them.
    Time(Int64Array, EncryptedType),
}

impl ClearValues {
    /// Wraps an array of a type that [`ClearType::data_type`] can be.
    pub(crate) fn of(array: &dyn Array) -> Option<ClearValues> {
        if let Some(values) = array.as_boolean_opt() {
            return Some(ClearValues::Bool(values.clone()));
        }
        if let Some(values) = array.as_primitive_opt::<Int64Type>() {
            return Some(ClearValues::Int(values.clone()));
        }
        if let Some(values) = array.as_primitive_opt::<Float64Type>() {
            return Some(ClearValues::Float(values.clone()));
        }
        if let Some(values) = array.as_string_opt::<i32>() {
            return Some(ClearValues::Text(values.clone()));
        }
        let own = |kind: &ClearType| kind.data_type() == *array.data_type();
        let kind = ClearType::ALL.into_iter().find(own)?.integers()?;
        let values = stored_values("", &array.slice(0, array.len()), kind, 0).ok()?;
        Some(ClearValues::Time(values, kind))
    }

    /// Returns the array.
    pub(crate) fn into_array(self) -> ArrayRef {
        match self {
            ClearValues::Bool(values) => Arc::new(values),
            ClearValues::Int(values) => Arc::new(values),
            ClearValues::Float(values) => Arc::new(values),
            ClearValues::Text(values) => Arc::new(values),
            ClearValues::Time(values, kind) => {
                kind.array(values).expect("dates and times take any integers that they came from")
            }
        }
    }

    /// Returns the value of a row as text; a missing value is empty.
    #[cfg(feature = "files")]
    pub(crate) fn text(&self, row: usize) -> String {
        if self.is_null(row) {
            return String::new();
        }
        match self {
            ClearValues::Bool(values) => values.value(row).to_string(),
            ClearValues::Int(values) => values.value(row).to_string(),
            ClearValues::Float(values) => values.value(row).to_string(),
            ClearValues::Text(values) => values.value(row).to_owned(),
            ClearValues::Time(values, kind) => kind.show(values.value(row)),
        }
    }

    /// Returns whether the value of a row is missing.
    pub(crate) fn is_null(&self, row: usize) -> bool {
        match self {
            ClearValues::Bool(values) => values.is_null(row),
            ClearValues::Int(values) | ClearValues::Time(values, _) => values.is_null(row),
            ClearValues::Float(values) => values.is_null(row),
            ClearValues::Text(values) => values.is_null(row),
        }
    }

    /// Returns the label of each row, and for each row the number of its label among them; `None`
    /// for numbers in double precision.
    pub(crate) fn labels(&self) -> Option<(Vec<Label>, Vec<u32>)> {
        match self {
            ClearValues::Bool(values) => Some(numbered(values.iter(), Label::Bool)),
            ClearValues::Int(values) => Some(numbered(values.iter(), Label::Int)),
            ClearValues::Float(_) => None,
            ClearValues::Text(values) => {
                Some(numbered(values.iter(), |text: &str| Label::Text(text.to_owned())))
            }
            ClearValues::Time(values, kind) => {
                Some(numbered(values.iter(), |value| Label::Text(kind.show(value))))
            }
        }
    }
}

/// Numbers distinct values in the order of their first appearance.
fn numbered<T: std::hash::Hash + Eq + Copy>(
    values: impl Iterator<Item = Option<T>>,
    label: impl Fn(T) -> Label,
) -> (Vec<Label>, Vec<u32>) {
    let mut known = std::collections::HashMap::new();
    let mut labels = Vec::new();
    let numbers = values.map(|value| {
        *known.entry(value).or_insert_with(|| {
            labels.push(value.map_or(Label::Null, &label));
            labels.len() as u32 - 1
        })
    });
    let numbers = numbers.collect();
    (labels, numbers)
}

/// Reads a clear column of a table, which starts at row `first`, in its stored type.
///
/// # Errors
/// [`Error::Type`] for an array of another type, or with a value that is none of the column, whose
/// row is named.
pub(crate) fn clear_values(
    name: &str,
    array: &ArrayRef,
    kind: ClearType,
    first: usize,
) -> Result<ArrayRef, Error> {
    let Some(stored) = kind.integers() else {
        let found = normalized(array, kind);
        return found.ok_or_else(|| type_error(name, array.data_type(), kind.name()));
    };
    let values = stored_values(name, array, stored, first)?;
    let [low, high] = stored.limits();
    let is_outside = |value: Option<i64>| value.is_some_and(|own| !(low..=high).contains(&own));
    if let Some(row) = values.iter().position(is_outside) {
        let (row, [low, high]) = (first + row, [low, high].map(|end| stored.show(end)));
        let found = format!("{} with a value in row {row} beyond {low} to {high}", kind.name());
        return Err(type_error(name, found, kind.name()));
    }
    Ok(stored.array(values)?)
}

/// Brings values of a clear column to the stored type: integers of any width become `int64`, floats
/// `float64`, text `utf8`. Returns `None` for any other type, or an integer beyond `int64`.
pub(crate) fn normalized(array: &ArrayRef, kind: ClearType) -> Option<ArrayRef> {
    if let Some(array) = decoded(array) {
        return normalized(&array, kind);
    }
    if *array.data_type() == kind.data_type() {
        return Some(array.clone());
    }
    match kind {
        ClearType::Bool => None,
        ClearType::Int64 => integers(array).map(|values| Arc::new(values) as ArrayRef),
        ClearType::Float64 => {
            let values = array.as_primitive_opt::<Float32Type>()?;
            Some(Arc::new(values.iter().map(|v| v.map(f64::from)).collect::<Float64Array>()))
        }
        ClearType::Text => {
            let values: StringArray = if let Some(values) = array.as_string_opt::<i64>() {
                values.iter().collect()
            } else {
                array.as_string_view_opt()?.iter().collect()
            };
            Some(Arc::new(values))
        }
        ClearType::Date | ClearType::Timestamp(_) => {
            let kind = kind.integers()?;
            kind.array(stored_values("", array, kind, 0).ok()?).ok()
        }
    }
}
