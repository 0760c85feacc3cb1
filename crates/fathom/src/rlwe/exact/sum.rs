//! Sums of slots that start at the first one.

use super::Scheme;
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};

impl<S: Scheme> Evaluator<S> {
    /// Adds up the first `count` slots, from 1 to `N` of them in the order of `Params::encode`:
    /// `decrypt(out) = sum_{i < count} decrypt(a)_i`, in every slot.
    ///
    /// A product with a plaintext clears the other slots, and [`Evaluator::sum_slots`] adds up: it
    /// needs the keys of [`Rotations::for_slot_sum`](crate::rlwe::Rotations::for_slot_sum).
    ///
    /// # Errors
    /// As [`Evaluator::sum_slots`] and [`Evaluator::mul_plain`]; [`Error::Count`] for a `count`
    /// out of range; [`Error::NoSlots`].
    pub fn sum_prefix(&self, a: &Ciphertext<S>, count: usize) -> Result<Ciphertext<S>, Error> {
        self.params.require_slots()?;
        let slots = self.params.degree();
        if count == 0 || count > slots {
            return Err(Error::Count { operation: "sum_prefix", count, limit: slots });
        }
        if count == slots {
            return self.sum_slots(a);
        }
        let mask = self.params.encode(&vec![1; count])?.to_multiplicand();
        self.sum_slots(&self.mul_plain(a, &mask)?)
    }
}
