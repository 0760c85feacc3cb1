//! Vectors of values, as they travel.

use serde::{Deserialize, Serialize};

use super::protocol::{Code, Refusal};

/// The values of a vector: residues, or reals of an approximate scheme. JSON has one kind of
/// number, so a vector that holds whole numbers only is read as [`Numbers::Integers`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Numbers {
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Any numbers.
    Reals(Vec<f64>),
}

impl Numbers {
    /// The whole numbers of an exact scheme.
    ///
    /// # Errors
    /// `bad_request` if there are others.
    pub fn integers(&self) -> Result<&[i64], Refusal> {
        match self {
            Self::Integers(values) => Ok(values),
            Self::Reals(_) => {
                let message = "values of an exact scheme are whole numbers below 2^63";
                Err(Refusal::new(Code::BadRequest, message))
            }
        }
    }

    /// The values as reals.
    pub fn to_reals(&self) -> Vec<f64> {
        match self {
            Self::Integers(values) => values.iter().map(|&value| value as f64).collect(),
            Self::Reals(values) => values.clone(),
        }
    }
}

impl From<Vec<i64>> for Numbers {
    fn from(values: Vec<i64>) -> Self {
        Self::Integers(values)
    }
}

impl From<Vec<f64>> for Numbers {
    fn from(values: Vec<f64>) -> Self {
        Self::Reals(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_and_reals_are_told_apart() {
        let read = |text| serde_json::from_str::<Numbers>(text).unwrap();
        assert_eq!(read("[1,-2]").integers(), Ok(&[1, -2][..]));
        assert_eq!(read("[1,-2]").to_reals(), [1.0, -2.0]);
        assert_eq!(read("[0.5,1]").to_reals(), [0.5, 1.0]);
        assert_eq!(read("[0.5]").integers().unwrap_err().code, Code::BadRequest);
        assert!(serde_json::from_str::<Numbers>("[null]").is_err());
    }
}
