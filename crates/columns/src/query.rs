//! Queries, and the check that the layout of a table serves them.

use crate::combination::check_combination;
use crate::layout::{Component, Family, prices};
use crate::predicate::clear_type;
use crate::selector::Selector;
use crate::{ClearType, Combination, EncryptedColumn, Error, Predicate, Schema, Use};
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
///     group_by: vec!["department".into()],
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
    /// The clear columns by which rows are grouped; in JSON, a name or a list of names.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::names")]
    pub group_by: Vec<String>,
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
    /// Standard deviation: the square root of [`Aggregate::VarPop`].
    StddevPop(String),
    /// The square root of [`Aggregate::VarSamp`].
    StddevSamp(String),
    /// Sum of a linear combination of encrypted columns, over the rows in which all have a value.
    SumOf(Combination),
    /// Mean of a linear combination of encrypted columns.
    MeanOf(Combination),
}

/// The most aggregates of a query.
const MOST_AGGREGATES: usize = 1024;
/// The most columns that group the rows of a query.
const MOST_GROUPING_COLUMNS: usize = 16;

impl Aggregate {
    /// Returns the encrypted columns that it reads.
    pub fn columns(&self) -> Vec<&str> {
        match self {
            Aggregate::Count => Vec::new(),
            Aggregate::CountOf(column)
            | Aggregate::Sum(column)
            | Aggregate::Mean(column)
            | Aggregate::VarPop(column)
            | Aggregate::VarSamp(column)
            | Aggregate::StddevPop(column)
            | Aggregate::StddevSamp(column) => vec![column],
            Aggregate::SumOf(combination) | Aggregate::MeanOf(combination) => {
                combination.factors.keys().map(String::as_str).collect()
            }
        }
    }

    fn reads(&self, column: &str) -> bool {
        self.columns().contains(&column)
    }

    pub(crate) fn components(&self) -> &'static [Component] {
        match self {
            Aggregate::Count | Aggregate::CountOf(_) => &[],
            Aggregate::Sum(_) | Aggregate::Mean(_) | Aggregate::SumOf(_) | Aggregate::MeanOf(_) => {
                &[Component::Values]
            }
            Aggregate::VarPop(_)
            | Aggregate::VarSamp(_)
            | Aggregate::StddevPop(_)
            | Aggregate::StddevSamp(_) => &[Component::Values, Component::Squares],
        }
    }
}

impl fmt::Display for Aggregate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aggregate::Count => f.write_str("count(*)"),
            Aggregate::CountOf(column) => write!(f, "count({column})"),
            Aggregate::Sum(column) => write!(f, "sum({column})"),
            Aggregate::Mean(column) => write!(f, "mean({column})"),
            Aggregate::VarPop(column) => write!(f, "var_pop({column})"),
            Aggregate::VarSamp(column) => write!(f, "var_samp({column})"),
            Aggregate::StddevPop(column) => write!(f, "stddev_pop({column})"),
            Aggregate::StddevSamp(column) => write!(f, "stddev_samp({column})"),
            Aggregate::SumOf(combination) => write!(f, "sum({combination})"),
            Aggregate::MeanOf(combination) => write!(f, "mean({combination})"),
        }
    }
}

/// The way in which rows are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// One group.
    None,
    /// The declared key: the groups own slots.
    Declared,
    /// Any other clear column, or several: a mask for each group.
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

/// A sum that a result holds as a ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// The number of rows that an encrypted predicate selects.
    Rows,
    /// The number of those in which a column that is read, by its number, has a value.
    Count(usize),
    /// A limb of a column that is read.
    Limb(usize, Component, u32),
}

/// The selection of rows by encrypted values.
#[derive(Clone, Debug)]
pub(crate) struct Selecting {
    pub(crate) selector: Selector,
    /// The encrypted columns that the predicate compares, of which there is at least one.
    pub(crate) columns: Vec<String>,
}

/// A query that a table serves.
#[derive(Clone, Debug)]
pub(crate) struct QueryPlan {
    pub(crate) query: Query,
    pub(crate) grouping: Grouping,
    /// Encrypted columns without repetition, in the order of the schema.
    pub(crate) reads: Vec<Read>,
    /// The sums of the result.
    pub(crate) terms: Vec<Term>,
    /// The selection by encrypted values, if the predicate compares any.
    pub(crate) selecting: Option<Selecting>,
}

impl QueryPlan {
    /// Checks a query.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`], [`Error::Unsupported`]; [`Error::MissingUse`] with the use that
    /// would serve and its price.
    pub(crate) fn new(query: &Query, schema: &Schema) -> Result<QueryPlan, Error> {
        if query.aggregates.is_empty() || query.aggregates.len() > MOST_AGGREGATES {
            let reason = format!("it has {} aggregates, not 1 to 1024", query.aggregates.len());
            return Err(Error::malformed("the query", reason));
        }
        if let Some(filter) = &query.filter {
            filter.check(schema)?;
        }
        let grouping = grouping(query, schema)?;
        let reads = reads(query, schema)?;
        let selecting = selecting(query, schema)?;
        if let (Some(_), Grouping::Masked) = (&selecting, grouping) {
            let reason = match query.group_by.len() {
                1 => "each group would take a product more; declare `group_by = true` for it",
                _ => "each group would take a product more; group by one declared column",
            };
            return Err(Error::Unsupported {
                operation: "grouping of rows that encrypted values select",
                column: query.group_by.join(", "),
                reason: reason.to_owned(),
            });
        }
        check_combinations(query, schema)?;
        query.aggregates.iter().try_for_each(|own| check_times(own, schema))?;
        reads.iter().try_for_each(|read| check_read(read, query, grouping, schema))?;
        let terms = terms(query, &reads, schema);
        Ok(QueryPlan { query: query.clone(), grouping, reads, terms, selecting })
    }

    /// Returns the parameters of the sum of a term.
    pub(crate) fn family(&self, term: Term) -> Family {
        match term {
            Term::Rows | Term::Count(_) => Family::Compare,
            Term::Limb(number, ..) => self.reads[number].family,
        }
    }

    /// Returns whether ciphertexts are multiplied by masks.
    pub(crate) fn is_masked(&self) -> bool {
        self.query.filter.is_some() || self.grouping == Grouping::Masked
    }
}

/// Refuses to read what a column does not store, or not in the form that the query needs.
fn check_read(
    read: &Read,
    query: &Query,
    grouping: Grouping,
    schema: &Schema,
) -> Result<(), Error> {
    let column = schema.find_encrypted(&read.column).ok_or_else(|| schema.unknown(&read.column))?;
    let stored = column.components();
    let lacks = |part: Component| !stored.contains(&part);
    let has_limbs = !read.limbs.is_empty();
    if read.limbs.iter().any(|(part, _)| part.is_square()) && lacks(Component::Squares) {
        return missing(schema, column, "the variance", Use::Variance);
    }
    if read.limbs.iter().any(|(part, _)| lacks(*part)) {
        return missing(schema, column, "a sum of rows that encrypted values select", Use::Select);
    }
    if read.family == Family::Sums && has_limbs && query.filter.is_some() {
        return missing(schema, column, "a sum of selected rows", Use::Filter);
    }
    if read.family == Family::Sums && has_limbs && grouping == Grouping::Masked {
        return missing(schema, column, "a sum by groups", Use::Filter);
    }
    Ok(())
}

fn missing(
    schema: &Schema,
    column: &EncryptedColumn,
    operation: &'static str,
    needed: Use,
) -> Result<(), Error> {
    if needed == Use::Variance && !column.has_squares() {
        return Err(Error::Unsupported {
            operation,
            column: column.name.clone(),
            reason: "its declared range has more than 2^32 values, whose squares no layout \
                     holds; declare a narrower `range`"
                .to_owned(),
        });
    }
    let alternative = if operation == "a sum by groups" {
        "; or declare `group_by = true` for the key, which takes at most twice the bytes and \
         serves this grouping alone"
    } else {
        ""
    };
    let [present, price] = prices(schema, column, needed)?;
    let (column, alternative) = (column.name.clone(), alternative.to_owned());
    Err(Error::MissingUse { operation, column, needed, price, present, alternative })
}

/// Returns whether rows are selected by a ciphertext: because the predicate compares encrypted
/// values, or because a column that is added up has no form for masks, but one for selections.
fn is_selected(query: &Query, schema: &Schema) -> bool {
    let Some(filter) = &query.filter else { return false };
    if !filter.compared(schema).is_empty() {
        return true;
    }
    let adds = |column: &&EncryptedColumn| {
        let own = |a: &Aggregate| a.reads(&column.name) && !a.components().is_empty();
        query.aggregates.iter().any(own)
    };
    let mut added = schema.encrypted.iter().filter(adds);
    let is_masked = |column: &EncryptedColumn| column.uses.contains(&Use::Filter);
    let is_ungrouped = match query.group_by.as_slice() {
        [] => true,
        [one] => schema.declared_key().is_some_and(|key| key.name == *one),
        [..] => false,
    };
    is_ungrouped
        && least_compared(schema).is_some()
        && added.clone().any(|column| !is_masked(column))
        && added.all(|column| column.components().contains(&Component::SelectedValues))
}

/// Returns the column with the fewest stored bits.
fn least_compared(schema: &Schema) -> Option<&EncryptedColumn> {
    let compared = schema.encrypted.iter().filter(|column| column.uses.contains(&Use::Compare));
    compared.min_by_key(|column| column.limb_count(Component::Bits))
}

fn selecting(query: &Query, schema: &Schema) -> Result<Option<Selecting>, Error> {
    let Some(filter) = query.filter.as_ref().filter(|_| is_selected(query, schema)) else {
        return Ok(None);
    };
    let selector = Selector::of(filter, schema)?;
    let mut columns: Vec<String> = selector.compared().into_iter().map(String::from).collect();
    if columns.is_empty() {
        // No value decides; one column is read for a ciphertext to start from.
        let named = filter.compared(schema).first().map(|name| (*name).to_owned());
        columns.extend(named.or_else(|| least_compared(schema).map(|own| own.name.clone())));
    }
    Ok(Some(Selecting { selector, columns }))
}

/// Returns the sums of a result, for the server and the client.
pub(crate) fn terms(query: &Query, reads: &[Read], schema: &Schema) -> Vec<Term> {
    let mut terms = Vec::new();
    let is_selected = is_selected(query, schema);
    terms.extend(is_selected.then_some(Term::Rows));
    for (number, read) in reads.iter().enumerate() {
        terms.extend((is_selected && read.nulls).then_some(Term::Count(number)));
        terms.extend(read.limbs.iter().map(|&(part, index)| Term::Limb(number, part, index)));
    }
    terms
}

fn grouping(query: &Query, schema: &Schema) -> Result<Grouping, Error> {
    if query.group_by.len() > MOST_GROUPING_COLUMNS {
        let reason = format!("it groups by {} columns, not 16 at most", query.group_by.len());
        return Err(Error::malformed("the query", reason));
    }
    for (number, name) in query.group_by.iter().enumerate() {
        check_group(name, schema)?;
        if query.group_by[..number].contains(name) {
            return Err(Error::malformed("the query", format!("it groups by {name:?} twice")));
        }
    }
    let is_declared = |name: &String| schema.declared_key().is_some_and(|key| key.name == *name);
    Ok(match query.group_by.as_slice() {
        [] => Grouping::None,
        [one] if is_declared(one) => Grouping::Declared,
        [..] => Grouping::Masked,
    })
}

/// Refuses to group by a column that is not clear, or whose values are no groups.
fn check_group(name: &str, schema: &Schema) -> Result<(), Error> {
    let refuse = |reason: &str| {
        let (column, reason) = (name.to_owned(), reason.to_owned());
        Err(Error::Unsupported { operation: "grouping", column, reason })
    };
    if schema.find_encrypted(name).is_some() {
        return refuse("its values are encrypted; group by a clear column");
    }
    if clear_type(schema, name)? == ClearType::Float64 {
        return refuse("numbers in double precision are no groups; store an integer or a text");
    }
    Ok(())
}

/// Checks the combinations of a query.
///
/// # Errors
/// Those of [`check_combination`].
fn check_combinations(query: &Query, schema: &Schema) -> Result<(), Error> {
    let combinations = query.aggregates.iter().filter_map(|aggregate| match aggregate {
        Aggregate::SumOf(own) | Aggregate::MeanOf(own) => Some(own),
        Aggregate::Count
        | Aggregate::CountOf(_)
        | Aggregate::Sum(_)
        | Aggregate::Mean(_)
        | Aggregate::VarPop(_)
        | Aggregate::VarSamp(_)
        | Aggregate::StddevPop(_)
        | Aggregate::StddevSamp(_) => None,
    });
    let mut combinations = combinations;
    combinations.try_for_each(|own| check_combination(own, query.filter.as_ref(), schema))
}

/// Refuses sums of points in time.
fn check_times(aggregate: &Aggregate, schema: &Schema) -> Result<(), Error> {
    if matches!(aggregate, Aggregate::Count | Aggregate::CountOf(_) | Aggregate::Mean(_)) {
        return Ok(());
    }
    let columns = aggregate.columns();
    let mut columns = columns.iter().filter_map(|name| schema.find_encrypted(name));
    match columns.find(|column| column.kind.is_time()) {
        None => Ok(()),
        Some(column) => Err(Error::Unsupported {
            operation: "a sum",
            column: column.name.clone(),
            reason: format!("it is a {}; points in time have counts and means", column.kind),
        }),
    }
}

/// Returns what the aggregates of a query read.
pub(crate) fn reads(query: &Query, schema: &Schema) -> Result<Vec<Read>, Error> {
    let aggregates = &query.aggregates;
    for name in aggregates.iter().flat_map(Aggregate::columns) {
        if schema.find_clear(name).is_some() {
            return Err(Error::Unsupported {
                operation: "an aggregate",
                column: name.to_owned(),
                reason: "it is clear: any tool that reads the file computes it".to_owned(),
            });
        }
        schema.find_encrypted(name).ok_or_else(|| schema.unknown(name))?;
    }
    let is_selected = is_selected(query, schema);
    let read = |column: &EncryptedColumn| {
        let own = || aggregates.iter().filter(|a| a.reads(&column.name));
        own().next()?;
        let needed = |part: &Component| own().any(|a| a.components().contains(part));
        let components = [Component::Values, Component::Squares].into_iter().filter(needed);
        let components = components.map(|part| if is_selected { part.selected() } else { part });
        let limbs =
            components.flat_map(|part| (0..column.limb_count(part)).map(move |i| (part, i)));
        let stored = if is_selected { Component::SelectedValues } else { Component::Values };
        let (family, nulls) = (column.family(stored), column.nulls);
        Some(Read { column: column.name.clone(), family, nulls, limbs: limbs.collect() })
    };
    Ok(schema.encrypted.iter().filter_map(read).collect())
}
