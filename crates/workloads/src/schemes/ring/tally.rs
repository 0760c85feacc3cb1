//! The numbers of operations of a circuit.

use fathom_planner::{RingCounts, RingOperation, RingSpans};

/// Numbers of operations by kind and level.
pub(super) struct Tally {
    pub(super) counts: RingCounts,
    pub(super) spans: RingSpans,
    /// Number of parts that were computed on several threads.
    pub(super) joins: u64,
    /// The part of an operation that adds to the time: less than 1 in a part of the circuit that is
    /// computed on several threads.
    share: f64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { counts: RingCounts::new(), spans: RingSpans::new(), joins: 0, share: 1.0 }
    }
}

impl Tally {
    /// Counts operations.
    pub(super) fn count(&mut self, operation: RingOperation, level: usize, times: u64) {
        *self.counts.entry((operation, level)).or_insert(0) += times;
        *self.spans.entry((operation, level)).or_insert(0.0) += times as f64 * self.share;
    }

    /// Enters a part of `items` items of which the first thread computes `most`, and returns the
    /// share outside. Within a part that is on several threads already, nothing changes.
    pub(super) fn enter(&mut self, most: usize, items: usize) -> f64 {
        let outside = self.share;
        if outside >= 1.0 && items > 0 {
            self.joins += u64::from(most < items);
            self.share = most as f64 / items as f64;
        }
        outside
    }

    /// Leaves a part.
    pub(super) fn leave(&mut self, outside: f64) {
        self.share = outside;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_on_two_threads_take_the_time_of_the_larger_half() {
        let mut tally = Tally::default();
        let key = (RingOperation::Mul, 2);
        tally.count(key.0, key.1, 1);
        let outside = tally.enter(2, 3);
        tally.count(key.0, key.1, 3);
        let inside = tally.enter(1, 2);
        tally.count(key.0, key.1, 3);
        tally.leave(inside);
        tally.leave(outside);
        tally.count(key.0, key.1, 1);
        assert_eq!(tally.counts[&key], 8);
        assert_eq!(tally.joins, 1, "parts within a part are not distributed again");
        assert!((tally.spans[&key] - 6.0).abs() < 1e-12, "{:?}", tally.spans);
    }
}
