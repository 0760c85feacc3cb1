//! Products of lists of ciphertexts.

use super::{Ciphertext, Evaluator, Mechanics};
use crate::Error;

impl<S: Mechanics> Evaluator<S> {
    /// Multiplies a list of at least one ciphertext, in `ceil(log2(n))` products in a row for `n`
    /// of them: pairs, then pairs of their products. One alone is returned as it is.
    ///
    /// # Errors
    /// As [`Evaluator::mul`]; [`Error::ListLength`] for an empty list.
    pub fn product(&self, all: &[Ciphertext<S>]) -> Result<Ciphertext<S>, Error> {
        if all.is_empty() {
            return Err(Error::ListLength { operation: "product", left: 0, right: 0 });
        }
        self.check_key(&all.iter().collect::<Vec<_>>())?;
        let mut factors = all.to_vec();
        while factors.len() > 1 {
            let pair = |pair: &[Ciphertext<S>]| match pair {
                [a, b] => self.mul(a, b),
                one => Ok(one[0].clone()),
            };
            factors = factors.chunks(2).map(pair).collect::<Result<_, _>>()?;
        }
        Ok(factors.remove(0))
    }
}
