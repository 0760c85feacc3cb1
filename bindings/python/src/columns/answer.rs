//! Decrypted answers.

use crate::arrow::to_stream;
use crate::errors::Refusal;
use arrow_array::{
    ArrayRef, BooleanArray, Decimal128Array, Float64Array, Int64Array, RecordBatch, StringArray,
};
use fathom_columns::{Aggregate, Answer, Label, Query, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// The label and the values of a row.
type Row<'py> = (Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);

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
        let whole = |value| match value {
            Value::Count(count) => Some(i128::from(count)),
            Value::Sum(sum) => Some(sum),
            Value::Null | Value::Real(_) => None,
        };
        let real = |value| match value {
            Value::Real(real) => Some(real),
            Value::Null | Value::Count(_) | Value::Sum(_) => None,
        };
        match self.query.aggregates.get(at) {
            Some(Aggregate::Count | Aggregate::CountOf(_) | Aggregate::Sum(_)) => {
                let narrow = values().map(|value| whole(value).map(i64::try_from).transpose());
                if let Ok(narrow) = narrow.collect::<Result<Int64Array, _>>() {
                    return Ok(Arc::new(narrow));
                }
                let wide = values().map(whole).collect::<Decimal128Array>();
                let wide = wide.with_precision_and_scale(38, 0);
                Ok(Arc::new(wide.map_err(fathom_columns::Error::from)?))
            }
            _ => Ok(Arc::new(values().map(real).collect::<Float64Array>())),
        }
    }

    fn labels(&self) -> ArrayRef {
        let labels = || self.inner.rows.iter().map(|row| &row.label);
        let number = |label: &Label| match label {
            Label::Int(value) => Some(*value),
            Label::Null | Label::Bool(_) | Label::Text(_) => None,
        };
        let truth = |label: &Label| match label {
            Label::Bool(value) => Some(*value),
            Label::Null | Label::Int(_) | Label::Text(_) => None,
        };
        let text = |label: &Label| match label {
            Label::Text(value) => Some(value.clone()),
            Label::Null | Label::Bool(_) | Label::Int(_) => None,
        };
        match labels().find(|label| **label != Label::Null) {
            Some(Label::Int(_)) => Arc::new(labels().map(number).collect::<Int64Array>()),
            Some(Label::Bool(_)) => Arc::new(labels().map(truth).collect::<BooleanArray>()),
            Some(Label::Text(_) | Label::Null) | None => {
                Arc::new(labels().map(text).collect::<StringArray>())
            }
        }
    }
}

#[pymethods]
impl PyAnswer {
    #[getter]
    fn group_by(&self) -> Option<&str> {
        self.inner.group_by.as_deref()
    }

    #[getter]
    fn aggregates(&self) -> Vec<String> {
        self.inner.aggregates.clone()
    }

    /// Returns the query that the server says it answered, in JSON.
    #[getter]
    fn query(&self) -> Result<String, Refusal> {
        super::to_json(&self.query)
    }

    /// Returns the label and the values of every row.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Row<'py>>> {
        let label = |label: &Label| match label {
            Label::Null => Ok(py.None().into_bound(py)),
            Label::Bool(value) => value.into_bound_py_any(py),
            Label::Int(value) => value.into_bound_py_any(py),
            Label::Text(value) => value.into_bound_py_any(py),
        };
        let value = |value: &Value| match value {
            Value::Null => Ok(py.None().into_bound(py)),
            Value::Count(count) => count.into_bound_py_any(py),
            Value::Sum(sum) => sum.into_bound_py_any(py),
            Value::Real(real) => real.into_bound_py_any(py),
        };
        let row = |row: &fathom_columns::AnswerRow| {
            Ok((label(&row.label)?, row.values.iter().map(value).collect::<PyResult<_>>()?))
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
        if let Some(name) = &self.inner.group_by {
            columns.push((name.clone(), self.labels(), true));
        }
        for (at, name) in names.into_iter().enumerate().take(self.inner.aggregates.len()) {
            columns.push((name, self.column(at)?, true));
        }
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        let batch = batch.map_err(|error| Refusal::from(fathom_columns::Error::from(error)))?;
        to_stream(py, batch.schema(), vec![batch])
    }
}
