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
    /// The operation should use the evaluator that it is given, not one that it captures, whose
    /// layers are not merged. It may wait for a lock, a channel or the operation of an earlier
    /// element: a batch waits for missing operations as long as the last one took, but at least 20
    /// ms and at most a second, and is then evaluated without them.
    ///
    /// # Errors
    /// Those of the operation.
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
