//! Vectors of values in the JSON of the protocol.

use std::fmt;

use ethnum::U256;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::refusal::{Code, Refusal};
use crate::integer_type::IntegerType;
use crate::limits::MOST_VALUES;

/// The values of a vector.
///
/// In JSON, integers and reals are numbers, and wide integers are decimal text. JSON has one kind
/// of number, so a vector whose numbers are all integers is read as [`Numbers::Integers`].
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Residues, messages and bits.
    Integers(Vec<i64>),
    /// Real numbers of an approximate scheme.
    Reals(Vec<f64>),
    /// Machine integers of up to 256 bits, as the bits of their type.
    WideIntegers(Vec<U256>),
}

impl Numbers {
    /// Returns the integers of an exact scheme.
    ///
    /// # Errors
    /// `bad_request` if a value is not an integer, or a wide one.
    pub fn integers(&self) -> Result<&[i64], Refusal> {
        match self {
            Self::Integers(values) => Ok(values),
            Self::Reals(_) | Self::WideIntegers(_) => {
                let message = "values of an exact scheme are whole numbers below 2^63";
                Err(Refusal::new(Code::BadRequest, message))
            }
        }
    }

    /// Returns the machine integers of a type; an empty list is one zero.
    ///
    /// # Errors
    /// `bad_request` for values of another kind, and for values that do not fit the type.
    pub fn words(&self, ty: IntegerType) -> Result<Vec<U256>, Refusal> {
        let bad = |message: String| Refusal::new(Code::BadRequest, message);
        match self {
            Self::WideIntegers(values) => {
                match values.iter().find(|value| ty.wrap(**value) != **value) {
                    Some(value) => Err(bad(format!("{value} does not fit in {ty}"))),
                    None => Ok(values.clone()),
                }
            }
            Self::Integers(values) if values.is_empty() => Ok(vec![U256::ZERO]),
            Self::Integers(_) | Self::Reals(_) => {
                Err(bad(format!("values of {ty} are whole numbers in decimal text")))
            }
        }
    }

    /// Returns one integer of at most 256 bits, from text or a number; `None` for reals, negative
    /// numbers and other counts.
    pub fn as_word(&self) -> Option<U256> {
        match self {
            Self::WideIntegers(values) => values.first().copied().filter(|_| values.len() == 1),
            Self::Integers(values) => match values[..] {
                [value] => u64::try_from(value).ok().map(U256::from),
                _ => None,
            },
            Self::Reals(_) => None,
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Reals(values) => values.len(),
            Self::WideIntegers(values) => values.len(),
        }
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the values as real numbers.
    pub fn to_reals(&self) -> Vec<f64> {
        match self {
            Self::Integers(values) => values.iter().map(|&value| value as f64).collect(),
            Self::Reals(values) => values.clone(),
            Self::WideIntegers(values) => values.iter().map(|value| value.as_f64()).collect(),
        }
    }

    /// Appends a value; the first value that is not an integer converts all to reals. Returns false
    /// for text among numbers and numbers among text.
    fn push(&mut self, entry: Entry) -> bool {
        match (&mut *self, entry) {
            (Self::Integers(values), Entry::Whole(value)) => values.push(value),
            (Self::Integers(_), Entry::Real(value)) => {
                let mut values = self.to_reals();
                values.push(value);
                *self = Self::Reals(values);
            }
            (Self::Integers(values), Entry::Wide(value)) if values.is_empty() => {
                *self = Self::WideIntegers(vec![value]);
            }
            (Self::Reals(values), Entry::Whole(value)) => values.push(value as f64),
            (Self::Reals(values), Entry::Real(value)) => values.push(value),
            (Self::WideIntegers(values), Entry::Wide(value)) => values.push(value),
            (Self::Integers(_) | Self::Reals(_), Entry::Wide(_))
            | (Self::WideIntegers(_), Entry::Whole(_) | Entry::Real(_)) => return false,
        }
        true
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

impl From<Vec<U256>> for Numbers {
    fn from(values: Vec<U256>) -> Self {
        Self::WideIntegers(values)
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integers(values) => values.serialize(writer),
            Self::Reals(values) => values.serialize(writer),
            Self::WideIntegers(values) => writer.collect_seq(values.iter().map(U256::to_string)),
        }
    }
}

/// One entry of a vector.
enum Entry {
    Whole(i64),
    Real(f64),
    Wide(U256),
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct OfEntry;

        impl Visitor<'_> for OfEntry {
            type Value = Entry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or the digits of an integer below 2^256 as text")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Entry, E> {
                Ok(Entry::Whole(value))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Entry, E> {
                Ok(i64::try_from(value).map_or(Entry::Real(value as f64), Entry::Whole))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Entry, E> {
                Ok(Entry::Real(value))
            }

            fn visit_str<E: Error>(self, digits: &str) -> Result<Entry, E> {
                let wrong = || E::invalid_value(serde::de::Unexpected::Str(digits), &self);
                let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                let value = digits.parse().ok().filter(|_| plain && digits.len() <= 78);
                value.map(Entry::Wide).ok_or_else(wrong)
            }
        }

        reader.deserialize_any(OfEntry)
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct OfVector;

        impl<'de> Visitor<'de> for OfVector {
            type Value = Numbers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MOST_VALUES} numbers, or of as many texts")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Numbers, A::Error> {
                let mut numbers = Numbers::Integers(Vec::new());
                while let Some(entry) = entries.next_element()? {
                    if numbers.len() == MOST_VALUES {
                        return Err(A::Error::invalid_length(MOST_VALUES + 1, &self));
                    }
                    if !numbers.push(entry) {
                        return Err(A::Error::custom("a list has numbers or text, not both"));
                    }
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
        for text in ["[null]", "[\"x\"]", "[1e999]", "[NaN]", "[[1]]", "{}", "1", "[true]"] {
            assert!(serde_json::from_str::<Numbers>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn wide_integers_are_text_and_go_both_ways() {
        let u64 = IntegerType::unsigned(64).unwrap();
        let text = format!(r#"["{}","7"]"#, u64::MAX);
        let read: Numbers = serde_json::from_str(&text).unwrap();
        assert_eq!(read, Numbers::WideIntegers(vec![u64::MAX.into(), 7_u8.into()]));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!(read.words(u64).unwrap().len(), 2);
        assert!(read.words(IntegerType::unsigned(32).unwrap()).is_err());
        let most = format!(r#"["{}"]"#, U256::MAX);
        assert_eq!(
            serde_json::from_str::<Numbers>(&most).unwrap(),
            Numbers::WideIntegers(vec![U256::MAX])
        );
        let long = format!(r#"["{}0"]"#, U256::MAX);
        let refused = [r#"["1",2]"#, r#"[2,"1"]"#, r#"["-1"]"#, r#"[""]"#, r#"["+1"]"#, &long];
        for text in refused {
            assert!(serde_json::from_str::<Numbers>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_result_may_be_a_number_and_an_operand_may_not() {
        let u64 = IntegerType::unsigned(64).unwrap();
        let count = Numbers::Integers(vec![5]);
        assert_eq!((count.as_word(), count.words(u64).is_err()), (Some(U256::from(5_u8)), true));
        assert_eq!(Numbers::Integers(vec![-1]).as_word(), None);
        assert_eq!(Numbers::Integers(vec![1, 2]).as_word(), None);
        assert_eq!(Numbers::Integers(Vec::new()).words(u64), Ok(vec![U256::ZERO]));
    }

    #[test]
    fn vectors_that_are_too_long_are_refused() {
        let list = |count: usize| format!("[{}]", vec!["0"; count].join(","));
        assert!(serde_json::from_str::<Numbers>(&list(MOST_VALUES)).is_ok());
        let error = serde_json::from_str::<Numbers>(&list(MOST_VALUES + 1)).unwrap_err();
        assert!(error.to_string().contains("131072"), "{error}");
    }
}
