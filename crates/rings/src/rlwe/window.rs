//! Parts of the slots: sums, copies and rotations of short vectors.

use super::{Bounds, Ciphertext, Evaluator, Facts, Noise, Selection, Slotted};
use crate::Error;
use std::ops::Range;

impl<S: Slotted> Evaluator<S> {
    /// Adds up the first `count` slots, from 1 to all of them in the order of `Params::encode`:
    /// `decrypt(out) = sum_{i < count} decrypt(a)_i`, in every slot.
    ///
    /// A product with a plaintext clears the other slots, which takes one level in CKKS, and
    /// [`Evaluator::sum_slots`] adds up: it needs the keys of
    /// [`Rotations::for_slot_sum`](super::Rotations::for_slot_sum).
    ///
    /// # Errors
    /// As [`Evaluator::sum_slots`] and `mul_plain`; [`Error::Count`] for a `count` out of range;
    /// [`Error::NoSlots`].
    pub fn sum_prefix(&self, a: &Ciphertext<S>, count: usize) -> Result<Ciphertext<S>, Error> {
        S::check_slots(&self.params)?;
        let limit = self.slots();
        if count == 0 || count > limit {
            return Err(Error::Count { operation: "sum_prefix", count, limit });
        }
        if count == limit {
            return self.sum_slots(a);
        }
        let (operation, keeps) = ("sum_prefix", &|slot| slot < count);
        S::sum_of_selected(self, a, Selection { operation, keeps, terms: count, factor: 1.0 })
    }

    /// Copies one slot to every slot: `decrypt(out) = decrypt(a)_slot`. As
    /// [`Evaluator::sum_prefix`], with one slot instead of the first ones.
    ///
    /// # Errors
    /// As [`Evaluator::sum_prefix`]; [`Error::Shape`] for a slot that does not exist.
    pub fn replicate(&self, a: &Ciphertext<S>, slot: usize) -> Result<Ciphertext<S>, Error> {
        S::check_slots(&self.params)?;
        let limit = self.slots() - 1;
        if slot > limit {
            let (wanted, got) = (format!("a slot from 0 to {limit}"), slot.to_string());
            return Err(Error::Shape { operation: "replicate", wanted, got });
        }
        let (operation, keeps) = ("replicate", &|other| other == slot);
        S::sum_of_selected(self, a, Selection { operation, keeps, terms: 1, factor: 1.0 })
    }

    /// Rotates a vector in the first `length` slots of each row to the left:
    /// `decrypt(out)_i = decrypt(a)_((i + steps) mod length)` for `i < length`, and 0 in the other
    /// slots of the row. The slots of `a` beyond the vector may hold anything.
    ///
    /// Two products with plaintexts, which take one level in CKKS, and the rotations by `steps` and
    /// `steps - length`, with `steps` modulo `length`.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`] and `mul_plain`; [`Error::Shape`] for a length that is not
    /// from 1 to that of a row.
    pub fn rotate_prefix(
        &self,
        a: &Ciphertext<S>,
        length: usize,
        steps: i64,
    ) -> Result<Ciphertext<S>, Error> {
        self.check_length("rotate_prefix", length)?;
        let steps = steps.rem_euclid(length as i64);
        let first = self.shifted(a, steps as usize..length, steps)?;
        if steps == 0 {
            return Ok(first);
        }
        let sum = self.add(&first, &self.shifted(a, 0..steps as usize, steps - length as i64)?)?;
        if length == self.slots() / S::ROWS {
            return Ok(sum);
        }
        Ok(Ciphertext { facts: sum.facts.selected(), ..sum })
    }

    /// Shifts a vector in the first `length` slots of each row to the left, or to the right for
    /// negative `steps`, and fills up with zeros: `decrypt(out)_i = decrypt(a)_(i + steps)` where
    /// both are below `length`, and 0 in the other slots of the row.
    ///
    /// One product with a plaintext and one rotation.
    ///
    /// # Errors
    /// As [`Evaluator::rotate_prefix`].
    pub fn shift_prefix(
        &self,
        a: &Ciphertext<S>,
        length: usize,
        steps: i64,
    ) -> Result<Ciphertext<S>, Error> {
        self.check_length("shift_prefix", length)?;
        let far = steps.unsigned_abs().min(length as u64) as usize;
        let kept = if steps < 0 { 0..length - far } else { far..length };
        self.shifted(a, kept, if far == length { 0 } else { steps })
    }

    /// Keeps these slots of every row, and rotates to the left.
    fn shifted(
        &self,
        a: &Ciphertext<S>,
        kept: Range<usize>,
        steps: i64,
    ) -> Result<Ciphertext<S>, Error> {
        let row = self.slots() / S::ROWS;
        let selected = S::selected(self, a, &|slot| kept.contains(&(slot % row)), 1.0)?;
        self.rotate(&selected, steps)
    }

    fn check_length(&self, operation: &'static str, length: usize) -> Result<(), Error> {
        S::check_slots(&self.params)?;
        let limit = self.slots() / S::ROWS;
        if (1..=limit).contains(&length) {
            return Ok(());
        }
        let (wanted, got) = (format!("a length from 1 to {limit}"), length.to_string());
        Err(Error::Shape { operation, wanted, got })
    }

    /// Returns the number of slots in all rows.
    pub(crate) fn slots(&self) -> usize {
        self.params.degree() / 2 * S::ROWS
    }
}

impl Noise {
    /// Bounds the phase of a message that is at most `bound` at every root of `X^N + 1`.
    pub(crate) fn with_message_within(self, bound: f64) -> Noise {
        let Bounds { coefficient, euclidean, root } = self.message;
        let message = Bounds {
            coefficient: coefficient.min(bound),
            euclidean: euclidean.min(bound),
            root: root.min(bound),
        };
        Noise { message, ..self }
    }
}
