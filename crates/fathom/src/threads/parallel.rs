//! Threads of rayon.

use crate::Error;
pub(crate) use rayon::iter::repeat_n;

/// Threads that wait for work.
#[derive(Debug)]
pub(crate) struct Pool(rayon::ThreadPool);

impl Pool {
    /// Starts `threads` threads, at least one.
    ///
    /// # Errors
    /// [`Error::Threads`] if they cannot be started.
    pub(crate) fn new(threads: usize) -> Result<Pool, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        Ok(Pool(pool.map_err(|e| Error::Threads { threads, reason: e.to_string() })?))
    }

    /// Returns the number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Runs an operation whose parallel iterators use these threads.
    pub(crate) fn install<R: Send>(&self, operation: impl FnOnce() -> R + Send) -> R {
        self.0.install(operation)
    }

    /// Runs `part` on every thread and on the calling one.
    pub(crate) fn with_caller(&self, part: impl Fn() + Sync) {
        self.0.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| part());
            part();
        });
    }
}

/// Returns whether the calling thread belongs to a pool.
pub(crate) fn in_pool() -> bool {
    rayon::current_thread_index().is_some()
}
