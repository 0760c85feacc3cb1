//! The description of a table: encrypted and clear columns.

use crate::{EncryptedType, Error, Literal, TimeUnit, Use, Width};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The columns of a table: what is encrypted, for which operations, and what stays clear.
///
/// A schema is usually written in TOML:
///
/// ```
/// use fathom_columns::{Schema, Use};
///
/// let text = r#"
///     [[encrypted]]
///     name = "salary"
///     type = "int32"
///     range = [0, 500000]
///     uses = ["variance", "filter"]
///     nulls = true
///
///     [[clear]]
///     name = "department"
///     type = "text"
///     group_by = true
/// "#;
/// let schema: Schema = toml::from_str(text).unwrap();
/// schema.check().unwrap();
/// assert!(schema.encrypted[0].uses.contains(&Use::Variance));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// Columns whose values are encrypted.
    pub encrypted: Vec<EncryptedColumn>,
    /// Columns that everyone who has the file can read.
    #[serde(default)]
    pub clear: Vec<ClearColumn>,
}

/// An encrypted column. Sums, means and counts are always possible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Described", into = "Described")]
pub struct EncryptedColumn {
    /// Name of the column.
    pub name: String,
    /// Type of the values; `type` in text.
    pub kind: EncryptedType,
    /// Least and greatest value, if narrower than the type, in stored integers: days, parts of a
    /// second, or units of the last digit. In text, they are values of the type. This is public.
    pub range: Option<[i64; 2]>,
    /// Further operations that the column shall serve.
    pub uses: BTreeSet<Use>,
    /// True if values can be missing. Which ones are missing is public.
    pub nulls: bool,
}

/// An encrypted column as a schema describes it in text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    name: String,
    #[serde(rename = "type")]
    kind: EncryptedType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    range: Option<[End; 2]>,
    #[serde(default)]
    uses: BTreeSet<Use>,
    #[serde(default)]
    nulls: bool,
}

/// An end of a range in text: an integer or a decimal number, or a value of the type in quotes.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum End {
    Int(i64),
    Real(f64),
    Text(String),
}

impl TryFrom<Described> for EncryptedColumn {
    type Error = String;

    fn try_from(own: Described) -> Result<EncryptedColumn, String> {
        let Described { name, kind, range, uses, nulls } = own;
        let end = |end: &End| {
            let bounds = kind.bounds(&match end {
                End::Int(value) => Literal::Int(*value),
                End::Real(value) => Literal::Float(*value),
                End::Text(text) => Literal::Text(text.clone()),
            });
            // The least integer from a value on is below the least above it, if it is the value.
            let exact = bounds.filter(|[least, above]| least < above);
            exact.and_then(|[least, _]| i64::try_from(least).ok()).ok_or_else(|| {
                let expected = kind.described();
                format!("column {name:?}: the ends of its range are values of its type: {expected}")
            })
        };
        let range = range.map(|[low, high]| Ok::<_, String>([end(&low)?, end(&high)?]));
        let range = range.transpose()?;
        Ok(EncryptedColumn { name, kind, range, uses, nulls })
    }
}

impl From<EncryptedColumn> for Described {
    fn from(own: EncryptedColumn) -> Described {
        let EncryptedColumn { name, kind, range, uses, nulls } = own;
        let end = |stored: i64| match kind {
            EncryptedType::Int(_) => End::Int(stored),
            EncryptedType::Date | EncryptedType::Timestamp(_) | EncryptedType::Decimal { .. } => {
                End::Text(kind.show(stored))
            }
        };
        Described { name, kind, range: range.map(|range| range.map(end)), uses, nulls }
    }
}

/// A column of clear values, any of which may be missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClearColumn {
    /// Name of the column.
    pub name: String,
    /// Type of the values.
    #[serde(rename = "type")]
    pub kind: ClearType,
    /// True if the rows are arranged by this column, so that grouping by it costs no more than a
    /// sum. At most one column is.
    #[serde(default)]
    pub group_by: bool,
}

/// Type of a clear column.
///
/// A schema names it as text: `bool`, `int64`, `float64`, `text`, `date`, `timestamp[s]`,
/// `timestamp[ms]`, `timestamp[us]` and `timestamp[ns]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ClearType {
    /// True or false.
    Bool,
    /// Integers of 64 bits with a sign.
    Int64,
    /// Numbers in double precision.
    Float64,
    /// Text in UTF-8.
    Text,
    /// Days from 0001-01-01 to 9999-12-31.
    Date,
    /// Times without a zone, in the same years.
    Timestamp(TimeUnit),
}

impl From<ClearType> for String {
    fn from(kind: ClearType) -> String {
        kind.name().to_owned()
    }
}

impl TryFrom<String> for ClearType {
    type Error = String;

    fn try_from(text: String) -> Result<ClearType, String> {
        let found = ClearType::ALL.into_iter().find(|kind| kind.name() == text);
        let names = || ClearType::ALL.map(ClearType::name).join(", ");
        found.ok_or_else(|| format!("unknown type `{text}`; clear columns have {}", names()))
    }
}

/// The most columns of a schema: more would make its metadata longer than readers accept.
const MOST_COLUMNS: usize = 1024;
/// The greatest distance of two values of a column whose squares are stored: their deviations from
/// the middle then have squares of at most 62 bits.
const SQUARED_SPAN: u64 = u32::MAX as u64;
/// The greatest distance of two values of a column whose bits are stored: 32 bits.
const COMPARED_SPAN: u64 = u32::MAX as u64;

impl Schema {
    /// Checks names, ranges and uses.
    ///
    /// # Errors
    /// [`Error::Schema`] with the column and what to change.
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |column: &str, reason: &str| {
            Err(Error::Schema { column: column.to_owned(), reason: reason.to_owned() })
        };
        if self.encrypted.is_empty() {
            return refuse("", "there is no encrypted column; add an [[encrypted]] table");
        }
        if self.encrypted.len() + self.clear.len() > MOST_COLUMNS {
            return refuse("", "there are more than 1024 columns; split the table");
        }
        let mut seen = BTreeSet::new();
        for name in self.names() {
            if name.is_empty() || name.len() > 128 {
                return refuse(name, "names have 1 to 128 bytes");
            }
            if !seen.insert(name) {
                return refuse(name, "the name occurs twice");
            }
        }
        self.encrypted.iter().try_for_each(EncryptedColumn::check)?;
        let with = |own: Use| self.encrypted.iter().find(|column| column.uses.contains(&own));
        if let (Some(column), None) = (with(Use::Select), with(Use::Compare)) {
            let reason = "`select` serves encrypted predicates; give the use `compare` to the \
                          column that they compare";
            return refuse(&column.name, reason);
        }
        let keys: Vec<_> = self.clear.iter().filter(|column| column.group_by).collect();
        if let [_, second, ..] = keys.as_slice() {
            return refuse(&second.name, "only one column can have `group_by = true`");
        }
        match keys.first() {
            Some(key) if key.kind == ClearType::Float64 => {
                refuse(&key.name, "rows are not grouped by numbers in double precision")
            }
            _ => Ok(()),
        }
    }

    /// Returns a checksum of the schema in hexadecimal.
    pub(crate) fn digest(&self) -> String {
        let text = serde_json::to_string(self).expect("a schema has only keys of text");
        crate::container::hex(&blake3::hash(text.as_bytes()).as_bytes()[..16])
    }

    /// Returns the column by which the rows are arranged, if there is one.
    pub fn declared_key(&self) -> Option<&ClearColumn> {
        self.clear.iter().find(|column| column.group_by)
    }

    /// Returns the names of all columns, encrypted ones first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let encrypted = self.encrypted.iter().map(|column| column.name.as_str());
        encrypted.chain(self.clear.iter().map(|column| column.name.as_str()))
    }

    /// Returns the encrypted column of a name.
    pub fn find_encrypted(&self, name: &str) -> Option<&EncryptedColumn> {
        self.encrypted.iter().find(|column| column.name == name)
    }

    /// Returns the clear column of a name.
    pub fn find_clear(&self, name: &str) -> Option<&ClearColumn> {
        self.clear.iter().find(|column| column.name == name)
    }

    pub(crate) fn unknown(&self, name: &str) -> Error {
        let known = self.names().collect::<Vec<_>>().join(", ");
        Error::UnknownColumn { name: name.to_owned(), known }
    }
}

impl EncryptedColumn {
    fn check(&self) -> Result<(), Error> {
        let refuse = |reason: String| Err(Error::Schema { column: self.name.clone(), reason });
        let (ends, all) = (self.limits(), self.kind.limits());
        let is_empty = ends[0] >= ends[1];
        let [low, high] = ends.map(|end| self.kind.show(end));
        let [least, most] = all.map(|end| self.kind.show(end));
        if is_empty || ends[0] < all[0] || ends[1] > all[1] {
            return refuse(format!(
                "the range {low} to {high} is not an interval within {least} to {most}"
            ));
        }
        if self.uses.contains(&Use::Variance) && self.kind.is_time() {
            return refuse("points in time have no variance; leave the use out".to_owned());
        }
        if self.uses.contains(&Use::Variance) && !self.has_squares() {
            return refuse(format!(
                "variances need a range of at most 2^32 values; declare a narrower `range` than \
                 {low} to {high}"
            ));
        }
        if self.uses.contains(&Use::Compare) && !self.has_bits() {
            return refuse(format!(
                "comparisons need a range of at most 2^32 values; declare a narrower `range` than \
                 {low} to {high}"
            ));
        }
        Ok(())
    }

    /// Returns the least and the greatest value.
    pub fn limits(&self) -> [i64; 2] {
        self.range.unwrap_or_else(|| self.kind.limits())
    }

    /// Returns whether the range is narrow enough for squares to be stored.
    pub(crate) fn has_squares(&self) -> bool {
        self.span() <= SQUARED_SPAN
    }

    /// Returns whether the range is narrow enough for bits to be stored.
    pub(crate) fn has_bits(&self) -> bool {
        self.span() <= COMPARED_SPAN
    }

    /// Returns the greatest value minus the least.
    pub(crate) fn span(&self) -> u64 {
        let [low, high] = self.limits();
        high.abs_diff(low)
    }

    /// Returns the middle of the range, from which deviations are squared.
    pub(crate) fn middle(&self) -> i64 {
        let [low, _] = self.limits();
        low.wrapping_add_unsigned(self.span().div_ceil(2))
    }

    /// Returns the greatest square of a deviation from the middle.
    pub(crate) fn greatest_square(&self) -> u64 {
        let [low, _] = self.limits();
        let deviation = self.middle().abs_diff(low);
        deviation.saturating_mul(deviation)
    }
}

impl ClearType {
    pub(crate) const ALL: [ClearType; 9] = [
        ClearType::Bool,
        ClearType::Int64,
        ClearType::Float64,
        ClearType::Text,
        ClearType::Date,
        ClearType::Timestamp(TimeUnit::Second),
        ClearType::Timestamp(TimeUnit::Millisecond),
        ClearType::Timestamp(TimeUnit::Microsecond),
        ClearType::Timestamp(TimeUnit::Nanosecond),
    ];

    /// Returns the type of encrypted columns with the same values, if they are integers.
    pub(crate) fn integers(self) -> Option<EncryptedType> {
        match self {
            ClearType::Bool | ClearType::Float64 | ClearType::Text => None,
            ClearType::Int64 => Some(EncryptedType::Int(Width::Int64)),
            ClearType::Date => Some(EncryptedType::Date),
            ClearType::Timestamp(unit) => Some(EncryptedType::Timestamp(unit)),
        }
    }

    /// Returns the name in a schema.
    pub fn name(self) -> &'static str {
        match self {
            ClearType::Bool => "bool",
            ClearType::Int64 => "int64",
            ClearType::Float64 => "float64",
            ClearType::Text => "text",
            ClearType::Date => "date",
            ClearType::Timestamp(TimeUnit::Second) => "timestamp[s]",
            ClearType::Timestamp(TimeUnit::Millisecond) => "timestamp[ms]",
            ClearType::Timestamp(TimeUnit::Microsecond) => "timestamp[us]",
            ClearType::Timestamp(TimeUnit::Nanosecond) => "timestamp[ns]",
        }
    }
}
