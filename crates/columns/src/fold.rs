//! Folding: one ciphertext for the sums of many groups.
//!
//! A sum by a mask has a ciphertext for each group, whose slots add up to what is asked for. With
//! Galois keys, a server interleaves `P` of them: of each group remain `N/P` numbers, sums of `P`
//! slots each, so that 1024 groups take one ciphertext of 4096 slots. These sums must not wrap:
//! limbs have 16 bits and the plaintext modulus 25, so that a number is the sum of at most 256
//! rows. How many rows of a group fall into each follows from public clear columns, and groups are
//! folded as far as that allows.
//!
//! The permutations that `interleave` sums over are rotations by multiples of `N/2P` within the two
//! rows of slots: slots whose places are equal modulo `N/2P` are added up.

use crate::layout::{Family, LIMB_BITS, TERMS};
use crate::result::{Counts, Folded, Part, Span, Total, WHAT};
use crate::{EncryptedResult, Error, Label, Schema};
use fathom::prelude::*;
use fathom::rlwe::KeyPlan;
use rayon::prelude::*;
use serde::Serialize;

/// The fewest numbers that remain of a group.
pub(crate) const LEAST_NUMBERS: usize = 4;
/// Residues of places in each of the two rows of slots by which the rows of a group are counted.
const RESIDUES: usize = 32;

impl Folded {
    fn new(parts: usize, spans: &[&Span]) -> Folded {
        let rows: Vec<u64> = spans.iter().map(|span| span.counts.rows).collect();
        let reads = spans.first().map_or(0, |span| span.counts.values.len());
        let column = |read: usize| {
            let own: Vec<u64> = spans.iter().map(|span| span.counts.values[read]).collect();
            if own == rows { Vec::new() } else { own }
        };
        Folded {
            parts,
            labels: spans.iter().map(|span| span.label.clone()).collect(),
            values: (0..reads).map(column).collect(),
            rows,
        }
    }

    /// Returns the label and the counts of each group.
    ///
    /// # Errors
    /// [`Error::Malformed`] for more groups than parts, parts that there are not, or counts of
    /// other columns.
    pub(crate) fn groups(
        &self,
        reads: usize,
        block_rows: usize,
    ) -> Result<Vec<(&Label, Counts)>, Error> {
        let count = self.labels.len();
        let fits = self.parts.is_power_of_two()
            && self.parts <= block_rows / LEAST_NUMBERS
            && (1..=self.parts).contains(&count)
            && self.rows.len() == count
            && self.values.len() == reads
            && self.values.iter().all(|own| own.is_empty() || own.len() == count);
        let group = |(number, label)| {
            let rows = self.rows[number];
            let value = |own: &Vec<u64>| own.get(number).copied().unwrap_or(rows);
            let values: Vec<u64> = self.values.iter().map(value).collect();
            let possible = values.iter().all(|&values| values <= rows);
            possible.then(|| (label, Counts { rows, values, ..Counts::default() }))
        };
        let groups = fits.then(|| self.labels.iter().enumerate().map(group).collect());
        let refuse =
            || Error::malformed(WHAT, "its folded groups or their counts are not possible");
        groups.flatten().ok_or_else(refuse)
    }

    /// Returns the sum of the slots of each group.
    pub(crate) fn sums(&self, message: &bfv::Plaintext) -> Result<Vec<u64>, Error> {
        let (params, coefficients) = (message.params(), message.coefficients());
        let (t, parts) = (u128::from(params.plain_modulus()), self.parts);
        let sum = |number: usize| {
            let mut own = vec![0; coefficients.len()];
            for first in (0..own.len()).step_by(parts) {
                // They are means of the permuted slots.
                let value = u128::from(coefficients[first + number]) * parts as u128 % t;
                own[first] = value as u64;
            }
            // Every number is in as many slots as it is the sum of.
            let slots = params.encode_coefficients(&own)?.slots()?;
            Ok(slots.iter().sum::<u64>() / parts as u64)
        };
        (0..self.labels.len()).into_par_iter().map(sum).collect()
    }
}

/// Returns the numbers of rows in the slots of each residue of places, from the slots of all rows.
pub(crate) fn spread(slots: impl Iterator<Item = usize>, block_rows: usize) -> Vec<u32> {
    let half = block_rows / 2;
    let mut spread = vec![0; 2 * RESIDUES];
    for slot in slots {
        spread[slot / half * RESIDUES + slot % half % RESIDUES] += 1;
    }
    spread
}

/// Returns whether counts can be such numbers of rows; none are where they are not known.
pub(crate) fn is_spread(spread: &[u32]) -> bool {
    spread.is_empty() || spread.len() == 2 * RESIDUES
}

/// Bounds the number of rows in any sum of `parts` slots.
fn most_rows(counts: &Counts, blocks: usize, parts: usize, degree: usize) -> u64 {
    let most = counts.rows.min((parts as u64).saturating_mul(blocks as u64));
    if counts.spread.len() != 2 * RESIDUES {
        return most;
    }
    // Residues of a multiple are finer, and each counts at least as many as those within it.
    let kept = (degree / 2 / parts).min(RESIDUES);
    let rows = counts.spread.chunks(RESIDUES).flat_map(|row| {
        (0..kept).map(|own| row.iter().skip(own).step_by(kept).map(|n| u64::from(*n)).sum::<u64>())
    });
    most.min(rows.max().unwrap_or(0))
}

/// The bytes of a result whose rows are grouped by clear columns with masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GroupPlan {
    /// Bytes of a ciphertext of the result, for a limb of a column: without evaluation keys, each
    /// group has one.
    pub ciphertext_bytes: usize,
    /// The most groups that share a ciphertext, with evaluation keys. Those with more rows than
    /// add up without wrapping share one with fewer.
    pub groups_a_ciphertext: usize,
    /// Bytes of the evaluation keys.
    pub key_bytes: usize,
}

/// Plans the results of sums by groups; `None` if no column has the use `filter`.
///
/// # Errors
/// [`Error::Schema`]; [`Error::Fathom`] if the library finds no parameters.
pub fn plan_groups(schema: &Schema) -> Result<Option<GroupPlan>, Error> {
    schema.check()?;
    if !schema.families().contains(&Family::Masks) {
        return Ok(None);
    }
    let params = Family::Masks.params(schema)?;
    let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let zero = secret.encrypt_at(&params.encode(&[])?, Level::ZERO, &mut rng)?;
    let sum = bfv::Evaluator::without_keys(&params).add(&zero, &zero)?;
    Ok(Some(GroupPlan {
        ciphertext_bytes: sum.byte_len(),
        groups_a_ciphertext: params.degree() / LEAST_NUMBERS,
        key_bytes: secret.keys_for(&keys_to_fold(&params), &mut rng)?.byte_len(),
    }))
}

/// Plans the keys that interleave as many sums as possible.
pub(crate) fn keys_to_fold(params: &bfv::Params) -> KeyPlan {
    let degree = params.degree();
    let rotations = Rotations::for_interleaving(degree, degree / LEAST_NUMBERS);
    KeyPlan::none().with_rotations(&rotations, degree, params.top_level())
}

/// A sum of a group that can be interleaved with others.
struct Member {
    /// The number of the group among the parts of the result.
    part: usize,
    /// The most sums with which it can be interleaved, itself included.
    most: usize,
}

impl EncryptedResult {
    /// Interleaves the sums of groups as far as the keys and the numbers of rows allow; `None` if
    /// nothing is gained.
    pub(crate) fn folded(&self) -> Option<EncryptedResult> {
        let evaluator = self.folding.as_ref()?;
        let sums = self.header.families.len();
        let is_masked = self.header.families.iter().all(|family| *family == Family::Masks);
        let whole = self.header.parts.len().checked_mul(sums) == Some(self.totals.len());
        if sums == 0 || !is_masked || !whole {
            return None;
        }
        let batches = self.batches(evaluator.params());
        let folded = batches.par_iter().map(|batch| {
            let terms = (0..sums).into_par_iter().map(|sum| {
                let own = batch.iter().map(|part| self.computed(part * sums + sum));
                let own: Option<Vec<bfv::Ciphertext>> = own.collect();
                // Keys or room for noise can be missing; then the sums stay as they are.
                evaluator.interleave(&own?).ok().map(Total::Computed)
            });
            terms.collect::<Option<Vec<_>>>()
        });
        let folded: Vec<_> = folded.collect();
        if folded.iter().all(Option::is_none) {
            return None;
        }
        let mut result =
            EncryptedResult { totals: Vec::new(), folding: None, header: self.header.clone() };
        result.header.parts.clear();
        let mut is_left = vec![true; self.header.parts.len()];
        for (batch, totals) in batches.iter().zip(folded) {
            let Some(totals) = totals else { continue };
            for &part in batch {
                is_left[part] = false;
            }
            result.header.parts.push(self.folded_part(batch));
            result.totals.extend(totals);
        }
        for (part, _) in is_left.iter().enumerate().filter(|(_, left)| **left) {
            result.header.parts.push(self.header.parts[part].clone());
            result.totals.extend_from_slice(&self.totals[part * sums..][..sums]);
        }
        Some(result)
    }

    fn computed(&self, number: usize) -> Option<bfv::Ciphertext> {
        match &self.totals[number] {
            Total::Computed(sum) => Some(sum.clone()),
            Total::Sent(_) => None,
        }
    }

    /// Divides the sums of groups among ciphertexts: those that allow the fewest beside them first,
    /// each with as many others as it allows. Every batch has two or more.
    fn batches(&self, params: &bfv::Params) -> Vec<Vec<usize>> {
        let degree = params.degree();
        let limit = (params.plain_modulus() - 1) / ((1 << LIMB_BITS) - 1);
        let member = |(part, own): (usize, &Part)| {
            let [span] = own.spans.as_slice() else { return None };
            let is_whole = own.folded.is_none() && [span.start, span.end] == [0, degree];
            let powers = (1..=(degree / LEAST_NUMBERS).ilog2()).rev().map(|power| 1 << power);
            let mut powers = powers.filter(|_| is_whole);
            let fits = |parts: &usize| most_rows(&span.counts, own.blocks, *parts, degree) <= limit;
            Some(Member { part, most: powers.find(fits)? })
        };
        let mut members: Vec<_> = self.header.parts.iter().enumerate().filter_map(member).collect();
        members.sort_by_key(|member| (member.most, member.part));
        let mut batches = Vec::new();
        let mut rest = members.as_slice();
        while let [first, _, ..] = rest {
            let (batch, after) = rest.split_at(first.most.min(rest.len()));
            batches.push(batch.iter().map(|member| member.part).collect());
            rest = after;
        }
        batches
    }

    fn folded_part(&self, batch: &[usize]) -> Part {
        let spans: Vec<&Span> =
            batch.iter().flat_map(|&part| &self.header.parts[part].spans).collect();
        let folded = Folded::new(spans.len().next_power_of_two(), &spans);
        // Nothing is added to it any more.
        Part { blocks: TERMS, spans: Vec::new(), folded: Some(folded) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DEGREE: usize = 4096;

    proptest! {
        /// The bound is at least the number of rows in every sum, and never above their number.
        #[test]
        fn no_sum_of_slots_has_more_rows_than_its_bound(
            places in prop::collection::vec((0..DEGREE, 1..4usize), 1..400),
            power in 1..=10u32,
            is_counted: bool,
        ) {
            let parts = 1usize << power;
            let slots: Vec<usize> =
                places.iter().flat_map(|&(slot, rows)| vec![slot; rows]).collect();
            let mut at_once = vec![0; DEGREE];
            for &slot in &slots {
                at_once[slot] += 1;
            }
            let blocks = at_once.iter().copied().max().unwrap_or(0);
            let rows = slots.len() as u64;
            let own = if is_counted { spread(slots.iter().copied(), DEGREE) } else { Vec::new() };
            let counts = Counts { rows, values: Vec::new(), spread: own };
            let bound = most_rows(&counts, blocks, parts, DEGREE);
            let kept = DEGREE / 2 / parts;
            let mut sums = vec![0u64; 2 * kept];
            for slot in slots {
                sums[slot / (DEGREE / 2) * kept + slot % (DEGREE / 2) % kept] += 1;
            }
            let most = sums.into_iter().max().unwrap_or(0);
            prop_assert!(most <= bound && bound <= rows);
            prop_assert!(!is_counted || kept > RESIDUES || most == bound);
        }
    }
}
