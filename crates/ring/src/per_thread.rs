//! Values that every thread has a copy of, so that threads do not write to one cache line.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of copies. Threads beyond it share one with another thread.
const COPIES: usize = 32;

/// The index that the next thread gets.
static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static INDEX: usize = NEXT.fetch_add(1, Ordering::Relaxed) % COPIES;
}

/// A value for each thread, on cache lines of its own.
#[derive(Debug)]
pub(crate) struct PerThread<T> {
    copies: Box<[Padded<T>]>,
}

#[derive(Debug, Default)]
#[repr(align(128))]
struct Padded<T>(T);

impl<T: Default> Default for PerThread<T> {
    fn default() -> Self {
        PerThread { copies: (0..COPIES).map(|_| Padded::default()).collect() }
    }
}

impl<T> PerThread<T> {
    /// Returns the value of the calling thread.
    pub(crate) fn own(&self) -> &T {
        // A thread that is being torn down has no index any more.
        let index = INDEX.try_with(|index| *index).unwrap_or_default();
        &self.copies[index].0
    }

    /// Iterates over the values of all threads.
    pub(crate) fn all(&self) -> impl Iterator<Item = &T> {
        self.copies.iter().map(|copy| &copy.0)
    }
}
