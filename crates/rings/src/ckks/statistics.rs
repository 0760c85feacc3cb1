//! Statistics of the first slots.

use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Selection, Slotted};

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Returns the mean of the first `count` slots, in every slot:
    /// `decrypt(out) = sum_{i < count} decrypt(a)_i / count`, one level lower.
    ///
    /// A product with a plaintext divides these slots and clears the others; the sum needs the keys
    /// of [`Rotations::for_slot_sum`](super::Rotations::for_slot_sum).
    ///
    /// # Errors
    /// As [`Evaluator::sum_prefix`].
    pub fn mean(
        &self,
        a: &Ciphertext<Ckks<M>>,
        count: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let limit = self.slots();
        if count == 0 || count > limit {
            return Err(Error::Count { operation: "mean", count, limit });
        }
        let (operation, keeps) = ("mean", &|slot| slot < count);
        let selection = Selection { operation, keeps, terms: count, factor: 1.0 / count as f64 };
        Ckks::sum_of_selected(self, a, selection)
    }

    /// Returns the variance of the first `count` slots, in every slot: the mean of their squares
    /// less the square of their mean, for real numbers. Two levels; the values should be centred
    /// roughly, because the two terms cancel.
    ///
    /// # Errors
    /// As [`Evaluator::mean`] and [`Evaluator::square`].
    pub fn variance(
        &self,
        a: &Ciphertext<Ckks<M>>,
        count: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let squares = self.mean(&self.square(a)?, count)?;
        let mean = self.square(&self.mean(a, count)?)?;
        self.sub(&squares, &mean)
    }

    /// Returns the sum of the squares of the first `count` slots, in every slot: the square of the
    /// Euclidean norm of real numbers. Two levels.
    ///
    /// # Errors
    /// As [`Evaluator::sum_prefix`] and [`Evaluator::square`].
    pub fn norm_squared(
        &self,
        a: &Ciphertext<Ckks<M>>,
        count: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.sum_prefix(&self.square(a)?, count)
    }
}
