//! Inner products of lists of ciphertexts.

use super::{Ciphertext, Evaluator, Scheme};
use crate::Error;

impl<S: Scheme> Evaluator<S> {
    /// `decrypt(out) = sum_i decrypt(a[i]) * decrypt(b[i])`, in every slot: all tensor products are
    /// accumulated, then relinearised and switched once. Where the products differ in level or
    /// metadata, they are aligned as in a sum.
    ///
    /// Transforms: as one [`Evaluator::mul`], if nothing has to be matched.
    ///
    /// # Errors
    /// As [`Evaluator::mul`]; [`Error::ListLength`] for lists of different lengths or none.
    pub fn dot(&self, a: &[Ciphertext<S>], b: &[Ciphertext<S>]) -> Result<Ciphertext<S>, Error> {
        if a.is_empty() || a.len() != b.len() {
            return Err(Error::ListLength { operation: "dot", left: a.len(), right: b.len() });
        }
        let pairs: Vec<_> = a.iter().zip(b).collect();
        let operands: Vec<_> = a.iter().chain(b).collect();
        self.own(&operands)?;
        let product = if self.alike(&pairs) {
            self.tensor_of("dot", &pairs)?
        } else {
            let products: Result<Vec<_>, _> =
                pairs.iter().map(|(a, b)| self.tensor(a, b)).collect();
            self.sum(&products?)?
        };
        self.relinearized_and_switched("dot", &product, &operands)
    }

    /// Returns whether all operands have one level and all products the same metadata.
    fn alike(&self, pairs: &[(&Ciphertext<S>, &Ciphertext<S>)]) -> bool {
        let level = pairs[0].0.level();
        let meta =
            |(a, b): &(&Ciphertext<S>, &Ciphertext<S>)| S::multiplied(&self.params, a.meta, b.meta);
        let leveled =
            |(a, b): &(&Ciphertext<S>, &Ciphertext<S>)| a.level() == level && b.level() == level;
        pairs.iter().all(|pair| leveled(pair) && meta(pair) == meta(&pairs[0]))
    }
}
