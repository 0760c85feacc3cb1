//! Items of work that several threads take one after the other.

use std::iter::Enumerate;
use std::sync::{Mutex, PoisonError};

/// Items that are dealt to whoever asks next, and the results so far.
///
/// A thread that has no item left is done: it never waits for an item that another thread computes.
/// Threads that wait for each other instead, as those of rayon do at a join, take up other work
/// meanwhile, on top of their own: they would have any number of operations in progress at once.
pub(super) struct Deal<I, R> {
    items: Mutex<Enumerate<I>>,
    results: Mutex<Vec<(usize, R)>>,
}

impl<I: Iterator, R> Deal<I, R> {
    pub(super) fn of(items: I) -> Deal<I, R> {
        Deal { items: Mutex::new(items.enumerate()), results: Mutex::default() }
    }

    /// Calls `work` for items until none is left.
    pub(super) fn play(&self, mut work: impl FnMut(I::Item) -> R) {
        let mut own = Vec::new();
        while let Some((index, item)) = self.next() {
            own.push((index, work(item)));
        }
        self.results.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
    }

    /// Returns the results in the order of the items, once all threads are done.
    pub(super) fn finish(self) -> Vec<R> {
        let mut results = self.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|&(index, _)| index);
        results.into_iter().map(|(_, result)| result).collect()
    }

    fn next(&self) -> Option<(usize, I::Item)> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items_whoever_took_them() {
        let deal = Deal::of(0..1000);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| deal.play(|item| 3 * item));
            }
        });
        assert!(deal.finish().into_iter().eq((0..1000).map(|item| 3 * item)));
    }
}
