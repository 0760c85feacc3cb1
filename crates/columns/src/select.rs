//! The selection of rows by encrypted predicates, and the products with what is selected.
//!
//! A selection is a ciphertext of zeros and ones in slots. Clear parts of a conjunction become a
//! mask on one of its encrypted parts, so that they take no product; those of a disjunction are
//! added, and mask all encrypted parts. Rows without a value are stored as the least value: sets
//! that contain it add the clear list of the values that are there.

use crate::compare::{Integer, Mask, equal_of_two, greater_of_two, product};
use crate::intervals::{Intervals, TermKind};
use crate::selector::{Relation, Selector, is_there};
use crate::{Error, Predicate};
use fathom::prelude::*;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The parts of a block that a selection reads.
pub(crate) trait Source: Sync {
    /// Returns for every slot whether it has a row for which a clear predicate is true.
    fn clear(&self, predicate: &Predicate) -> Result<Vec<bool>, Error>;
    /// Returns the bits of an encrypted column, from the lowest.
    fn bits(&self, column: &str) -> Result<Vec<bfv::Ciphertext>, Error>;
}

/// Selects rows of one block.
pub(crate) struct Selection<'a, S> {
    evaluator: &'a bfv::Evaluator,
    source: &'a S,
    columns: BTreeMap<&'a str, Integer<'a>>,
}

impl<'a, S: Source> Selection<'a, S> {
    /// Computes 1 in the slots of the rows that a selector selects, of `columns`: those that the
    /// predicate names, of which there is at least one.
    pub(crate) fn compute(
        evaluator: &'a bfv::Evaluator,
        source: &'a S,
        selector: &Selector,
        columns: &'a [String],
    ) -> Result<bfv::Ciphertext, Error> {
        let digits = columns
            .par_iter()
            .map(|name| Ok((name.as_str(), Integer::new(evaluator, source.bits(name)?)?)));
        let columns = digits.collect::<Result<_, Error>>()?;
        Selection { evaluator, source, columns }.selected(selector, None)
    }

    /// Computes 1 where a selector and a mask are.
    fn selected(
        &self,
        selector: &Selector,
        mask: Option<&[bool]>,
    ) -> Result<bfv::Ciphertext, Error> {
        match selector {
            Selector::Clear(predicate) => {
                let bit = self.columns.values().next().map(Integer::lowest_bit);
                let bit = bit.ok_or_else(|| Error::malformed("a predicate", "it has no column"))?;
                let slots = within(self.source.clear(predicate)?, mask);
                encrypted(self.evaluator, bit, &slots)
            }
            Selector::Within { column, set } => self.within(column, set, mask),
            Selector::Pair { left, relation, right } => self.pair([left, right], *relation, mask),
            Selector::All(parts) => self.all(parts, mask),
            Selector::Any(parts) => self.any(parts, mask),
        }
    }

    fn mask(&self, slots: Option<&[bool]>) -> Result<Option<Mask>, Error> {
        slots.map(|slots| Mask::new(self.evaluator.params(), slots)).transpose()
    }

    fn integer(&self, column: &str) -> Result<&Integer<'a>, Error> {
        let found = self.columns.get(column);
        found.ok_or_else(|| Error::malformed("a predicate", "a column of it was not read"))
    }

    /// Computes 1 where the value of a column belongs to a set.
    fn within(
        &self,
        column: &str,
        set: &Intervals,
        slots: Option<&[bool]>,
    ) -> Result<bfv::Ciphertext, Error> {
        let mask = self.mask(slots)?;
        let integer = self.integer(column)?;
        let masked = mask.as_ref().map(|mask| integer.masked(mask)).transpose()?;
        // Steps and points with signs add up to the set, so that no product joins its intervals.
        let terms = set.terms();
        let terms = terms.par_iter().map(|term| {
            let one = match term.kind {
                TermKind::AtLeast(number) => integer.at_least(number, masked.as_ref())?,
                TermKind::Equal(number) => integer.equal(number, masked.as_ref())?,
            };
            Ok(if term.is_added { one } else { self.evaluator.neg(&one)? })
        });
        let sum = self.evaluator.sum(&terms.collect::<Result<Vec<_>, Error>>()?)?;
        // The terms vanish at 0. A set with 0 adds the missing one in the clear, only in rows that
        // have a value: those without one are stored as 0 too, and no comparison is true for them.
        if !set.has_zero() {
            return Ok(sum);
        }
        self.plus(&sum, &within(self.source.clear(&is_there(column))?, slots))
    }

    /// Adds ones in slots.
    fn plus(&self, sum: &bfv::Ciphertext, slots: &[bool]) -> Result<bfv::Ciphertext, Error> {
        let slots: Vec<u64> = slots.iter().map(|&one| u64::from(one)).collect();
        Ok(self.evaluator.add_plain(sum, &self.evaluator.params().encode(&slots)?)?)
    }

    /// Computes 1 where the values of two columns are there and in a relation.
    fn pair(
        &self,
        columns: [&String; 2],
        relation: Relation,
        slots: Option<&[bool]>,
    ) -> Result<bfv::Ciphertext, Error> {
        let both = Predicate::All(columns.map(|column| is_there(column)).into());
        let slots = within(self.source.clear(&both)?, slots);
        let mask = Mask::new(self.evaluator.params(), &slots)?;
        let pair = [self.integer(columns[0])?, self.integer(columns[1])?];
        // A relation with nothing is unknown, so that its negation is the rows in which both
        // columns have values less those in which the relation holds, not one less them.
        let holds = match relation {
            Relation::Greater | Relation::NotGreater => {
                greater_of_two(self.evaluator, pair, &mask)?
            }
            Relation::Equal | Relation::NotEqual => equal_of_two(self.evaluator, pair, &mask)?,
        };
        match relation {
            Relation::Greater | Relation::Equal => Ok(holds),
            Relation::NotGreater | Relation::NotEqual => {
                self.plus(&self.evaluator.neg(&holds)?, &slots)
            }
        }
    }

    /// Computes 1 where all parts are.
    fn all(&self, parts: &[Selector], mask: Option<&[bool]>) -> Result<bfv::Ciphertext, Error> {
        let (clear, others) = self.separated(parts)?;
        let mask = match (clear, mask) {
            (Some(clear), mask) => Some(within(clear, mask)),
            (None, mask) => mask.map(<[bool]>::to_vec),
        };
        let factors = others.par_iter().enumerate().map(|(number, part)| {
            // One masked factor masks the product.
            self.selected(part, mask.as_deref().filter(|_| number == 0))
        });
        product(self.evaluator, factors.collect::<Result<_, _>>()?)
    }

    /// Computes 1 where any part is: `a + b - a b` for two.
    fn any(&self, parts: &[Selector], mask: Option<&[bool]>) -> Result<bfv::Ciphertext, Error> {
        let (clear, others) = self.separated(parts)?;
        let clear = clear.map(|clear| within(clear, mask));
        // Rows that the clear part selects need no other part. With those masked out of the others,
        // the clear ones are added at the end, without a product.
        let rest = match (&clear, mask) {
            (None, mask) => mask.map(<[bool]>::to_vec),
            (Some(clear), None) => Some(clear.iter().map(|one| !one).collect()),
            (Some(clear), Some(mask)) => {
                Some(mask.iter().zip(clear).map(|(&mask, &clear)| mask && !clear).collect())
            }
        };
        let terms = others.par_iter().map(|part| self.selected(part, rest.as_deref()));
        let mut terms: Vec<_> = terms.collect::<Result<_, _>>()?;
        while terms.len() > 1 {
            let pairs = terms.par_chunks(2).map(|pair| match pair {
                [a, b] => {
                    let both = self.evaluator.mul(a, b)?;
                    Ok(self.evaluator.sub(&self.evaluator.add(a, b)?, &both)?)
                }
                one => Ok(one[0].clone()),
            });
            terms = pairs.collect::<Result<_, Error>>()?;
        }
        let sum = terms.pop().ok_or_else(|| Error::malformed("a predicate", "it has no parts"))?;
        clear.map_or(Ok(sum.clone()), |clear| self.plus(&sum, &clear))
    }

    /// Separates the clear part, evaluated, from the others.
    fn separated<'p>(&self, parts: &'p [Selector]) -> Result<Separated<'p>, Error> {
        let mut clear = None;
        let mut others = Vec::new();
        for part in parts {
            match part {
                Selector::Clear(predicate) => clear = Some(self.source.clear(predicate)?),
                Selector::Within { .. }
                | Selector::Pair { .. }
                | Selector::All(_)
                | Selector::Any(_) => others.push(part),
            }
        }
        Ok((clear, others))
    }
}

/// The slots of the clear part, if there is one, and the other parts.
type Separated<'p> = (Option<Vec<bool>>, Vec<&'p Selector>);

/// Returns the slots that are in a mask too.
fn within(mut slots: Vec<bool>, mask: Option<&[bool]>) -> Vec<bool> {
    if let Some(mask) = mask {
        slots.iter_mut().zip(mask).for_each(|(slot, mask)| *slot &= mask);
    }
    slots
}

/// Returns an encryption of zeros and ones, which are public, at the level of another ciphertext.
/// The encryption of zero among the evaluation keys masks it.
pub(crate) fn encrypted(
    evaluator: &bfv::Evaluator,
    like: &bfv::Ciphertext,
    slots: &[bool],
) -> Result<bfv::Ciphertext, Error> {
    let slots: Vec<u64> = slots.iter().map(|&one| u64::from(one)).collect();
    let zero = evaluator.sub(like, like)?;
    Ok(evaluator.add_plain(&zero, &evaluator.params().encode(&slots)?)?)
}

/// A block that exists in a rehearsal only: the same operations run on ciphertexts without data,
/// with the noise of real ones, so that a predicate that is too deep is refused before any work.
pub(crate) struct Rehearsal<'a> {
    pub(crate) evaluator: &'a bfv::Evaluator,
    /// Bits of each column.
    pub(crate) bits: &'a BTreeMap<String, u32>,
}

impl Source for Rehearsal<'_> {
    fn clear(&self, _: &Predicate) -> Result<Vec<bool>, Error> {
        // A pattern without structure, whose polynomial is as large as those of most masks.
        let slots = self.evaluator.params().slot_count() as u64;
        let mixed = |slot: u64| (slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) & 1 == 1;
        Ok((0..slots).map(mixed).collect())
    }

    fn bits(&self, column: &str) -> Result<Vec<bfv::Ciphertext>, Error> {
        let top = self.evaluator.params().top_level();
        let bit = |_| {
            let fresh = self.evaluator.simulated_encryption(Encryption::PublicKey, top)?;
            Ok(fresh)
        };
        (0..self.bits.get(column).copied().unwrap_or(1)).map(bit).collect()
    }
}
