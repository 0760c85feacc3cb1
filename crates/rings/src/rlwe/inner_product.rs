//! Inner products of lists of ciphertexts.

use super::{Ciphertext, Evaluator, Mechanics};
use crate::Error;

impl<S: Mechanics> Evaluator<S> {
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
        self.check_key(&a.iter().chain(b).collect::<Vec<_>>())?;
        let pairs: Vec<_> = a.iter().zip(b).collect();
        self.sum_of_products("dot", &pairs)
    }

    /// Computes the inner product of a stream of pairs, such as ciphertexts that are read from a
    /// file one after the other: `decrypt(out) = sum_i decrypt(a_i) * decrypt(b_i)`. No more than
    /// 16 pairs are in memory at the same time; relinearisation and switch are one for the whole
    /// sum.
    ///
    /// # Errors
    /// The first error of the stream, and those of [`Evaluator::dot`].
    pub fn dot_stream<E: From<Error>>(
        &self,
        pairs: impl IntoIterator<Item = Result<(Ciphertext<S>, Ciphertext<S>), E>>,
    ) -> Result<Ciphertext<S>, E> {
        const OPERATION: &str = "dot_stream";
        const AT_ONCE: usize = 16;
        let mut pairs = pairs.into_iter();
        let mut sum: Option<Ciphertext<S>> = None;
        loop {
            let some: Vec<_> = pairs.by_ref().take(AT_ONCE).collect::<Result<_, E>>()?;
            if some.is_empty() {
                break;
            }
            let alike: Vec<_> = some.iter().map(|(a, b)| (a, b)).collect();
            self.check_key(&some.iter().flat_map(|(a, b)| [a, b]).collect::<Vec<_>>())?;
            let part = if self.same_meta(&alike) {
                self.tensor_of(OPERATION, &alike)?
            } else {
                let products = some.iter().map(|(a, b)| self.tensor(a, b));
                self.sum(&products.collect::<Result<Vec<_>, _>>()?)?
            };
            sum = Some(match sum {
                Some(sum) => self.add(&sum, &part)?,
                None => part,
            });
        }
        let empty = Error::ListLength { operation: OPERATION, left: 0, right: 0 };
        let sum = sum.ok_or(empty)?;
        Ok(self.relinearize_and_switch(&sum)?)
    }
}
