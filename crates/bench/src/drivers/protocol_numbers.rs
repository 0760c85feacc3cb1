//! Vectors of values in the JSON of the protocol.

use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

use super::limits::MOST_VALUES;
use super::protocol::{Code, Refusal};

/// The values of a vector: residues, or real numbers of an approximate scheme. JSON has one kind of
/// number, so a vector of integers only is read as [`Numbers::Integers`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Numbers {
    /// Integers.
    Integers(Vec<i64>),
    /// Real numbers.
    Reals(Vec<f64>),
}

impl Numbers {
    /// Returns the integers of an exact scheme.
    ///
    /// # Errors
    /// `bad_request` if a value is not an integer.
    pub fn integers(&self) -> Result<&[i64], Refusal> {
        match self {
            Self::Integers(values) => Ok(values),
            Self::Reals(_) => {
                let message = "values of an exact scheme are whole numbers below 2^63";
                Err(Refusal::new(Code::BadRequest, message))
            }
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Reals(values) => values.len(),
        }
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a value; the first value that is not an integer converts all to reals.
    fn push(&mut self, number: Number) {
        match (&mut *self, number) {
            (Self::Integers(values), Number::Whole(value)) => values.push(value),
            (Self::Integers(_), Number::Real(value)) => {
                let mut values = self.to_reals();
                values.push(value);
                *self = Self::Reals(values);
            }
            (Self::Reals(values), Number::Whole(value)) => values.push(value as f64),
            (Self::Reals(values), Number::Real(value)) => values.push(value),
        }
    }

    /// Returns the values as real numbers.
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

/// One number of a vector.
enum Number {
    Whole(i64),
    Real(f64),
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct OfNumber;

        impl Visitor<'_> for OfNumber {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number::Whole(value))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
                Ok(i64::try_from(value).map_or(Number::Real(value as f64), Number::Whole))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                Ok(Number::Real(value))
            }
        }

        reader.deserialize_any(OfNumber)
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct OfVector;

        impl<'de> Visitor<'de> for OfVector {
            type Value = Numbers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MOST_VALUES} numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Numbers, A::Error> {
                let mut numbers = Numbers::Integers(Vec::new());
                while let Some(number) = entries.next_element()? {
                    if numbers.len() == MOST_VALUES {
                        return Err(A::Error::invalid_length(MOST_VALUES + 1, &self));
                    }
                    numbers.push(number);
                }
                Ok(numbers)
            }
        }

        reader.deserialize_seq(OfVector)
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
        assert_eq!(read("[1,0.5]").to_reals(), [1.0, 0.5]);
        assert_eq!(read("[18446744073709551615,-1]").to_reals(), [2.0_f64.powi(64), -1.0]);
        for text in ["[null]", "[\"1\"]", "[1e999]", "[NaN]", "[[1]]", "{}", "1", "[true]"] {
            assert!(serde_json::from_str::<Numbers>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn vectors_that_are_too_long_are_refused() {
        let list = |count: usize| format!("[{}]", vec!["0"; count].join(","));
        assert!(serde_json::from_str::<Numbers>(&list(MOST_VALUES)).is_ok());
        let error = serde_json::from_str::<Numbers>(&list(MOST_VALUES + 1)).unwrap_err();
        assert!(error.to_string().contains("131072"), "{error}");
    }
}
