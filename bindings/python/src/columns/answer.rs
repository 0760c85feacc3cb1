//! Decrypted answers.

use crate::arrow::to_stream;
use crate::errors::Refusal;
use arrow_array::{
    ArrayRef, BooleanArray, Decimal128Array, Float64Array, Int64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray,
    TimestampSecondArray,
};
use fathom_columns::{
    Aggregate, Answer, Direction, Label, Predicate, Query, SortKey, TimeUnit, Value,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// The labels and the values of a row.
type Row<'py> = (Vec<Bound<'py, PyAny>>, Vec<Bound<'py, PyAny>>);

/// The answer to a query.
#[pyclass(frozen, module = "fathom._fathom", name = "Answer")]
pub struct PyAnswer {
    inner: Answer,
    query: Query,
}

impl PyAnswer {
    pub(super) fn new(inner: Answer, query: Query) -> PyAnswer {
        PyAnswer { inner, query }
    }

    /// Makes the column of an aggregate: sums are decimals where one of them exceeds 64 bits.
    fn column(&self, at: usize) -> Result<ArrayRef, Refusal> {
        let values = || self.inner.rows.iter().map(|row| row.values[at]);
        let units = || {
            values().map(|value| match value {
                Value::Count(count) => Some(i128::from(count)),
                Value::Sum(units) | Value::Decimal { units, .. } => Some(units),
                Value::Null | Value::Real(_) | Value::Time { .. } => None,
            })
        };
        let decimals = |scale: u32| -> Result<ArrayRef, Refusal> {
            let wide = units().collect::<Decimal128Array>();
            let wide = wide.with_precision_and_scale(38, scale as i8);
            Ok(Arc::new(wide.map_err(fathom_columns::Error::from)?))
        };
        let first = values().find(|value| !matches!(value, Value::Null));
        match first {
            Some(Value::Count(_) | Value::Sum(_)) => {
                let narrow = units().map(|value| value.map(i64::try_from).transpose());
                match narrow.collect::<Result<Int64Array, _>>() {
                    Ok(narrow) => Ok(Arc::new(narrow)),
                    Err(_) => decimals(0),
                }
            }
            Some(Value::Decimal { scale, .. }) => decimals(scale),
            Some(Value::Time { unit, .. }) => {
                let counts = values().map(|value| match value {
                    Value::Time { count, .. } => Some(count),
                    Value::Null | Value::Count(_) | Value::Sum(_) => None,
                    Value::Real(_) | Value::Decimal { .. } => None,
                });
                Ok(times(counts, unit))
            }
            None if self.is_whole(at) => {
                Ok(Arc::new(values().map(|_| None::<i64>).collect::<Int64Array>()))
            }
            Some(Value::Real(_) | Value::Null) | None => {
                let real = |value| if let Value::Real(real) = value { Some(real) } else { None };
                Ok(Arc::new(values().map(real).collect::<Float64Array>()))
            }
        }
    }

    /// Returns whether the values of an aggregate are integers, where there is none to tell.
    fn is_whole(&self, at: usize) -> bool {
        use Aggregate::{Count, CountOf, Sum, SumOf};
        matches!(self.query.aggregates.get(at), Some(Count | CountOf(_) | Sum(_) | SumOf(_)))
    }

    /// Returns the labels of a row: one for each grouping column.
    fn labels_of<'a>(&self, label: &'a Label) -> Vec<&'a Label> {
        match label {
            Label::Several(labels) => labels.iter().collect(),
            label => self.inner.group_by.iter().map(|_| label).collect(),
        }
    }

    /// Makes a grouping column.
    fn labels(&self, at: usize) -> ArrayRef {
        let labels =
            || self.inner.rows.iter().filter_map(|row| self.labels_of(&row.label).get(at).copied());
        let number = |label: &Label| if let Label::Int(own) = label { Some(*own) } else { None };
        let truth = |label: &Label| if let Label::Bool(own) = label { Some(*own) } else { None };
        let text = |label: &Label| {
            if let Label::Text(own) = label { Some(own.clone()) } else { None }
        };
        match labels().find(|label| **label != Label::Null) {
            Some(Label::Int(_)) => Arc::new(labels().map(number).collect::<Int64Array>()),
            Some(Label::Bool(_)) => Arc::new(labels().map(truth).collect::<BooleanArray>()),
            Some(Label::Text(_) | Label::Null | Label::Several(_)) | None => {
                Arc::new(labels().map(text).collect::<StringArray>())
            }
        }
    }
}

fn times(counts: impl Iterator<Item = Option<i64>>, unit: TimeUnit) -> ArrayRef {
    match unit {
        TimeUnit::Second => Arc::new(counts.collect::<TimestampSecondArray>()),
        TimeUnit::Millisecond => Arc::new(counts.collect::<TimestampMillisecondArray>()),
        TimeUnit::Microsecond => Arc::new(counts.collect::<TimestampMicrosecondArray>()),
        TimeUnit::Nanosecond => Arc::new(counts.collect::<TimestampNanosecondArray>()),
    }
}

/// Converts a label to a Python object.
fn label<'py>(py: Python<'py>, label: &Label) -> PyResult<Bound<'py, PyAny>> {
    match label {
        Label::Null => Ok(py.None().into_bound(py)),
        Label::Bool(value) => value.into_bound_py_any(py),
        Label::Int(value) => value.into_bound_py_any(py),
        Label::Text(value) => value.into_bound_py_any(py),
        Label::Several(labels) => {
            let all = labels.iter().map(|own| crate::columns::answer::label(py, own));
            all.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)
        }
    }
}

/// Returns a value as Python has it: decimal numbers as `Decimal`, and times as `datetime`, whose
/// digits end with the microsecond.
fn value<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Count(count) => count.into_bound_py_any(py),
        Value::Sum(sum) => sum.into_bound_py_any(py),
        Value::Real(real) => real.into_bound_py_any(py),
        Value::Decimal { .. } => {
            py.import("decimal")?.getattr("Decimal")?.call1((value.to_string(),))
        }
        Value::Time { .. } => {
            let text: String = value.to_string().chars().take(26).collect();
            py.import("datetime")?.getattr("datetime")?.call_method1("fromisoformat", (text,))
        }
    }
}

#[pymethods]
impl PyAnswer {
    #[getter]
    fn group_by(&self) -> Vec<String> {
        self.inner.group_by.clone()
    }

    #[getter]
    fn aggregates(&self) -> Vec<String> {
        self.inner.aggregates.clone()
    }

    /// Returns the identifiers of the tables that were added up.
    #[getter]
    fn tables(&self) -> Vec<String> {
        self.inner.tables.clone()
    }

    /// Returns the query that the server says it answered, in JSON.
    #[getter]
    fn query(&self) -> Result<String, Refusal> {
        super::to_json(&self.query)
    }

    /// Returns the rows for which a condition in JSON holds, sorted by columns with `asc` or
    /// `desc`.
    fn arranged(
        &self,
        having: Option<&str>,
        order: Vec<(String, String)>,
    ) -> Result<PyAnswer, Refusal> {
        let mut answer = self.inner.clone();
        if let Some(text) = having {
            let condition: Predicate = serde_json::from_str(text)
                .map_err(|error| Refusal::new("QueryError", "form", error.to_string()))?;
            answer = answer.having(&condition)?;
        }
        let keys = order.into_iter().map(|(column, direction)| SortKey {
            column,
            direction: match direction.as_str() {
                "desc" => Direction::Descending,
                _ => Direction::Ascending,
            },
        });
        answer = answer.order_by(&keys.collect::<Vec<_>>())?;
        Ok(PyAnswer { inner: answer, query: self.query.clone() })
    }

    /// Returns the labels and the values of every row.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Row<'py>>> {
        let row = |row: &fathom_columns::AnswerRow| {
            let labels = self.labels_of(&row.label).into_iter().map(|own| label(py, own));
            let values = row.values.iter().map(|own| value(py, own));
            Ok((labels.collect::<PyResult<_>>()?, values.collect::<PyResult<_>>()?))
        };
        self.inner.rows.iter().map(row).collect()
    }

    /// Returns the answer as a stream of Arrow, with these names of the aggregates.
    fn to_arrow<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let mut columns = Vec::new();
        for (at, name) in self.inner.group_by.iter().enumerate() {
            columns.push((name.clone(), self.labels(at), true));
        }
        for (at, name) in names.into_iter().enumerate().take(self.inner.aggregates.len()) {
            columns.push((name, self.column(at)?, true));
        }
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        let batch = batch.map_err(|error| Refusal::from(fathom_columns::Error::from(error)))?;
        to_stream(py, batch.schema(), vec![batch])
    }
}
