//! Threads of pools, and threads that live as long as one call.
//!
//! The pools are rayon's, but work is never handed over by its `install` or `join`: a thread of a
//! pool that waits in one of them takes up other work of its pool on the stack of what it waits
//! for. In a parallel loop over operations, a thread would have hundreds of them in progress, until
//! its stack overflows. Here, a caller sleeps until its work is done, and the threads of a pool
//! wait for nothing.

use crate::Error;
use std::iter::Enumerate;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// The greatest number of threads of one [`share`].
const MOST_SHARES: usize = 16;

/// Threads that wait for work.
#[derive(Debug)]
pub struct Pool(rayon::ThreadPool);

impl Pool {
    /// Starts `threads` threads, at least one.
    ///
    /// # Errors
    /// [`Error::Threads`] if they cannot be started.
    pub fn new(threads: usize) -> Result<Pool, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        Ok(Pool(pool.map_err(|e| Error::Threads { threads, reason: e.to_string() })?))
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Calls `work` for every item on these threads and returns the results in order.
    ///
    /// The calling thread sleeps meanwhile, also if it belongs to another pool. A thread of this
    /// pool does the work alone, since the others may wait for it.
    pub fn map<I, R: Send>(&self, items: I, work: impl Fn(I::Item) -> R + Sync) -> Vec<R>
    where
        I: ExactSizeIterator + Send,
    {
        let parts = items.len().min(self.threads());
        let deal = Deal::of(items);
        let play = || deal.play(&work);
        let hand_over = || {
            self.0.in_place_scope(|scope| (0..parts).for_each(|_| scope.spawn(|_| play())));
        };
        match (self.0.current_thread_index(), in_pool()) {
            (Some(_), _) => play(),
            (None, false) => hand_over(),
            // A thread of a pool would not sleep in the scope, but take up other work. A thread
            // outside all pools sleeps in its place.
            (None, true) => {
                thread::scope(|scope| match Builder::new().spawn_scoped(scope, hand_over) {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                    Err(_) => play(),
                });
            }
        }
        deal.finish()
    }

    /// Runs `part` on every thread and on the calling one, which must not belong to a pool.
    pub fn with_caller(&self, part: impl Fn() + Sync) {
        debug_assert!(!in_pool(), "the calling thread would take up other work while it waits");
        self.0.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| part());
            part();
        });
    }
}

/// Calls `work` for every item and returns the results in order, on the calling thread and others
/// that are started for this call, for work of many milliseconds. Each thread makes a value with
/// `init` for its items.
///
/// There are as many threads as cores or, if the calling thread belongs to a rayon pool, as that
/// pool has; at most 16, and fewer if the operating system gives no more.
pub fn share<I, V, R: Send>(
    items: I,
    init: impl Fn() -> V + Sync,
    work: impl Fn(&mut V, I::Item) -> R + Sync,
) -> Vec<R>
where
    I: ExactSizeIterator + Send,
{
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if in_pool() { rayon::current_num_threads() } else { cores() };
    let threads = threads.min(MOST_SHARES).min(items.len());
    let deal = Deal::of(items);
    let play = || {
        let mut value = init();
        deal.play(|item| work(&mut value, item));
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            if Builder::new().spawn_scoped(scope, play).is_err() {
                break;
            }
        }
        play();
    });
    deal.finish()
}

/// Returns whether the calling thread belongs to a pool.
pub fn in_pool() -> bool {
    rayon::current_thread_index().is_some()
}

/// Items that are dealt to whoever asks next, and the results so far.
///
/// A thread that has no item left is done: it never waits for an item that another thread computes.
/// Threads that wait for each other instead, as those of rayon do at a join, take up other work
/// meanwhile, on top of their own: they would have any number of operations in progress at once.
struct Deal<I, R> {
    items: Mutex<Enumerate<I>>,
    results: Mutex<Vec<(usize, R)>>,
}

impl<I: Iterator, R> Deal<I, R> {
    fn of(items: I) -> Deal<I, R> {
        Deal { items: Mutex::new(items.enumerate()), results: Mutex::default() }
    }

    /// Calls `work` for items until none is left.
    fn play(&self, mut work: impl FnMut(I::Item) -> R) {
        let mut own = Vec::new();
        while let Some((index, item)) = self.next() {
            own.push((index, work(item)));
        }
        self.results.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
    }

    /// Returns the results in the order of the items, once all threads are done.
    fn finish(self) -> Vec<R> {
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
    use rayon::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn a_loop_of_another_pool_has_one_call_in_progress_for_each_of_its_threads() {
        let (pool, other) = (Pool::new(2).unwrap(), Pool::new(3).unwrap());
        let [calls, most] = [0; 2].map(AtomicUsize::new);
        other.0.install(|| {
            (0..500).into_par_iter().for_each(|i| {
                most.fetch_max(calls.fetch_add(1, SeqCst) + 1, SeqCst);
                assert_eq!(pool.map(0..4, |j| i + j), [i, i + 1, i + 2, i + 3]);
                calls.fetch_sub(1, SeqCst);
            });
        });
        assert!(most.into_inner() <= 3);
    }

    #[test]
    fn a_thread_of_the_pool_does_the_work_alone() {
        let pool = Pool::new(1).unwrap();
        let nested = pool.map(0..2, |i| pool.map(0..2, |j| (i, j)));
        assert_eq!(nested, [[(0, 0), (0, 1)], [(1, 0), (1, 1)]]);
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        let pool = Pool::new(2).unwrap();
        let fails = || pool.map(0..3, |i| assert_ne!(i, 1));
        for _ in 0..2 {
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(fails)).is_err());
        }
        assert_eq!(pool.map(0..3, |i| i), [0, 1, 2]);
    }

    #[test]
    fn shares_have_at_most_the_threads_of_the_callers_pool() {
        let other = Pool::new(2).unwrap();
        let threads = AtomicUsize::new(0);
        let init = || threads.fetch_add(1, SeqCst);
        let doubled = other.0.install(|| share(0..100, init, |_, i| 2 * i));
        assert!(doubled.into_iter().eq((0..100).map(|i| 2 * i)));
        assert!((1..=2).contains(&threads.into_inner()));
    }

    #[test]
    fn results_are_in_the_order_of_the_items_whoever_took_them() {
        let deal = Deal::of(0..1000);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| deal.play(|item| 3 * item));
            }
        });
        assert!(deal.finish().into_iter().eq((0..1000).map(|item| 3 * item)));
    }
}
