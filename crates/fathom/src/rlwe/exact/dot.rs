//! Inner products of lists of ciphertexts.

use super::{Ciphertext, Evaluator, Scheme};
use crate::Error;

impl<S: Scheme> Evaluator<S> {
    /// `decrypt(out) = sum_i decrypt(a[i]) * decrypt(b[i])`, in every slot: all tensor products in
    /// one accumulation, then one relinearisation and one switch. Where the products differ in
    /// level or factor, they are matched as in a sum.
    ///
    /// Transforms: as one [`Evaluator::multiply`], if nothing has to be matched.
    ///
    /// # Errors
    /// As [`Evaluator::multiply`]; [`Error::ListLength`] for lists of different lengths or none.
    pub fn dot(&self, a: &[Ciphertext<S>], b: &[Ciphertext<S>]) -> Result<Ciphertext<S>, Error> {
        if a.is_empty() || a.len() != b.len() {
            return Err(Error::ListLength { operation: "dot", left: a.len(), right: b.len() });
        }
        let pairs: Vec<_> = a.iter().zip(b).collect();
        let operands: Vec<_> = a.iter().chain(b).collect();
        let product = if self.alike(&pairs) {
            self.tensor_of("dot", &pairs)?
        } else {
            let products: Result<Vec<_>, _> =
                pairs.iter().map(|(a, b)| self.tensor(a, b)).collect();
            self.sum(&products?)?
        };
        self.relinearized_and_switched("dot", &product, &operands)
    }

    /// Do all products have one level and one factor?
    fn alike(&self, pairs: &[(&Ciphertext<S>, &Ciphertext<S>)]) -> bool {
        let t = self.params.plain().modulus();
        let shape = |(a, b): &(&Ciphertext<S>, &Ciphertext<S>)| {
            (a.level(), b.level(), t.mul(a.factor, b.factor))
        };
        pairs.iter().all(|pair| a_pair_is_level(pair) && shape(pair) == shape(&pairs[0]))
    }
}

fn a_pair_is_level<S: Scheme>((a, b): &(&Ciphertext<S>, &Ciphertext<S>)) -> bool {
    a.level() == b.level()
}
