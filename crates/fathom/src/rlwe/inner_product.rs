//! Inner products of lists of ciphertexts.

use super::{Ciphertext, Evaluator, Scheme};
use crate::Error;

impl<S: Scheme> Evaluator<S> {
    /// Computes the inner product of two lists:
    /// `decrypt(out) = sum_i decrypt(a[i]) * decrypt(b[i])`, in every slot. All tensor products are
    /// accumulated, then relinearised and switched once. Products that differ in level or metadata
    /// are aligned as in a sum.
    ///
    /// Transforms: as one [`Evaluator::mul`], if nothing has to be matched.
    ///
    /// # Errors
    /// As [`Evaluator::mul`]; [`Error::ListLength`] for lists of different lengths or none;
    /// [`Error::Transparent`] if the products cancel and there is no encryption of zero.
    pub fn dot(&self, a: &[Ciphertext<S>], b: &[Ciphertext<S>]) -> Result<Ciphertext<S>, Error> {
        if a.is_empty() || a.len() != b.len() {
            return Err(Error::ListLength { operation: "dot", left: a.len(), right: b.len() });
        }
        self.own(&a.iter().chain(b).collect::<Vec<_>>())?;
        let pairs: Vec<_> = a.iter().zip(b).collect();
        S::sum_of_products(self, "dot", &pairs)
    }
}
