//! Clear data: named columns of integers or reals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Error;

/// One column of values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// Unsigned integers, truth values among them.
    Integers(Vec<u64>),
    /// Real numbers.
    Reals(Vec<f64>),
}

impl Column {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Reals(values) => values.len(),
        }
    }

    /// Returns true if there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Columns by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Data(BTreeMap<String, Column>);

impl Data {
    /// Returns data without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column of integers.
    #[must_use]
    pub fn with_integers(self, name: &str, values: Vec<u64>) -> Self {
        self.with(name, Column::Integers(values))
    }

    /// Adds a column of reals.
    #[must_use]
    pub fn with_reals(self, name: &str, values: Vec<f64>) -> Self {
        self.with(name, Column::Reals(values))
    }

    /// Adds a column.
    #[must_use]
    pub fn with(mut self, name: &str, column: Column) -> Self {
        self.0.insert(name.into(), column);
        self
    }

    /// Returns a column of integers.
    ///
    /// # Errors
    /// [`Error::Column`] if there is none of this name, or its values are reals.
    pub fn integers(&self, name: &str) -> Result<&[u64], Error> {
        match self.0.get(name) {
            Some(Column::Integers(values)) => Ok(values),
            Some(Column::Reals(_)) => Err(Error::column(name, "has reals in place of integers")),
            None => Err(Error::column(name, "is missing")),
        }
    }

    /// Returns a column of `count` integers of at most `bits` bits.
    ///
    /// # Errors
    /// [`Error::Column`] if there is none, or it has another length or a wider value.
    pub(crate) fn integers_within(
        &self,
        name: &str,
        count: usize,
        bits: usize,
    ) -> Result<&[u64], Error> {
        let values = self.integers(name)?;
        if values.len() != count {
            let problem = format!("has {} values in place of {count}", values.len());
            return Err(Error::column(name, problem));
        }
        match values.iter().find(|value| **value >> bits != 0) {
            None => Ok(values),
            Some(value) => {
                Err(Error::column(name, format!("holds {value}: more than {bits} bits")))
            }
        }
    }

    /// Returns a column of reals.
    ///
    /// # Errors
    /// [`Error::Column`] if there is none of this name, or its values are integers.
    pub fn reals(&self, name: &str) -> Result<&[f64], Error> {
        match self.0.get(name) {
            Some(Column::Reals(values)) => Ok(values),
            Some(Column::Integers(_)) => Err(Error::column(name, "has integers in place of reals")),
            None => Err(Error::column(name, "is missing")),
        }
    }

    /// Returns all columns in the order of their names.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &Column)> {
        self.0.iter().map(|(name, column)| (name.as_str(), column))
    }

    /// Returns a column, whatever its type is.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.0.get(name)
    }

    /// Returns true if there are no columns.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The inputs of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// The clear data of the server, such as the weights of a public model.
    pub public: Data,
    /// The data that the client encrypts.
    pub secret: Data,
}
