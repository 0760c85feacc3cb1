//! Queries, and the check that the layout of a table serves them.

use crate::layout::{Component, Family, bytes_a_row, price_with};
use crate::predicate::clear_type;
use crate::{ClearType, Error, Predicate, Schema, Use};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Aggregates over the rows of a table.
///
/// ```
/// use fathom_columns::{Aggregate, Query};
///
/// let query = Query {
///     aggregates: vec![Aggregate::Count, Aggregate::Mean("salary".into())],
///     filter: None,
///     group_by: Some("department".into()),
/// };
/// assert_eq!(query.aggregates[1].to_string(), "mean(salary)");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The numbers that are computed, of which there is at least one.
    pub aggregates: Vec<Aggregate>,
    /// The rows that count; all of them without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Predicate>,
    /// The clear column by which rows are grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_by: Option<String>,
}

/// An aggregate. Missing values do not count, as in SQL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// Number of rows.
    Count,
    /// Number of rows in which an encrypted column has a value.
    CountOf(String),
    /// Sum of an encrypted column.
    Sum(String),
    /// Mean of an encrypted column.
    Mean(String),
    /// Variance of an encrypted column: the mean square of the deviations from the mean.
    VarPop(String),
    /// The same with one less than the count as divisor: the variance of a sample.
    VarSamp(String),
}

/// The most aggregates of a query.
const MOST_AGGREGATES: usize = 1024;

impl Aggregate {
    /// Returns the encrypted column that it reads.
    pub fn column(&self) -> Option<&str> {
        match self {
            Aggregate::Count => None,
            Aggregate::CountOf(column)
            | Aggregate::Sum(column)
            | Aggregate::Mean(column)
            | Aggregate::VarPop(column)
            | Aggregate::VarSamp(column) => Some(column),
        }
    }

    pub(crate) fn components(&self) -> &'static [Component] {
        match self {
            Aggregate::Count | Aggregate::CountOf(_) => &[],
            Aggregate::Sum(_) | Aggregate::Mean(_) => &[Component::Values],
            Aggregate::VarPop(_) | Aggregate::VarSamp(_) => {
                &[Component::Values, Component::Squares]
            }
        }
    }
}

impl fmt::Display for Aggregate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Aggregate::Count | Aggregate::CountOf(_) => "count",
            Aggregate::Sum(_) => "sum",
            Aggregate::Mean(_) => "mean",
            Aggregate::VarPop(_) => "var_pop",
            Aggregate::VarSamp(_) => "var_samp",
        };
        write!(f, "{name}({})", self.column().unwrap_or("*"))
    }
}

/// The way in which rows are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// One group.
    None,
    /// The declared key: the groups own slots.
    Declared,
    /// Any other clear column: a mask for each group.
    Masked,
}

/// A column that a query reads, with the components that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) column: String,
    pub(crate) family: Family,
    pub(crate) nulls: bool,
    pub(crate) limbs: Vec<(Component, u32)>,
}

/// A query that a table serves.
#[derive(Clone, Debug)]
pub(crate) struct QueryPlan {
    pub(crate) query: Query,
    pub(crate) grouping: Grouping,
    /// Encrypted columns without repetition, in the order of the schema.
    pub(crate) reads: Vec<Read>,
}

impl QueryPlan {
    /// Checks a query. `frame_bytes` is the length of a ciphertext of a family in the table.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`], [`Error::Unsupported`]; [`Error::MissingUse`] with the use that
    /// would serve and its price.
    pub(crate) fn new(
        query: &Query,
        schema: &Schema,
        frame_bytes: impl Fn(&str) -> usize,
    ) -> Result<QueryPlan, Error> {
        if query.aggregates.is_empty() || query.aggregates.len() > MOST_AGGREGATES {
            let reason = format!("it has {} aggregates, not 1 to 1024", query.aggregates.len());
            return Err(Error::malformed("the query", reason));
        }
        if let Some(filter) = &query.filter {
            filter.check(schema)?;
        }
        let grouping = grouping(query, schema)?;
        let reads = reads(&query.aggregates, schema)?;
        for read in &reads {
            let missing = |operation, needed, alternative: &str| {
                let column = schema.find_encrypted(&read.column);
                let column = column.expect("reads are columns of the schema");
                if needed == Use::Variance && !column.has_squares() {
                    return Err(Error::Unsupported {
                        operation,
                        column: read.column.clone(),
                        reason: "its declared range has more than 2^32 values, whose squares no \
                                 layout holds; declare a narrower `range`"
                            .to_owned(),
                    });
                }
                Err(Error::MissingUse {
                    operation,
                    column: read.column.clone(),
                    needed,
                    price: price_with(column, needed)?,
                    present: bytes_a_row(column, frame_bytes(&read.column)),
                    alternative: alternative.to_owned(),
                })
            };
            let stored = schema.find_encrypted(&read.column).is_some_and(|column| {
                read.limbs.iter().all(|(component, _)| column.components().contains(component))
            });
            if !stored {
                return missing("the variance", Use::Variance, "");
            }
            let sums_only = read.family == Family::Sums && !read.limbs.is_empty();
            if sums_only && query.filter.is_some() {
                return missing("a sum of selected rows", Use::Filter, "");
            }
            if sums_only && grouping == Grouping::Masked {
                let alternative = "; or declare `group_by = true` for the key, which takes at \
                                   most twice the bytes and serves this grouping alone";
                return missing("a sum by groups", Use::Filter, alternative);
            }
        }
        Ok(QueryPlan { query: query.clone(), grouping, reads })
    }

    /// Returns whether ciphertexts are multiplied by masks.
    pub(crate) fn is_masked(&self) -> bool {
        self.query.filter.is_some() || self.grouping == Grouping::Masked
    }
}

fn grouping(query: &Query, schema: &Schema) -> Result<Grouping, Error> {
    let Some(name) = &query.group_by else { return Ok(Grouping::None) };
    if schema.find_encrypted(name).is_some() {
        return Err(Error::Unsupported {
            operation: "grouping",
            column: name.clone(),
            reason: "its values are encrypted; group by a clear column".to_owned(),
        });
    }
    if clear_type(schema, name)? == ClearType::Float64 {
        return Err(Error::Unsupported {
            operation: "grouping",
            column: name.clone(),
            reason: "numbers in double precision are no groups; store an integer or a text"
                .to_owned(),
        });
    }
    let declared = schema.declared_key().is_some_and(|key| key.name == *name);
    Ok(if declared { Grouping::Declared } else { Grouping::Masked })
}

/// Returns what the aggregates read.
pub(crate) fn reads(aggregates: &[Aggregate], schema: &Schema) -> Result<Vec<Read>, Error> {
    for name in aggregates.iter().filter_map(Aggregate::column) {
        if schema.find_clear(name).is_some() {
            return Err(Error::Unsupported {
                operation: "an aggregate",
                column: name.to_owned(),
                reason: "it is clear: any tool that reads the file computes it".to_owned(),
            });
        }
        schema.find_encrypted(name).ok_or_else(|| schema.unknown(name))?;
    }
    let read = |column: &crate::EncryptedColumn| {
        let own = || aggregates.iter().filter(|a| a.column() == Some(&column.name));
        own().next()?;
        let needed = |part: &Component| own().any(|a| a.components().contains(part));
        let components = [Component::Values, Component::Squares].into_iter().filter(needed);
        let limbs =
            components.flat_map(|part| (0..column.limb_count(part)).map(move |i| (part, i)));
        let (family, nulls) = (column.family(), column.nulls);
        Some(Read { column: column.name.clone(), family, nulls, limbs: limbs.collect() })
    };
    Ok(schema.encrypted.iter().filter_map(read).collect())
}
