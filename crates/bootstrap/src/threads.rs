//! The threads of a bootstrapping.

use fathom_base::threads::Pool;
use fathom_base::{Error, MAX_THREADS};
use std::sync::Arc;

/// The calling thread, or those of a pool. Results are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads(Option<Arc<Pool>>);

impl Threads {
    /// Starts this number of threads; up to one, the calling thread does the work.
    pub(super) fn new(threads: usize) -> Result<Threads, Error> {
        if threads > MAX_THREADS {
            return Err(Error::TooManyThreads { threads, limit: MAX_THREADS });
        }
        let pool = if threads > 1 { Some(Arc::new(Pool::new(threads)?)) } else { None };
        Ok(Threads(pool))
    }

    /// Returns the number of threads.
    pub(super) fn count(&self) -> usize {
        self.0.as_ref().map_or(1, |pool| pool.threads())
    }

    /// Calls `work` for the numbers below `count` and returns the results in order.
    pub(super) fn map<R: Send>(&self, count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        match &self.0 {
            None => (0..count).map(work).collect(),
            Some(pool) => pool.map(0..count, work),
        }
    }

    /// Calls `work` for both components of a ciphertext.
    pub(super) fn both<R: Send>(&self, work: impl Fn(usize) -> R + Sync) -> [R; 2] {
        let mut both = self.map(2, work).into_iter();
        [(); 2].map(|()| both.next().expect("there are two results"))
    }
}
