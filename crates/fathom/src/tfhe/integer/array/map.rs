//! The same operation on every element of a slice.

use crate::tfhe::ListError;
use crate::tfhe::{Error, Evaluator};

impl Evaluator {
    /// Applies an operation to every element and returns the results in order:
    /// `evaluator.map(&values, |e, x| e.lt(x, 100_u8))?`.
    ///
    /// Up to 64 operations run in step: their layers of bootstraps are merged into one batch each.
    /// This uses all threads and caches, however few bootstraps an operation has at a time. Errors
    /// are those of the first element that has one.
    ///
    /// # Errors
    /// Those of the operation; [`Error::Threads`] if the operating system gives no threads.
    pub fn map<A: Sync, B: Send>(
        &self,
        elements: &[A],
        operation: impl Fn(&Evaluator, &A) -> Result<B, Error> + Sync,
    ) -> Result<Vec<B>, Error> {
        self.in_step(elements.len(), |evaluator, index| operation(evaluator, &elements[index]))
    }

    /// Applies an operation to the elements of two slices, pair by pair; see [`Evaluator::map`]:
    /// `evaluator.zip(&a, &b, |e, x, y| e.add(x, y))?`.
    ///
    /// # Errors
    /// [`ListError::LengthMismatch`]; the errors of [`Evaluator::map`].
    pub fn zip<A: Sync, B: Sync, C: Send>(
        &self,
        left: &[A],
        right: &[B],
        operation: impl Fn(&Evaluator, &A, &B) -> Result<C, Error> + Sync,
    ) -> Result<Vec<C>, Error> {
        if left.len() != right.len() {
            return Err(ListError::LengthMismatch { left: left.len(), right: right.len() }.into());
        }
        self.in_step(left.len(), |evaluator, index| {
            operation(evaluator, &left[index], &right[index])
        })
    }
}
