//! Results: what a server sends, and what the client reads from it.

use crate::clear::Label;
use crate::container;
use crate::layout::{Component, Family, TERMS};
use crate::query::{Read, Term, reads, terms};
use crate::{Aggregate, EncryptedColumn, Error, Query, TableKey};
use fathom::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const MAGIC: [u8; 8] = *b"FTHMCRS1";
const WHAT: &str = "a result of columns";

/// The encrypted result of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct EncryptedResult {
    header: Header,
    frames: Vec<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) query: Query,
    /// The checksum of the schema.
    pub(crate) schema: String,
    /// Identifiers of the tables.
    pub(crate) tables: Vec<String>,
    /// Identifiers of the keys of the tables.
    pub(crate) keys: BTreeMap<Family, String>,
    pub(crate) parts: Vec<Part>,
}

/// A sum of up to 256 blocks: a ciphertext for each limb that the query reads, and for the numbers
/// of rows that encrypted values select.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) spans: Vec<Span>,
}

/// The slots of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub(crate) label: Label,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) counts: Counts,
}

/// Numbers of rows of a group. Where encrypted values select, they count all rows, and the numbers
/// of the selected ones are encrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) rows: u64,
    /// Values that are there, for each column that the query reads.
    pub(crate) values: Vec<u64>,
}

impl Counts {
    /// Sets the number of rows that encrypted values select, which is that of the values of columns
    /// without missing ones.
    fn select(&mut self, rows: u64) {
        self.rows = rows;
        self.values.fill(rows);
    }

    pub(crate) fn add(&mut self, other: &Counts) {
        self.rows = self.rows.saturating_add(other.rows);
        let pairs = self.values.iter_mut().zip(&other.values);
        pairs.for_each(|(a, b)| *a = a.saturating_add(*b));
    }
}

impl EncryptedResult {
    pub(crate) fn new(header: Header, frames: Vec<Vec<u8>>) -> EncryptedResult {
        EncryptedResult { header, frames }
    }

    /// Joins the results of one query on several tables of one key, such as the files to which rows
    /// were appended.
    ///
    /// # Errors
    /// [`Error::Malformed`] for no result, results of different queries or schemas, or two of one
    /// table, whose rows would count twice; [`Error::OtherKey`].
    pub fn join(results: Vec<EncryptedResult>) -> Result<EncryptedResult, Error> {
        let mut results = results.into_iter();
        let mut all =
            results.next().ok_or_else(|| Error::malformed(WHAT, "there is none to join"))?;
        for next in results {
            if next.header.query != all.header.query {
                return Err(Error::malformed(WHAT, "the queries differ"));
            }
            check_keys(WHAT, &all.header.keys, &next.header.keys)?;
            check_schema(&all.header.schema, &next.header)?;
            all.header.tables.extend(next.header.tables);
            check_tables(&all.header)?;
            all.header.parts.extend(next.header.parts);
            all.frames.extend(next.frames);
        }
        Ok(all)
    }

    /// Encodes the result for the client.
    pub fn to_bytes(&self) -> Vec<u8> {
        let blobs: Vec<&[u8]> = self.frames.iter().map(Vec::as_slice).collect();
        container::seal(MAGIC, &self.header, &blobs).to_vec()
    }

    /// Reads what [`EncryptedResult::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Malformed`].
    pub fn from_bytes(bytes: &[u8]) -> Result<EncryptedResult, Error> {
        let (header, blobs): (Header, _) = container::open(MAGIC, WHAT, bytes)?;
        let frames = blobs.into_iter().map(<[u8]>::to_vec).collect();
        Ok(EncryptedResult { header, frames })
    }

    /// Returns the query.
    pub fn query(&self) -> &Query {
        &self.header.query
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The column by which rows are grouped.
    pub group_by: Option<String>,
    /// Names of the aggregates.
    pub aggregates: Vec<String>,
    /// One row for each group, in the order of the labels; one in all without groups.
    pub rows: Vec<AnswerRow>,
}

/// The aggregates of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerRow {
    /// The value of the grouping column; null without groups.
    pub label: Label,
    /// One for each aggregate.
    pub values: Vec<Value>,
}

/// A value of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// There are not enough values: a sum of none, or the variance of a sample of one.
    Null,
    /// A count.
    Count(u64),
    /// A sum, exact.
    Sum(i128),
    /// A mean or a variance: the quotient of two exact integers, rounded three times at most.
    Real(f64),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => Ok(()),
            Value::Count(value) => write!(f, "{value}"),
            Value::Sum(value) => write!(f, "{value}"),
            Value::Real(value) => write!(f, "{value}"),
        }
    }
}

/// Decrypted totals of one group.
#[derive(Clone, Debug, Default)]
struct Totals {
    counts: Counts,
    /// For each column that the query reads, the totals of values and squares.
    sums: Vec<BTreeMap<Component, u128>>,
}

impl TableKey {
    /// Decrypts a result.
    ///
    /// # Errors
    /// [`Error::OtherKey`]; [`Error::Malformed`] for a result that no server computes;
    /// [`Error::ImpossibleTotal`] for totals that no values of the declared ranges have.
    pub fn decrypt(&self, result: &EncryptedResult) -> Result<Answer, Error> {
        check_keys(WHAT, &self.public_keys(), &result.header.keys)?;
        check_schema(&self.schema().digest(), &result.header)?;
        check_tables(&result.header)?;
        let query = result.query();
        let reads = reads(query, self.schema())?;
        let terms = terms(query, &reads, self.schema());
        if result.header.parts.len().checked_mul(terms.len()) != Some(result.frames.len()) {
            return Err(Error::malformed(WHAT, "it has not as many ciphertexts as sums"));
        }
        let mut groups: BTreeMap<Label, Totals> = BTreeMap::new();
        if query.group_by.is_none() {
            let empty = vec![BTreeMap::new(); reads.len()];
            let counts = Counts { rows: 0, values: vec![0; reads.len()] };
            groups.insert(Label::Null, Totals { counts, sums: empty });
        }
        for (index, part) in result.header.parts.iter().enumerate() {
            check_spans(part, reads.len(), self.schema().block_rows())?;
            let frames = &result.frames[index * terms.len()..][..terms.len()];
            self.add_part(part, &reads, terms.iter().copied().zip(frames), &mut groups)?;
        }
        self.answer(query, &reads, groups)
    }

    /// Decrypts the ciphertexts of a sum and adds the slots of each group to its totals.
    fn add_part<'f>(
        &self,
        part: &Part,
        reads: &[Read],
        frames: impl Iterator<Item = (Term, &'f Vec<u8>)>,
        groups: &mut BTreeMap<Label, Totals>,
    ) -> Result<(), Error> {
        let mut counts: Vec<Counts> = part.spans.iter().map(|span| span.counts.clone()).collect();
        let mut sums: Vec<Vec<BTreeMap<Component, u128>>> =
            vec![vec![BTreeMap::new(); reads.len()]; part.spans.len()];
        for (term, frame) in frames {
            let slots = self.slots(term, reads, frame)?;
            for (number, span) in part.spans.iter().enumerate() {
                let own = &slots[span.start..span.end];
                let sum: u64 = own.iter().sum();
                match term {
                    Term::Rows => counts[number].select(check_count(own, span.counts.rows)?),
                    Term::Count(read) => {
                        let most = span.counts.values[read].min(counts[number].rows);
                        counts[number].values[read] = check_count(own, most)?;
                    }
                    Term::Limb(read, component, limb) => {
                        let stored = if component.is_square() {
                            Component::Squares
                        } else {
                            Component::Values
                        };
                        let total = sums[number][read].entry(stored).or_default();
                        let value = u128::from(sum) << (limb * component.limb_bits());
                        *total = total.saturating_add(value);
                    }
                }
            }
        }
        for ((span, counts), sums) in part.spans.iter().zip(counts).zip(sums) {
            let group = groups.entry(span.label.clone()).or_default();
            group.sums.resize(reads.len(), BTreeMap::new());
            group.counts.values.resize(reads.len(), 0);
            group.counts.add(&counts);
            for (own, sums) in group.sums.iter_mut().zip(sums) {
                for (component, sum) in sums {
                    let total = own.entry(component).or_default();
                    *total = total.saturating_add(sum);
                }
            }
        }
        Ok(())
    }

    /// Decrypts one sum.
    fn slots(&self, term: Term, reads: &[Read], frame: &[u8]) -> Result<Vec<u64>, Error> {
        let family = match term {
            Term::Rows | Term::Count(_) => Family::Compare,
            Term::Limb(number, ..) => reads[number].family,
        };
        let secret = self.secret(family);
        let total = bfv::Ciphertext::from_bytes(secret.params(), frame)?;
        Ok(secret.decrypt(&total)?.slots()?)
    }

    fn answer(
        &self,
        query: &Query,
        reads: &[Read],
        groups: BTreeMap<Label, Totals>,
    ) -> Result<Answer, Error> {
        let mut rows = Vec::with_capacity(groups.len());
        for (label, totals) in groups {
            if totals.counts.rows == 0 && query.group_by.is_some() {
                continue;
            }
            let value = |aggregate: &Aggregate| {
                let Some(name) = aggregate.column() else {
                    return Ok(Value::Count(totals.counts.rows));
                };
                let number = reads.iter().position(|read| read.column == name);
                let number = number.expect("every aggregate has its column read");
                let column = self.schema().find_encrypted(name).expect("reads are of the schema");
                finish(aggregate, column, totals.counts.values[number], &totals.sums[number])
            };
            let values = query.aggregates.iter().map(value).collect::<Result<_, _>>()?;
            rows.push(AnswerRow { label, values });
        }
        Ok(Answer {
            group_by: query.group_by.clone(),
            aggregates: query.aggregates.iter().map(ToString::to_string).collect(),
            rows,
        })
    }
}

/// Computes an aggregate from decrypted totals.
fn finish(
    aggregate: &Aggregate,
    column: &EncryptedColumn,
    count: u64,
    totals: &BTreeMap<Component, u128>,
) -> Result<Value, Error> {
    let n = i128::from(count);
    let total = |component: Component, name: &'static str| {
        let total = totals.get(&component).copied().unwrap_or(0);
        let possible = u128::from(count) * u128::from(column.greatest(component));
        let impossible =
            || Error::ImpossibleTotal { total: name, column: column.name.clone(), count };
        if total <= possible {
            i128::try_from(total).map_err(|_| impossible())
        } else {
            Err(impossible())
        }
    };
    let [low, _] = column.limits();
    Ok(match aggregate {
        Aggregate::Count | Aggregate::CountOf(_) => Value::Count(count),
        _ if count == 0 => Value::Null,
        Aggregate::Sum(_) => Value::Sum(total(Component::Values, "sum")? + n * i128::from(low)),
        Aggregate::Mean(_) => {
            let sum = total(Component::Values, "sum")? + n * i128::from(low);
            Value::Real(sum as f64 / count as f64)
        }
        Aggregate::VarSamp(_) if count == 1 => Value::Null,
        Aggregate::VarPop(_) | Aggregate::VarSamp(_) => {
            let squares = total(Component::Squares, "sum of squares")?;
            let middle = i128::from(column.middle());
            let deviations = total(Component::Values, "sum")? + n * (i128::from(low) - middle);
            let scaled = n.checked_mul(squares).zip(deviations.checked_mul(deviations));
            let scaled = scaled.and_then(|(a, b)| a.checked_sub(b)).filter(|&scaled| scaled >= 0);
            let total = "sum of squares";
            let name = || column.name.clone();
            let scaled =
                scaled.ok_or_else(|| Error::ImpossibleTotal { total, column: name(), count })?;
            let sample = u64::from(matches!(aggregate, Aggregate::VarSamp(_)));
            Value::Real(scaled as f64 / count as f64 / (count - sample) as f64)
        }
    })
}

/// Refuses an object of other keys.
pub(crate) fn check_keys(
    what: &'static str,
    own: &BTreeMap<Family, String>,
    found: &BTreeMap<Family, String>,
) -> Result<(), Error> {
    if own == found {
        return Ok(());
    }
    let text = |keys: &BTreeMap<Family, String>| {
        keys.values().map(|key| key.chars().take(16).collect()).collect::<Vec<String>>().join(", ")
    };
    Err(Error::OtherKey { what, found: text(found), expected: text(own) })
}

/// Refuses a result of a table with another schema, whose sums would be taken for others.
fn check_schema(own: &str, found: &Header) -> Result<(), Error> {
    if own == found.schema {
        return Ok(());
    }
    Err(Error::malformed(WHAT, "it is the result of a table with another schema"))
}

/// Refuses a table that occurs twice.
fn check_tables(header: &Header) -> Result<(), Error> {
    let distinct: BTreeSet<_> = header.tables.iter().collect();
    if distinct.len() == header.tables.len() {
        return Ok(());
    }
    let reason = "the same table occurs twice, so that its rows would count twice; name each file \
                  once";
    Err(Error::malformed(WHAT, reason))
}

/// Adds up the numbers of selected rows in slots, and refuses more than there are: in a slot, one
/// for each block of a sum, and in all, the rows that the server counted.
fn check_count(slots: &[u64], most: u64) -> Result<u64, Error> {
    let count: u64 = slots.iter().sum();
    if count <= most && slots.iter().all(|&slot| slot <= TERMS as u64) {
        return Ok(count);
    }
    Err(Error::malformed(WHAT, format!("it selects {count} rows of {most}")))
}

/// Refuses slots that there are not, slots of two groups, and counts of other columns.
fn check_spans(part: &Part, reads: usize, block_rows: usize) -> Result<(), Error> {
    let ordered = part.spans.windows(2).all(|w| w[0].end <= w[1].start && w[0].label < w[1].label);
    let within = part.spans.iter().all(|s| {
        s.start <= s.end
            && s.end <= block_rows
            && s.counts.values.len() == reads
            && s.counts.values.iter().all(|&values| values <= s.counts.rows)
    });
    if ordered && within {
        return Ok(());
    }
    Err(Error::malformed(WHAT, "the slots or counts of its groups are not possible"))
}
