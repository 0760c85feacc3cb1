//! The number of threads that operations in step may start.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The greatest number of threads of all operations in step of an evaluator and its clones. Without
/// the feature `rayon`, there are none beside the calling thread.
const MOST: usize = if cfg!(feature = "rayon") { 63 } else { 0 };

/// The threads that operations in step of an evaluator and its clones have started.
///
/// An operation on the elements of a list whose closure again works on lists, with an evaluator
/// that it captures, would otherwise start 64 times 64 of them.
#[derive(Debug, Default)]
pub(super) struct Helpers {
    started: AtomicUsize,
}

/// A number of threads that may be started, until it is dropped.
pub(super) struct Allowance<'a> {
    helpers: &'a Helpers,
    pub(super) threads: usize,
}

impl Helpers {
    /// Returns an allowance of at most `threads` threads, or none if fewer than half of them are
    /// left.
    pub(super) fn at_most(&self, threads: usize) -> Allowance<'_> {
        let granted = |started: usize| {
            let left = MOST.saturating_sub(started).min(threads);
            if 2 * left >= threads { left } else { 0 }
        };
        let start = |started: usize| Some(started + granted(started));
        let before = self.started.fetch_update(Relaxed, Relaxed, start);
        Allowance { helpers: self, threads: before.map_or(0, granted) }
    }
}

impl Drop for Allowance<'_> {
    fn drop(&mut self) {
        self.helpers.started.fetch_sub(self.threads, Relaxed);
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;

    #[test]
    fn allowances_never_exceed_the_most_and_are_given_back() {
        let helpers = Helpers::default();
        let first = helpers.at_most(40);
        let second = helpers.at_most(40);
        let third = helpers.at_most(40);
        assert_eq!([first.threads, second.threads, third.threads], [40, 23, 0]);
        drop(first);
        assert_eq!(helpers.at_most(63).threads, 40);
        drop((second, third));
        assert_eq!(helpers.at_most(100).threads, 63);
    }
}
