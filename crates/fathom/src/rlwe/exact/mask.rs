//! Products that keep some slots and clear the others.

use super::Scheme;
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator};
use std::ops::Range;

impl<S: Scheme> Evaluator<S> {
    /// Multiplies the slots of some ranges by one and all others by zero.
    pub(crate) fn with_slots_of(
        &self,
        a: &Ciphertext<S>,
        ranges: &[Range<usize>],
    ) -> Result<Ciphertext<S>, Error> {
        let mut mask = vec![0; self.params.degree()];
        for range in ranges {
            mask[range.clone()].fill(1);
        }
        self.mul_plain(a, &self.params.encode(&mask)?.to_multiplicand())
    }
}
