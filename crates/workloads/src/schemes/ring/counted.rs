//! An evaluator that counts its operations.

use std::sync::{Mutex, PoisonError};

use fathom::rlwe::{Ciphertext, Evaluator};

use super::numbers::Numbers;
use crate::{Error, RingCounts, RingOperation};

/// An evaluator that counts its operations, by the level of their operands, and has threads for
/// independent parts of a circuit.
pub(crate) struct Counted<S: Numbers> {
    evaluator: Evaluator<S>,
    threads: usize,
    counts: Mutex<RingCounts>,
}

impl<S: Numbers> Counted<S> {
    /// Wraps an evaluator.
    pub(crate) fn new(evaluator: Evaluator<S>, threads: usize) -> Self {
        Self { evaluator, threads, counts: Mutex::default() }
    }

    /// Returns the evaluator, for what is not counted.
    pub(crate) fn evaluator(&self) -> &Evaluator<S> {
        &self.evaluator
    }

    /// Returns the number of operations so far, by kind and level.
    pub(crate) fn counts(&self) -> RingCounts {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts operations that the wrapped evaluator is asked for directly.
    pub(crate) fn count(&self, operation: RingOperation, level: usize, times: u64) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry((operation, level)).or_insert(0) += times;
    }

    /// Returns the common level of two operands; a higher one is switched down first.
    fn common(&self, a: &Ciphertext<S>, b: &Ciphertext<S>) -> usize {
        let (a, b) = (a.level().get(), b.level().get());
        if a != b {
            self.count(RingOperation::ModSwitch, a.max(b), 1);
        }
        a.min(b)
    }

    /// Adds two ciphertexts.
    pub(crate) fn add(&self, a: &Ciphertext<S>, b: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.count(RingOperation::Add, self.common(a, b), 1);
        Ok(self.evaluator.add(a, b)?)
    }

    /// Subtracts a ciphertext from another.
    pub(crate) fn sub(&self, a: &Ciphertext<S>, b: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.count(RingOperation::Add, self.common(a, b), 1);
        Ok(self.evaluator.sub(a, b)?)
    }

    /// Multiplies two ciphertexts, with relinearisation and the switch to the next level.
    pub(crate) fn mul(&self, a: &Ciphertext<S>, b: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.count(RingOperation::Mul, self.common(a, b), 1);
        Ok(self.evaluator.mul(a, b)?)
    }

    /// Computes the inner product of two lists of ciphertexts, with one relinearisation.
    pub(crate) fn dot(
        &self,
        a: &[Ciphertext<S>],
        b: &[Ciphertext<S>],
    ) -> Result<Ciphertext<S>, Error> {
        for (index, (a, b)) in a.iter().zip(b).enumerate() {
            let operation = if index == 0 { RingOperation::Mul } else { RingOperation::Tensor };
            self.count(operation, self.common(a, b), 1);
        }
        Ok(self.evaluator.dot(a, b)?)
    }

    /// Rotates the rows to the left.
    pub(crate) fn rotate(&self, a: &Ciphertext<S>, step: i64) -> Result<Ciphertext<S>, Error> {
        self.count(RingOperation::Rotate, a.level().get(), 1);
        Ok(self.evaluator.rotate_rows(a, step)?)
    }

    /// Swaps the two rows.
    pub(crate) fn swap_rows(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.count(RingOperation::Rotate, a.level().get(), 1);
        Ok(self.evaluator.rotate_columns(a)?)
    }

    /// Adds the rotations of a ciphertext by all sums of a subset of `steps`, as those of
    /// [`Layout::steps`](super::Layout::steps) do to add up vectors.
    pub(crate) fn sum_rotated(
        &self,
        a: &Ciphertext<S>,
        steps: &[i64],
    ) -> Result<Ciphertext<S>, Error> {
        steps.iter().try_fold(a.clone(), |sum, step| self.add(&sum, &self.rotate(&sum, *step)?))
    }

    /// Switches to a lower level.
    pub(crate) fn mod_switch_to(
        &self,
        a: &Ciphertext<S>,
        level: usize,
    ) -> Result<Ciphertext<S>, Error> {
        let switched = self.evaluator.mod_switch_to(a, level)?;
        self.count(RingOperation::ModSwitch, a.level().get(), 1);
        Ok(switched)
    }

    /// Computes `work` on every item, on the threads of this evaluator.
    ///
    /// # Errors
    /// The first error in the order of the items.
    pub(crate) fn map<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&I) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let share = items.len().div_ceil(self.threads.max(1)).max(1);
        let run = &|part: &[I]| part.iter().map(&work).collect::<Result<Vec<T>, Error>>();
        let parts: Vec<Result<Vec<T>, Error>> = std::thread::scope(|scope| {
            let mut chunks = items.chunks(share);
            let first = chunks.next();
            let others: Vec<_> = chunks.map(|part| scope.spawn(move || run(part))).collect();
            let first = first.map(run);
            let joined = others.into_iter().map(|other| match other.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            first.into_iter().chain(joined).collect()
        });
        let mut results = Vec::with_capacity(items.len());
        for part in parts {
            results.extend(part?);
        }
        Ok(results)
    }
}
