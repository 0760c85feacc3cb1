//! Types of encrypted columns: integers, and what is stored as integers.

use crate::Literal;
use crate::units::{
    DAYS, TimeUnit, Units, parse_date, parse_decimal, parse_time, show_date, show_decimal,
    show_double, show_time,
};
use arrow_array::{
    ArrayRef, Date32Array, Decimal128Array, Int64Array, TimestampMicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray,
};
use arrow_schema::{ArrowError, DataType};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Type of an encrypted column. Dates, times and decimal numbers are encrypted as integers, and
/// decrypted to what they were.
///
/// A schema names it as text: `int8` to `int64`, `uint8` to `uint32`, `date`, `timestamp[s]`,
/// `timestamp[ms]`, `timestamp[us]`, `timestamp[ns]` and `decimal(P,S)`.
///
/// ```
/// use fathom_columns::EncryptedType;
///
/// let price: EncryptedType = "decimal(10,2)".parse().unwrap();
/// assert_eq!(price, EncryptedType::Decimal { precision: 10, scale: 2 });
/// assert_eq!(price.show(-5), "-0.05");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum EncryptedType {
    /// Integers.
    Int(Width),
    /// Days from 0001-01-01 to 9999-12-31.
    Date,
    /// Times without a zone, from 0001-01-01 to 9999-12-31; in nanoseconds, those of 64 bits around
    /// 1970.
    Timestamp(TimeUnit),
    /// Numbers with as many decimal digits as the precision, up to 18, of which as many as the
    /// scale follow the point.
    Decimal {
        /// All digits.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
}

/// Width and sign of encrypted integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// Integers from -2^7 to 2^7 - 1.
    Int8,
    /// Integers from -2^15 to 2^15 - 1.
    Int16,
    /// Integers from -2^31 to 2^31 - 1.
    Int32,
    /// Integers from -2^63 to 2^63 - 1.
    Int64,
    /// Integers from 0 to 2^8 - 1.
    UInt8,
    /// Integers from 0 to 2^16 - 1.
    UInt16,
    /// Integers from 0 to 2^32 - 1.
    UInt32,
}

/// The most digits of a decimal number that 64 bits hold.
const MOST_DIGITS: u8 = 18;

impl fmt::Display for EncryptedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncryptedType::Date => f.write_str("date"),
            EncryptedType::Timestamp(unit) => write!(f, "timestamp[{}]", unit.name()),
            EncryptedType::Decimal { precision, scale } => {
                write!(f, "decimal({precision},{scale})")
            }
            EncryptedType::Int(width) => f.write_str(width.name()),
        }
    }
}

impl From<EncryptedType> for String {
    fn from(kind: EncryptedType) -> String {
        kind.to_string()
    }
}

impl TryFrom<String> for EncryptedType {
    type Error = String;

    fn try_from(text: String) -> Result<EncryptedType, String> {
        text.parse()
    }
}

impl FromStr for EncryptedType {
    type Err = String;

    fn from_str(text: &str) -> Result<EncryptedType, String> {
        let parse = || {
            if let Some(width) = Width::ALL.into_iter().find(|width| width.name() == text) {
                return Some(EncryptedType::Int(width));
            }
            if text == "date" {
                return Some(EncryptedType::Date);
            }
            if let Some(unit) = text.strip_prefix("timestamp[") {
                let unit = unit.strip_suffix(']')?;
                let found = TimeUnit::ALL.into_iter().find(|own| own.name() == unit);
                return found.map(EncryptedType::Timestamp);
            }
            let inner = text.strip_prefix("decimal(")?.strip_suffix(')')?;
            let (precision, scale) = inner.split_once(',').unwrap_or((inner, "0"));
            let number = |text: &str| text.trim().parse::<u8>().ok();
            let (precision, scale) = (number(precision)?, number(scale)?);
            let fits = (1..=MOST_DIGITS).contains(&precision) && scale <= precision;
            fits.then_some(EncryptedType::Decimal { precision, scale })
        };
        parse().ok_or_else(|| {
            format!(
                "unknown type `{text}`; encrypted columns have int8, int16, int32, int64, uint8, \
                 uint16, uint32, date, timestamp[s], timestamp[ms], timestamp[us], timestamp[ns], \
                 or decimal(P,S) with up to {MOST_DIGITS} digits, S of them after the point"
            )
        })
    }
}

impl EncryptedType {
    /// Returns the least and the greatest value, in stored integers: days, parts of a second, or
    /// units of the last digit.
    pub fn limits(self) -> [i64; 2] {
        match self {
            EncryptedType::Int(width) => width.limits(),
            EncryptedType::Date => DAYS,
            EncryptedType::Timestamp(TimeUnit::Nanosecond) => [i64::MIN, i64::MAX],
            EncryptedType::Timestamp(unit) => {
                let day = 86_400 * unit.per_second() as i64;
                [DAYS[0] * day, DAYS[1] * day + (day - 1)]
            }
            EncryptedType::Decimal { precision, .. } => {
                let most = 10i64.pow(precision.into()) - 1;
                [-most, most]
            }
        }
    }

    /// Returns the digits after the point of a unit.
    pub(crate) fn scale(self) -> u32 {
        if let EncryptedType::Decimal { scale, .. } = self { scale.into() } else { 0 }
    }

    /// Returns whether values are points in time, which have a mean and no sum.
    pub(crate) fn is_time(self) -> bool {
        matches!(self, EncryptedType::Date | EncryptedType::Timestamp(_))
    }

    /// Writes a stored integer as the value that it stands for.
    pub fn show(self, stored: i64) -> String {
        match self {
            EncryptedType::Date => show_date(stored),
            EncryptedType::Timestamp(unit) => show_time(stored, unit),
            EncryptedType::Decimal { scale, .. } => show_decimal(stored.into(), scale.into()),
            EncryptedType::Int(_) => stored.to_string(),
        }
    }

    /// Reads a value from text.
    pub(crate) fn parse(self, text: &str) -> Option<Units> {
        match self {
            EncryptedType::Date => {
                parse_date(text).map(|days| Units { floor: days.into(), is_whole: true })
            }
            EncryptedType::Timestamp(unit) => parse_time(text, unit),
            EncryptedType::Decimal { scale, .. } => parse_decimal(text, scale.into()),
            EncryptedType::Int(_) => {
                let whole = text.parse::<i64>().ok()?;
                Some(Units { floor: whole.into(), is_whole: true })
            }
        }
    }

    /// Describes a value in words, for refusals.
    pub(crate) fn described(self) -> String {
        match self {
            EncryptedType::Date => "a date such as 2020-01-31".to_owned(),
            EncryptedType::Timestamp(unit) => {
                format!(
                    "a time such as {}",
                    show_time(1_580_473_800 * unit.per_second() as i64, unit)
                )
            }
            EncryptedType::Decimal { scale, .. } => {
                format!("a decimal number with up to {scale} digits after the point")
            }
            EncryptedType::Int(_) => "an integer".to_owned(),
        }
    }

    /// Describes a column in words, for refusals.
    pub(crate) fn column(self) -> String {
        match self {
            EncryptedType::Date | EncryptedType::Timestamp(_) | EncryptedType::Decimal { .. } => {
                format!("a column of the type {self}")
            }
            EncryptedType::Int(_) => "an integer column".to_owned(),
        }
    }

    /// Returns the least stored integers that are at least a constant, and above it; `None` if the
    /// constant is none of this type.
    pub(crate) fn bounds(self, literal: &Literal) -> Option<[i128; 2]> {
        let units = match (self, literal) {
            (EncryptedType::Date | EncryptedType::Timestamp(_), Literal::Text(text)) => {
                self.parse(text)?
            }
            (EncryptedType::Decimal { scale, .. }, Literal::Int(value)) => {
                let floor = i128::from(*value) * 10i128.pow(scale.into());
                Units { floor, is_whole: true }
            }
            (EncryptedType::Decimal { scale, .. }, Literal::Float(value)) if value.is_finite() => {
                let far = Units { floor: 10i128.pow(38), is_whole: true };
                let near = parse_decimal(&show_double(*value), scale.into());
                let far = if *value < 0.0 { Units { floor: -far.floor, ..far } } else { far };
                near.unwrap_or(far)
            }
            (EncryptedType::Decimal { .. }, Literal::Text(text)) => self.parse(text)?,
            (EncryptedType::Int(_), Literal::Int(value)) => {
                Units { floor: i128::from(*value), is_whole: true }
            }
            // Conversions saturate far beyond every range.
            (EncryptedType::Int(_), Literal::Float(value)) if value.is_finite() => {
                Units { floor: value.floor() as i128, is_whole: value.fract() == 0.0 }
            }
            (_, Literal::Int(_) | Literal::Float(_) | Literal::Bool(_) | Literal::Text(_)) => {
                return None;
            }
        };
        let above = units.floor.saturating_add(1);
        Some([if units.is_whole { units.floor } else { above }, above])
    }

    /// Returns the type of decrypted values.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            EncryptedType::Date => DataType::Date32,
            EncryptedType::Timestamp(unit) => DataType::Timestamp(unit.into(), None),
            EncryptedType::Decimal { precision, scale } => {
                DataType::Decimal128(precision, scale as i8)
            }
            EncryptedType::Int(_) => DataType::Int64,
        }
    }

    /// Makes the array of values from stored integers.
    ///
    /// # Errors
    /// Those of Arrow for integers outside of the limits.
    pub(crate) fn array(self, stored: Int64Array) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            EncryptedType::Date => {
                let days = stored.iter().map(|days| days.map(|days| days as i32));
                Arc::new(days.collect::<Date32Array>())
            }
            EncryptedType::Timestamp(unit) => match unit {
                TimeUnit::Second => Arc::new(stored.reinterpret_cast() as TimestampSecondArray),
                TimeUnit::Millisecond => {
                    Arc::new(stored.reinterpret_cast() as TimestampMillisecondArray)
                }
                TimeUnit::Microsecond => {
                    Arc::new(stored.reinterpret_cast() as TimestampMicrosecondArray)
                }
                TimeUnit::Nanosecond => {
                    Arc::new(stored.reinterpret_cast() as TimestampNanosecondArray)
                }
            },
            EncryptedType::Decimal { precision, scale } => {
                let units = stored.iter().map(|units| units.map(i128::from));
                let units = units.collect::<Decimal128Array>();
                Arc::new(units.with_precision_and_scale(precision, scale as i8)?)
            }
            EncryptedType::Int(_) => Arc::new(stored),
        })
    }
}

impl Width {
    pub(crate) const ALL: [Width; 7] = [
        Width::Int8,
        Width::Int16,
        Width::Int32,
        Width::Int64,
        Width::UInt8,
        Width::UInt16,
        Width::UInt32,
    ];

    /// Returns the name in a schema.
    pub fn name(self) -> &'static str {
        match self {
            Width::Int8 => "int8",
            Width::Int16 => "int16",
            Width::Int32 => "int32",
            Width::Int64 => "int64",
            Width::UInt8 => "uint8",
            Width::UInt16 => "uint16",
            Width::UInt32 => "uint32",
        }
    }

    /// Returns the least and the greatest value.
    pub fn limits(self) -> [i64; 2] {
        match self {
            Width::Int8 => [i8::MIN.into(), i8::MAX.into()],
            Width::Int16 => [i16::MIN.into(), i16::MAX.into()],
            Width::Int32 => [i32::MIN.into(), i32::MAX.into()],
            Width::Int64 => [i64::MIN, i64::MAX],
            Width::UInt8 => [0, u8::MAX.into()],
            Width::UInt16 => [0, u16::MAX.into()],
            Width::UInt32 => [0, u32::MAX.into()],
        }
    }
}

impl From<Width> for EncryptedType {
    fn from(width: Width) -> EncryptedType {
        EncryptedType::Int(width)
    }
}

impl From<TimeUnit> for arrow_schema::TimeUnit {
    fn from(unit: TimeUnit) -> arrow_schema::TimeUnit {
        match unit {
            TimeUnit::Second => arrow_schema::TimeUnit::Second,
            TimeUnit::Millisecond => arrow_schema::TimeUnit::Millisecond,
            TimeUnit::Microsecond => arrow_schema::TimeUnit::Microsecond,
            TimeUnit::Nanosecond => arrow_schema::TimeUnit::Nanosecond,
        }
    }
}
