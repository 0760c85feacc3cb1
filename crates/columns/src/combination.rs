//! Linear combinations of encrypted columns: their sums follow from the sums of the columns.

use crate::{Error, Predicate, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A linear combination of encrypted columns, `constant + sum(factor * column)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Combination {
    /// The columns, of which there is at least one, with their factors.
    pub factors: BTreeMap<String, i64>,
    /// The constant, which is added in each row.
    #[serde(default)]
    pub constant: i64,
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (column, factor)) in self.factors.iter().enumerate() {
            let sign = if *factor < 0 { "-" } else { "+" };
            match (number, *factor < 0) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, _) => write!(f, " {sign} ")?,
            }
            match factor.unsigned_abs() {
                1 => f.write_str(column)?,
                size => write!(f, "{size} * {column}")?,
            }
        }
        match self.constant {
            0 => Ok(()),
            constant if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
            constant => write!(f, " + {constant}"),
        }
    }
}

/// The largest factor of a combination, whose sums then fit 128 bits.
const MOST_FACTOR: u64 = 1 << 32;

/// Refuses a combination without columns, and one of several columns whose missing values differ:
/// their sums count different rows.
pub(crate) fn check_combination(
    own: &Combination,
    filter: Option<&Predicate>,
    schema: &Schema,
) -> Result<(), Error> {
    let Some(first) = own.factors.keys().next() else {
        return Err(Error::malformed("the query", "a combination has no columns"));
    };
    let numbers = own.factors.values().chain([&own.constant]);
    if let Some(number) = numbers.copied().find(|n| n.unsigned_abs() > MOST_FACTOR) {
        let reason = format!("the constant {number} exceeds 2^32; take a smaller one");
        return Err(Error::Unsupported {
            operation: "a combination",
            column: first.clone(),
            reason,
        });
    }
    if own.factors.len() == 1 {
        return Ok(());
    }
    let columns = own.factors.keys().filter_map(|name| schema.find_encrypted(name));
    let needed = |name: &str| filter.is_some_and(|own| own.needs(name));
    match columns.filter(|column| column.nulls).find(|column| !needed(&column.name)) {
        None => Ok(()),
        Some(column) => Err(Error::Unsupported {
            operation: "a combination",
            column: column.name.clone(),
            reason: "rows in which its value is missing do not count; leave them out by the \
                     condition that it is not null"
                .to_owned(),
        }),
    }
}
