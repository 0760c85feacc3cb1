//! Conjugation of slots.

use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Conjugates all slots. The key is that of [`RowSwap::With`](super::RowSwap), and the noise
    /// grows as in a rotation.
    ///
    /// # Errors
    /// As [`Evaluator::rotate_rows`].
    pub fn conjugate(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.rotate_columns(a)
    }

    /// Computes twice the real parts of all slots, as the sum with the conjugate. Takes no level.
    ///
    /// # Errors
    /// As [`Evaluator::conjugate`].
    pub fn twice_real_part(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.add(a, &self.conjugate(a)?)
    }
}
