//! Results of several tables, joined to one.
//!
//! Sums of the same groups are added as long as they come from 256 blocks together, for which the
//! parameters have room. So a result of many small files has one ciphertext for each group and
//! sum, as that of one file with all rows; the client adds what stays apart.

use crate::container::unhex;
use crate::layout::{Family, TERMS};
use crate::result::{Part, Total, WHAT, check_keys, check_schema, check_tables};
use crate::{EncryptedResult, Error};
use fathom::prelude::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// The groups of a part with their slots: parts that have the same can be added. Interleaved sums
/// have no place: one more row could make them wrap.
type Place<'a> = Vec<(&'a crate::Label, usize, usize)>;

impl EncryptedResult {
    /// Joins the results of one query on several tables of one key, such as the files to which rows
    /// were appended. Sums of the same groups are added, up to 256 blocks together.
    ///
    /// # Errors
    /// [`Error::Malformed`] for no result, results of different queries or schemas, or two of one
    /// table, whose rows would count twice; [`Error::OtherKey`]; [`Error::Fathom`] for a ciphertext
    /// that is none.
    pub fn join(results: Vec<EncryptedResult>) -> Result<EncryptedResult, Error> {
        // As they are sent, so that everybody who joins them gets the same bytes; but sums that are
        // interleaved afterwards stay as they are, because their lowest level has no room for that.
        let folds = results.iter().all(|result| result.folding.is_some());
        let ready = |result: EncryptedResult| if folds { result } else { result.sent() };
        let mut results = results.into_iter().map(ready);
        let mut all =
            results.next().ok_or_else(|| Error::malformed(WHAT, "there is none to join"))?;
        let evaluators = all.evaluators()?;
        for next in results {
            if next.header.query != all.header.query {
                return Err(Error::malformed(WHAT, "the queries differ"));
            }
            check_keys(WHAT, &all.header.keys, &next.header.keys)?;
            check_schema(&all.header.schema, &next.header)?;
            all.header.tables.extend(next.header.tables.iter().cloned());
            check_tables(&all.header)?;
            all.add(next, &evaluators)?;
        }
        Ok(all)
    }

    /// Makes what adds the sums of the result.
    fn evaluators(&self) -> Result<BTreeMap<Family, bfv::Evaluator>, Error> {
        let evaluator = |(family, params): (&Family, &String)| {
            let bytes = unhex(params);
            let bytes = bytes.ok_or_else(|| Error::malformed(WHAT, "its parameters are none"))?;
            let params = bfv::Params::from_bytes(&bytes)?;
            Ok((*family, bfv::Evaluator::without_keys(&params)))
        };
        self.header.params.iter().map(evaluator).collect()
    }

    /// Returns the sums of each part, if the result states their parameters.
    fn sums(&self) -> Result<Option<usize>, Error> {
        let (sums, families) = (self.header.families.len(), &self.header.families);
        if families.iter().any(|family| !self.header.params.contains_key(family)) {
            return Ok(None);
        }
        let whole = self.header.parts.len().checked_mul(sums) == Some(self.totals.len());
        match (whole, families.is_empty()) {
            (true, _) => Ok(Some(sums)),
            (false, true) => Ok(None),
            (false, false) => Err(Error::malformed(WHAT, "it has not as many ciphertexts as sums")),
        }
    }

    /// Adds another result, whose query, keys and schema are the same.
    fn add(
        &mut self,
        next: EncryptedResult,
        evaluators: &BTreeMap<Family, bfv::Evaluator>,
    ) -> Result<(), Error> {
        let (own, other) = (self.sums()?, next.sums()?);
        let same = self.header.params == next.header.params
            && self.header.families == next.header.families;
        let Some(sums) = own.filter(|_| own == other && same) else {
            self.header.parts.extend(next.header.parts);
            self.totals.extend(next.totals);
            return Ok(());
        };
        let last: HashMap<Place<'_>, usize> =
            self.header.parts.iter().enumerate().filter_map(placed).collect();
        // Of several parts with the same groups, which earlier joins kept apart, one is added: each
        // sum is made once, of two parts.
        let one: HashMap<Place<'_>, usize> =
            next.header.parts.iter().enumerate().filter_map(placed).collect();
        let fitting = |number: usize, part: &Part| {
            let (place, _) = placed((number, part))?;
            let at = *last.get(&place).filter(|_| one[&place] == number)?;
            (self.header.parts[at].blocks.saturating_add(part.blocks) <= TERMS).then_some(at)
        };
        let added = next.header.parts.par_iter().enumerate().map(|(number, part)| {
            let Some(at) = fitting(number, part) else { return Ok(None) };
            let pairs = self.totals[at * sums..][..sums].iter().zip(&next.totals[number * sums..]);
            let pairs = pairs.zip(&self.header.families);
            let pair =
                |((a, b), family): ((&Total, &Total), &Family)| total(&evaluators[family], a, b);
            Ok(match pairs.map(pair).collect::<Result<Vec<_>, Error>>() {
                // What has no room for the noise of both stays apart.
                Err(Error::Fathom(fathom::Error::NoiseExhausted { .. })) => None,
                sum => Some((at, sum?)),
            })
        });
        let added = added.collect::<Result<Vec<_>, Error>>()?;
        let mut totals = next.totals.into_iter();
        for (part, sum) in next.header.parts.into_iter().zip(added) {
            let rest = totals.by_ref().take(sums);
            let Some((at, sum)) = sum else {
                self.totals.extend(rest);
                self.header.parts.push(part);
                continue;
            };
            drop(rest.collect::<Vec<_>>());
            let own = &mut self.header.parts[at];
            own.blocks += part.blocks;
            own.spans.iter_mut().zip(&part.spans).for_each(|(a, b)| a.counts.add(&b.counts));
            self.totals.splice(at * sums..(at + 1) * sums, sum);
        }
        Ok(())
    }
}

/// Returns the place of a part with its number.
fn placed((number, part): (usize, &Part)) -> Option<(Place<'_>, usize)> {
    let spans = part.spans.iter().filter(|_| part.folded.is_none());
    let place: Place<'_> = spans.map(|span| (&span.label, span.start, span.end)).collect();
    part.folded.is_none().then_some((place, number))
}

fn total(evaluator: &bfv::Evaluator, a: &Total, b: &Total) -> Result<Total, Error> {
    let params = evaluator.params();
    Ok(Total::Computed(evaluator.add(&a.ciphertext(params)?, &b.ciphertext(params)?)?))
}
