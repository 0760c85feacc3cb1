//! The decryption of results.

use crate::answer::{Answer, AnswerRow, Value};
use crate::layout::{Component, Family, TERMS};
use crate::query::{Read, Term, reads, terms};
use crate::result::{Counts, Folded, Part, Total, WHAT, check_keys, check_schema, check_tables};
use crate::{
    Aggregate, Combination, EncryptedColumn, EncryptedResult, EncryptedType, Error, Label, Schema,
    TableKey, TimeUnit,
};
use fathom::prelude::*;
use std::collections::BTreeMap;

/// For each column that a query reads, the totals of values and squares.
type Sums = Vec<BTreeMap<Component, u128>>;

/// Decrypted totals of one group.
#[derive(Clone, Debug, Default)]
struct Totals {
    counts: Counts,
    /// The totals of values and squares, for each column that the query reads.
    sums: Sums,
}

impl Totals {
    /// Adds the totals of another part.
    fn add(&mut self, counts: &Counts, sums: Sums) {
        self.sums.resize(sums.len(), BTreeMap::new());
        self.counts.values.resize(sums.len(), 0);
        self.counts.add(counts);
        for (own, sums) in self.sums.iter_mut().zip(sums) {
            for (component, sum) in sums {
                let total = own.entry(component).or_default();
                *total = total.saturating_add(sum);
            }
        }
    }
}

/// Adds the sum of a limb to the totals of its column.
fn add_limb(sums: &mut BTreeMap<Component, u128>, component: Component, limb: u32, sum: u64) {
    let stored = if component.is_square() { Component::Squares } else { Component::Values };
    let total = sums.entry(stored).or_default();
    *total = total.saturating_add(u128::from(sum) << (limb * component.limb_bits()));
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
        if result.header.parts.len().checked_mul(terms.len()) != Some(result.totals.len()) {
            return Err(Error::malformed(WHAT, "it has not as many ciphertexts as sums"));
        }
        let mut groups: BTreeMap<Label, Totals> = BTreeMap::new();
        if query.group_by.is_empty() {
            let empty = vec![BTreeMap::new(); reads.len()];
            let counts = Counts { values: vec![0; reads.len()], ..Counts::default() };
            groups.insert(Label::Null, Totals { counts, sums: empty });
        }
        for (index, part) in result.header.parts.iter().enumerate() {
            check_spans(part, reads.len(), self.schema().block_rows())?;
            let totals = &result.totals[index * terms.len()..][..terms.len()];
            self.add_part(part, &reads, terms.iter().copied().zip(totals), &mut groups)?;
        }
        self.answer(result, &reads, groups)
    }

    /// Decrypts the ciphertexts of a sum and adds the slots of each group to its totals.
    fn add_part<'t>(
        &self,
        part: &Part,
        reads: &[Read],
        totals: impl Iterator<Item = (Term, &'t Total)>,
        groups: &mut BTreeMap<Label, Totals>,
    ) -> Result<(), Error> {
        if let Some(folded) = &part.folded {
            return self.add_folded(folded, reads, totals, groups);
        }
        let mut counts: Vec<Counts> = part.spans.iter().map(|span| span.counts.clone()).collect();
        let mut sums: Vec<Sums> = vec![vec![BTreeMap::new(); reads.len()]; part.spans.len()];
        for (term, total) in totals {
            let slots = self.slots(term, reads, total)?;
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
                        add_limb(&mut sums[number][read], component, limb, sum);
                    }
                }
            }
        }
        for ((span, counts), sums) in part.spans.iter().zip(counts).zip(sums) {
            groups.entry(span.label.clone()).or_default().add(&counts, sums);
        }
        Ok(())
    }

    /// Decrypts the ciphertexts of an interleaved sum and adds the numbers of each group to its
    /// totals.
    fn add_folded<'t>(
        &self,
        folded: &Folded,
        reads: &[Read],
        totals: impl Iterator<Item = (Term, &'t Total)>,
        groups: &mut BTreeMap<Label, Totals>,
    ) -> Result<(), Error> {
        let own = folded.groups(reads.len(), self.schema().block_rows())?;
        let mut sums: Vec<Sums> = vec![vec![BTreeMap::new(); reads.len()]; own.len()];
        for (term, total) in totals {
            let Term::Limb(read, component, limb) = term else {
                return Err(Error::malformed(WHAT, "numbers of selected rows are folded"));
            };
            let folded = folded.sums(&self.message(term, reads, total)?)?;
            for (sums, sum) in sums.iter_mut().zip(folded) {
                add_limb(&mut sums[read], component, limb, sum);
            }
        }
        for ((label, counts), sums) in own.into_iter().zip(sums) {
            groups.entry(label.clone()).or_default().add(&counts, sums);
        }
        Ok(())
    }

    /// Decrypts the slots of one sum.
    fn slots(&self, term: Term, reads: &[Read], total: &Total) -> Result<Vec<u64>, Error> {
        Ok(self.message(term, reads, total)?.slots()?)
    }

    /// Decrypts one sum.
    fn message(&self, term: Term, reads: &[Read], total: &Total) -> Result<bfv::Plaintext, Error> {
        let family = match term {
            Term::Rows | Term::Count(_) => Family::Compare,
            Term::Limb(number, ..) => reads[number].family,
        };
        let secret = self.secret(family);
        Ok(secret.decrypt(&total.ciphertext(secret.params())?)?)
    }

    fn answer(
        &self,
        result: &EncryptedResult,
        reads: &[Read],
        groups: BTreeMap<Label, Totals>,
    ) -> Result<Answer, Error> {
        let query = result.query();
        let mut rows = Vec::with_capacity(groups.len());
        for (label, totals) in groups {
            if totals.counts.rows == 0 && !query.group_by.is_empty() {
                continue;
            }
            let group = Group { schema: self.schema(), reads, totals: &totals };
            let values = query.aggregates.iter().map(|own| group.value(own));
            rows.push(AnswerRow { label, values: values.collect::<Result<_, _>>()? });
        }
        Ok(Answer {
            group_by: query.group_by.clone(),
            aggregates: query.aggregates.iter().map(ToString::to_string).collect(),
            tables: result.header.tables.clone(),
            rows,
        })
    }
}

/// The decrypted totals of a group, of which its aggregates are computed.
struct Group<'a> {
    schema: &'a Schema,
    reads: &'a [Read],
    totals: &'a Totals,
}

impl Group<'_> {
    /// Computes an aggregate.
    fn value(&self, aggregate: &Aggregate) -> Result<Value, Error> {
        Ok(match aggregate {
            Aggregate::Count => Value::Count(self.totals.counts.rows),
            Aggregate::CountOf(name) => Value::Count(self.count(name)),
            Aggregate::Sum(name) => match self.count(name) {
                0 => Value::Null,
                _ => exact(self.sum(name)?, self.column(name).kind.scale()),
            },
            Aggregate::Mean(name) => match self.count(name) {
                0 => Value::Null,
                count => mean(self.sum(name)?, count, self.column(name).kind),
            },
            Aggregate::VarPop(name) => self.variance(name, 0)?,
            Aggregate::VarSamp(name) => self.variance(name, 1)?,
            Aggregate::StddevPop(name) => root(self.variance(name, 0)?),
            Aggregate::StddevSamp(name) => root(self.variance(name, 1)?),
            Aggregate::SumOf(own) => match self.combined(own)? {
                None => Value::Null,
                Some((units, scale, _)) => exact(units, scale),
            },
            Aggregate::MeanOf(own) => match self.combined(own)? {
                None => Value::Null,
                Some((units, scale, count)) => real(units, count, scale),
            },
        })
    }

    fn number(&self, name: &str) -> usize {
        let number = self.reads.iter().position(|read| read.column == name);
        number.expect("every aggregate has its columns read")
    }

    fn column(&self, name: &str) -> &EncryptedColumn {
        self.schema.find_encrypted(name).expect("reads are of the schema")
    }

    fn count(&self, name: &str) -> u64 {
        self.totals.counts.values[self.number(name)]
    }

    /// Returns the total of a component. Refuses one that the counted values, each within the
    /// declared range, cannot have.
    fn total(&self, name: &str, component: Component) -> Result<i128, Error> {
        let (column, count) = (self.column(name), self.count(name));
        let total = self.totals.sums[self.number(name)].get(&component).copied().unwrap_or(0);
        let possible = u128::from(count) * u128::from(column.greatest(component));
        let total = i128::try_from(total).ok().filter(|_| total <= possible);
        total.ok_or_else(|| {
            let total = if component.is_square() { "sum of squares" } else { "sum" };
            Error::ImpossibleTotal { total, column: name.to_owned(), count }
        })
    }

    /// Returns the sum of a column.
    fn sum(&self, name: &str) -> Result<i128, Error> {
        let [low, _] = self.column(name).limits();
        let total = self.total(name, Component::Values)?;
        Ok(total + i128::from(self.count(name)) * i128::from(low))
    }

    /// Computes the variance of a column, with a divisor that is less than the count by `less`.
    fn variance(&self, name: &str, less: u64) -> Result<Value, Error> {
        let (column, count) = (self.column(name), self.count(name));
        if count <= less {
            return Ok(Value::Null);
        }
        let n = i128::from(count);
        let squares = self.total(name, Component::Squares)?;
        let deviations = self.sum(name)? - n * i128::from(column.middle());
        let scaled = n.checked_mul(squares).zip(deviations.checked_mul(deviations));
        let scaled = scaled.and_then(|(a, b)| a.checked_sub(b)).filter(|&scaled| scaled >= 0);
        let total = "sum of squares";
        let scaled = scaled.ok_or_else(|| Error::ImpossibleTotal {
            total,
            column: name.to_owned(),
            count,
        })?;
        let variance = scaled as f64 / count as f64 / (count - less) as f64;
        Ok(Value::Real(variance / 10f64.powi(2 * column.kind.scale() as i32)))
    }

    /// Returns the sum of a combination in units of the finest of its columns, the digits of which
    /// follow the point, and the number of rows; `None` for no rows.
    fn combined(&self, own: &Combination) -> Result<Option<(i128, u32, u64)>, Error> {
        let refuse = |reason: &str| Error::malformed(WHAT, reason);
        let scales = own.factors.keys().map(|name| self.column(name).kind.scale());
        let scale = scales.max().unwrap_or(0);
        let counts: Vec<u64> = own.factors.keys().map(|name| self.count(name)).collect();
        let count = counts.first().copied().unwrap_or(0);
        if counts.iter().any(|own| *own != count) {
            return Err(refuse("the columns of a combination have different numbers of values"));
        }
        if count == 0 {
            return Ok(None);
        }
        let one = |scale: u32| 10i128.pow(scale);
        let constant = i128::from(own.constant) * one(scale);
        let mut all = constant.checked_mul(count.into());
        for (name, factor) in &own.factors {
            let factor = i128::from(*factor) * one(scale - self.column(name).kind.scale());
            let term = self.sum(name)?.checked_mul(factor);
            all = all.zip(term).and_then(|(all, term)| all.checked_add(term));
        }
        let all = all.ok_or_else(|| refuse("the sum of a combination exceeds 128 bits"))?;
        Ok(Some((all, scale, count)))
    }
}

fn exact(units: i128, scale: u32) -> Value {
    if scale == 0 { Value::Sum(units) } else { Value::Decimal { units, scale } }
}

fn real(units: i128, count: u64, scale: u32) -> Value {
    Value::Real(units as f64 / count as f64 / 10f64.powi(scale as i32))
}

fn root(variance: Value) -> Value {
    if let Value::Real(variance) = variance { Value::Real(variance.sqrt()) } else { variance }
}

/// Computes the mean of a column from its sum: a time, to the nearest unit, for points in time.
fn mean(sum: i128, count: u64, kind: EncryptedType) -> Value {
    let (per_unit, unit) = match kind {
        EncryptedType::Int(_) | EncryptedType::Decimal { .. } => {
            return real(sum, count, kind.scale());
        }
        EncryptedType::Date => (86_400, TimeUnit::Second),
        EncryptedType::Timestamp(unit) => (1, unit),
    };
    let (twice, divisor) = (2 * sum * per_unit + i128::from(count), 2 * i128::from(count));
    // A mean is between the least and the greatest value.
    Value::Time { count: twice.div_euclid(divisor) as i64, unit }
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
    let is_one = part.folded.is_none() || part.spans.is_empty();
    let within = part.spans.iter().all(|s| {
        s.start <= s.end
            && s.end <= block_rows
            && s.counts.values.len() == reads
            && s.counts.values.iter().all(|&values| values <= s.counts.rows)
    });
    if ordered && within && is_one {
        return Ok(());
    }
    Err(Error::malformed(WHAT, "the slots or counts of its groups are not possible"))
}
