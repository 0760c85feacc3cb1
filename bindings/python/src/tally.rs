//! The operations of a simulated evaluator: what a prediction multiplies by unit costs.

use fathom_planner::{RingCounts, RingOperation, RingSpans};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Counts operations by their kind, by the level of their operands, and by how many of them are
/// computed at once, on the ciphertexts of one vector.
#[derive(Default)]
pub struct Tally {
    calls: Mutex<BTreeMap<(RingOperation, usize, usize), u64>>,
}

impl Tally {
    /// Counts an operation on so many ciphertexts, which threads share.
    pub fn at_once(&self, operation: RingOperation, level: usize, ciphertexts: usize) {
        self.count(operation, level, ciphertexts, 1);
    }

    /// Counts operations that wait for each other.
    pub fn in_a_row(&self, operation: RingOperation, level: usize, times: usize) {
        self.count(operation, level, 1, times as u64);
    }

    fn count(&self, operation: RingOperation, level: usize, at_once: usize, calls: u64) {
        if calls > 0 {
            let mut all = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
            *all.entry((operation, level, at_once)).or_insert(0) += calls;
        }
    }

    /// Counts the products of a polynomial: about as many as give every power of two, and every
    /// part above one.
    pub fn polynomial(&self, level: usize, ciphertexts: usize, degree: usize) {
        let steps = usize::BITS as usize - degree.leading_zeros() as usize;
        for step in 0..steps {
            let parts = (1 << (steps - step).saturating_sub(2)) >> 1;
            let level = level.saturating_sub(step);
            self.at_once(RingOperation::Mul, level, ciphertexts * (1 + parts));
        }
    }

    /// Counts an inverse square root: two products with a number, and three products in each step
    /// of Newton's iteration but the first.
    pub fn inverse_sqrt(&self, level: usize, ciphertexts: usize, iterations: usize) {
        self.at_once(RingOperation::MulScalar, level, 2 * ciphertexts);
        for step in 1..iterations {
            let level = (level + 1).saturating_sub(2 * step);
            self.at_once(RingOperation::Mul, level, 3 * ciphertexts);
        }
    }

    /// Counts the sum of this many slots of a ciphertext.
    pub fn sum_slots(&self, level: usize, slots: usize) {
        let steps = slots.max(1).ilog2() as usize;
        self.in_a_row(RingOperation::Rotate, level, steps);
        self.in_a_row(RingOperation::Add, level, steps);
    }

    /// Counts a rotation, which is composed of those by powers of two and their negatives.
    pub fn rotation(&self, level: usize, steps: i64) {
        let composed = (steps ^ (3 * steps)).count_ones();
        self.in_a_row(RingOperation::Rotate, level, composed as usize);
    }

    /// Returns the numbers of operations, and those on the critical path of so many threads.
    pub fn work(&self, threads: usize) -> (RingCounts, RingSpans) {
        let (mut counts, mut spans) = (RingCounts::new(), RingSpans::new());
        let all = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for (&(operation, level, at_once), &calls) in &*all {
            let key = (operation, level);
            *counts.entry(key).or_insert(0) += at_once as u64 * calls;
            *spans.entry(key).or_insert(0.0) += (at_once.div_ceil(threads) as u64 * calls) as f64;
        }
        (counts, spans)
    }
}
