//! Conjugation of slots.

use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};

impl<M: Mode> Evaluator<Ckks<M>> {
    /// The complex conjugates of all slots. Needs the key that [`RowSwap::With`](super::RowSwap)
    /// asks for; noise as that of a rotation.
    ///
    /// # Errors
    /// As [`Evaluator::rotate_rows`].
    pub fn conjugate(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.rotate_columns(a)
    }

    /// The real parts of all slots, times two: the sum with the conjugate. Takes no level.
    ///
    /// # Errors
    /// As [`Evaluator::conjugate`].
    pub fn twice_real_part(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.add(a, &self.conjugate(a)?)
    }
}
