//! An evaluator that counts its operations.

use std::sync::{Arc, Mutex, PoisonError};

use fathom::rlwe::{Ciphertext, Evaluator, LinearMap, Packed};
use fathom_planner::{RingCounts, RingOperation, RingSpans};
use rayon::ThreadPool;

use super::kept::Kept;
use super::numbers::Numbers;
use super::tally::Tally;
use crate::Error;

/// An evaluator that counts its operations, by the level of their operands, and has threads for
/// independent parts of a circuit.
pub(crate) struct Counted<S: Numbers> {
    evaluator: Evaluator<S>,
    threads: usize,
    /// The threads beside the calling one; `None` for a simulation, and if there are none.
    others: Option<Arc<ThreadPool>>,
    tally: Mutex<Tally>,
    kept: Arc<Kept>,
}

impl<S: Numbers> Counted<S> {
    /// Wraps an evaluator that computes on the calling thread and those of a pool; `kept` is what
    /// earlier computations prepared.
    pub(crate) fn new(
        evaluator: Evaluator<S>,
        others: Option<Arc<ThreadPool>>,
        kept: Arc<Kept>,
    ) -> Self {
        let threads = 1 + others.as_ref().map_or(0, |others| others.current_num_threads());
        Self { evaluator, threads, others, tally: Mutex::default(), kept }
    }

    /// Wraps a simulated evaluator, whose operations are counted as those of `threads` threads.
    pub(crate) fn simulated(evaluator: Evaluator<S>, threads: usize) -> Self {
        let (tally, kept) = (Mutex::default(), Arc::default());
        Self { evaluator, threads: threads.max(1), others: None, tally, kept }
    }

    /// Returns what the computations of this server prepared.
    pub(crate) fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Returns the evaluator, whose operations are not counted.
    pub(crate) fn evaluator(&self) -> &Evaluator<S> {
        &self.evaluator
    }

    /// Returns the number of operations so far, by kind and level.
    pub(crate) fn counts(&self) -> RingCounts {
        self.tally(|tally| tally.counts.clone())
    }

    /// Returns the number of operations that follow each other, by kind and level. It holds for a
    /// simulated evaluator, whose operations are computed one by one.
    pub(crate) fn spans(&self) -> RingSpans {
        self.tally(|tally| tally.spans.clone())
    }

    /// Returns the number of parts so far that were computed on several threads.
    pub(crate) fn joins(&self) -> u64 {
        self.tally(|tally| tally.joins)
    }

    /// Counts operations that the wrapped evaluator is asked for directly.
    pub(crate) fn count(&self, operation: RingOperation, level: usize, times: u64) {
        self.tally(|tally| tally.count(operation, level, times));
    }

    fn tally<T>(&self, with: impl FnOnce(&mut Tally) -> T) -> T {
        with(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner))
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
        Ok(self.evaluator.rotate(a, step)?)
    }

    /// Adds the rows to each other.
    pub(crate) fn sum_rows(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        for _ in 1..S::ROWS {
            self.count(RingOperation::Rotate, a.level().get(), 1);
            self.count(RingOperation::Add, a.level().get(), 1);
        }
        Ok(self.evaluator.sum_rows(a)?)
    }

    /// Multiplies a vector by a public matrix.
    pub(crate) fn transform(
        &self,
        map: &LinearMap<S>,
        a: &Packed<Ciphertext<S>>,
    ) -> Result<Packed<Ciphertext<S>>, Error> {
        let [rows, columns, size] =
            [map.rows(), map.columns(), map.size()].map(|length| length as u32);
        let level = a.value().level().get();
        self.count(RingOperation::Transform { rows, columns, size }, level, 1);
        Ok(self.evaluator.transform(map, a)?)
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
    /// The calling thread takes the first share. If it slept instead, the other threads would be
    /// woken while its core still counts as busy, and two of them would often be scheduled on one
    /// core.
    ///
    /// # Errors
    /// The first error in the order of the items.
    pub(crate) fn map<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&I) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let share = items.len().div_ceil(self.threads).max(1);
        let run = |part: &[I]| part.iter().map(&work).collect::<Result<Vec<T>, Error>>();
        let outside = self.tally(|tally| tally.enter(share, items.len()));
        let parts: Vec<Result<Vec<T>, Error>> = match &self.others {
            Some(others) if share < items.len() => {
                let shares: Vec<&[I]> = items.chunks(share).collect();
                let mut parts: Vec<_> = shares.iter().map(|_| Ok(Vec::new())).collect();
                let (first, rest) = parts.split_at_mut(1);
                others.in_place_scope(|scope| {
                    for (part, items) in rest.iter_mut().zip(&shares[1..]) {
                        scope.spawn(|_| *part = run(items));
                    }
                    first[0] = run(shares[0]);
                });
                parts
            }
            _ => vec![run(items)],
        };
        self.tally(|tally| tally.leave(outside));
        let mut results = Vec::with_capacity(items.len());
        for part in parts {
            results.extend(part?);
        }
        Ok(results)
    }
}
