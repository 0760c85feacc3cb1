//! Products that keep some slots and clear the others.

use super::Modular;
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};

impl<S: Modular> Evaluator<S> {
    /// Multiplies the slots that are to be kept by one and all others by zero.
    pub(crate) fn with_slots(
        &self,
        a: &Ciphertext<S>,
        keeps: &dyn Fn(usize) -> bool,
    ) -> Result<Ciphertext<S>, Error> {
        let mask: Vec<u64> = (0..self.params.degree()).map(|slot| u64::from(keeps(slot))).collect();
        self.mul_plain(a, &self.params.encode(&mask)?.to_multiplicand())
    }
}
