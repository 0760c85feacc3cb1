//! Conjugation of slots.

use super::facts::{Padding, SlotFacts};
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Facts};
use fathom_ring::row_swap_exponent;

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Conjugates all slots. The key is that of [`RowSwap::With`](super::RowSwap), and the noise
    /// grows as in a rotation.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`].
    pub fn conjugate(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        let exponent = row_swap_exponent(self.params().degree());
        let conjugated = self.permuted(a, exponent, format_args!("conjugation"))?;
        Ok(Ciphertext { facts: a.facts.conjugated(), ..conjugated })
    }

    /// Computes twice the real parts of all slots, as the sum with the conjugate. Takes no level.
    ///
    /// # Errors
    /// As [`Evaluator::conjugate`].
    pub fn twice_real_part(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        let twice = self.add(a, &self.conjugate(a)?)?;
        let real = |p: Padding| Padding {
            center: (2.0 * p.center.re).into(),
            radius: 2.0 * p.radius,
            ..p
        };
        let facts = SlotFacts { complex: false, padding: a.facts.padding.map(real), ..a.facts };
        Ok(Ciphertext { facts, ..twice })
    }
}
