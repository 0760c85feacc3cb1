//! The sums of the rows of a block that encrypted values select.

use crate::block::Block;
use crate::layout::Component;
use crate::predicate::Rows;
use crate::query::{Read, Selecting, Term};
use crate::select::{Rehearsal, Selection, Source, encrypted};
use crate::selector::is_there;
use crate::table::limb_column;
use crate::{Error, Predicate, Schema};
use fathom::prelude::*;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The most comparisons of a predicate: each takes about as long as a block of a table.
const MOST_COMPARISONS: usize = 1024;

/// Returns the columns of a file that hold the bits of an encrypted column.
pub(crate) fn bit_columns(schema: &Schema, name: &str) -> Result<Vec<String>, Error> {
    let column = schema.find_encrypted(name).ok_or_else(|| schema.unknown(name))?;
    let bits = 0..column.limb_count(Component::Bits);
    Ok(bits.map(|bit| limb_column(name, Component::Bits, bit)).collect())
}

/// Checks that the server has the keys and the parameters for a selection, before any work: the
/// same operations run on ciphertexts without data, which have the noise of real ones.
///
/// # Errors
/// [`Error::Depth`], [`Error::MissingEvaluationKeys`]; [`Error::Unsupported`] for more comparisons
/// than a query can have.
pub(crate) fn check(
    evaluator: &bfv::Evaluator,
    schema: &Schema,
    selecting: &Selecting,
    terms: &[Term],
) -> Result<(), Error> {
    let column = selecting.columns.first().cloned().unwrap_or_default();
    let count = selecting.selector.comparison_count();
    if count > MOST_COMPARISONS {
        let reason = format!(
            "the predicate takes {count} comparisons of encrypted values, more than the \
             {MOST_COMPARISONS} of a query; ask for parts of it"
        );
        return Err(Error::Unsupported { operation: "a selection", column, reason });
    }
    match rehearse(evaluator.params(), schema, selecting, terms) {
        Err(Error::Fathom(fathom::Error::NoiseExhausted { needed_bits, left_bits, .. })) => {
            return Err(Error::Depth { needed_bits, left_bits });
        }
        other => other?,
    }
    if evaluator.keys().relinearization_key().is_some() {
        return Ok(());
    }
    Err(Error::MissingEvaluationKeys { column })
}

/// Runs a selection and its products with the selected values on simulated ciphertexts, so that a
/// circuit that is too deep is refused before any work.
fn rehearse(
    params: &bfv::Params,
    schema: &Schema,
    selecting: &Selecting,
    terms: &[Term],
) -> Result<(), Error> {
    let evaluator = bfv::Evaluator::simulated(params)?;
    let bits = selecting.columns.iter().filter_map(|name| {
        Some((name.clone(), schema.find_encrypted(name)?.limb_count(Component::Bits)))
    });
    let source = Rehearsal { evaluator: &evaluator, bits: &bits.collect::<BTreeMap<_, _>>() };
    let (selector, columns) = (&selecting.selector, &selecting.columns);
    let selection =
        lowered(&evaluator, &Selection::compute(&evaluator, &source, selector, columns)?)?;
    let level = Component::SelectedValues.level(evaluator.params());
    for term in terms {
        let mut sum = match term {
            Term::Rows => selection.clone(),
            Term::Count(_) => {
                let bits = source.bits(columns.first().map_or("", String::as_str))?;
                let there = source.clear(&Predicate::All(Vec::new()))?;
                evaluator.mul(&selection, &counted(&evaluator, &bits[0], &there)?)?
            }
            Term::Limb(..) => {
                let limb = evaluator.simulated_encryption(Encryption::SecretKey, level)?;
                evaluator.mul(&selection, &limb)?
            }
        };
        // The sum of equal ciphertexts has the greatest noise bound of all sums of as many terms.
        for _ in 0..crate::layout::TERMS.ilog2() {
            sum = evaluator.add(&sum, &sum)?;
        }
    }
    Ok(())
}

/// Returns an encryption of zeros and ones, which are public, at the level of what is selected.
/// `fresh` is a fresh ciphertext, from whose level little noise is left.
fn counted(
    evaluator: &bfv::Evaluator,
    fresh: &bfv::Ciphertext,
    slots: &[bool],
) -> Result<bfv::Ciphertext, Error> {
    lowered(evaluator, &encrypted(evaluator, fresh, slots)?)
}

/// Brings a ciphertext to the level of what is selected.
fn lowered(
    evaluator: &bfv::Evaluator,
    ciphertext: &bfv::Ciphertext,
) -> Result<bfv::Ciphertext, Error> {
    let level = Component::SelectedValues.level(evaluator.params());
    Ok(evaluator.mod_switch_to(ciphertext, level.min(ciphertext.level()))?)
}

/// The rows of a block that encrypted values select.
pub(crate) struct SelectedRows<'a> {
    evaluator: &'a bfv::Evaluator,
    source: BlockSource<'a>,
    selection: bfv::Ciphertext,
    /// A column with bits.
    column: &'a str,
}

impl<'a> SelectedRows<'a> {
    /// Computes the selection.
    pub(crate) fn compute(
        evaluator: &'a bfv::Evaluator,
        block: &'a Block<'a>,
        selecting: &'a Selecting,
    ) -> Result<SelectedRows<'a>, Error> {
        let (_, slots) = block.places()?;
        let source = BlockSource { block, slots, params: evaluator.params() };
        let (selector, columns) = (&selecting.selector, &selecting.columns);
        let selection = Selection::compute(evaluator, &source, selector, columns)?;
        let column = columns.first().map_or("", String::as_str);
        Ok(SelectedRows { evaluator, selection: lowered(evaluator, &selection)?, source, column })
    }

    /// Computes every sum of a query: in slots, one row each.
    pub(crate) fn terms(
        &self,
        terms: &[Term],
        reads: &[Read],
    ) -> Result<Vec<bfv::Ciphertext>, Error> {
        let product = |operand: &bfv::Ciphertext| self.evaluator.mul(&self.selection, operand);
        let term = |term: &Term| {
            Ok(match *term {
                Term::Rows => self.selection.clone(),
                Term::Count(number) => {
                    let there = self.source.clear(&is_there(&reads[number].column))?;
                    let bit = limb_column(self.column, Component::Bits, 0);
                    let bit = self.source.block.ciphertext(&bit, self.evaluator.params())?;
                    product(&counted(self.evaluator, &bit, &there)?)?
                }
                Term::Limb(number, component, index) => {
                    let name = limb_column(&reads[number].column, component, index);
                    product(&self.source.block.ciphertext(&name, self.evaluator.params())?)?
                }
            })
        };
        terms.par_iter().map(term).collect()
    }
}

/// A block as the source of a selection.
struct BlockSource<'a> {
    block: &'a Block<'a>,
    /// The slot of each row.
    slots: Vec<u16>,
    params: &'a bfv::Params,
}

impl Source for BlockSource<'_> {
    fn clear(&self, predicate: &Predicate) -> Result<Vec<bool>, Error> {
        let mut all = vec![false; self.params.slot_count()];
        let rows = predicate.evaluate(self.block)?;
        debug_assert_eq!(rows.len(), self.block.count());
        for (&slot, row) in self.slots.iter().zip(rows) {
            all[slot as usize] = row == Some(true);
        }
        Ok(all)
    }

    fn bits(&self, column: &str) -> Result<Vec<bfv::Ciphertext>, Error> {
        let names = bit_columns(self.block.schema(), column)?;
        names.par_iter().map(|name| self.block.ciphertext(name, self.params)).collect()
    }
}
