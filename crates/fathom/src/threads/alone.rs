//! The calling thread in place of others: the same names.

use crate::Error;

/// No threads but the calling one.
#[derive(Debug)]
pub struct Pool(());

impl Pool {
    /// Returns a pool of the calling thread; 0 and 1 threads mean that one.
    ///
    /// # Errors
    /// [`Error::Threads`] for more threads.
    pub fn new(threads: usize) -> Result<Pool, Error> {
        if threads <= 1 {
            return Ok(Pool(()));
        }
        let reason = "the library was compiled without its feature `rayon`".to_owned();
        Err(Error::Threads { threads, reason })
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        1
    }

    /// Calls `work` for every item and returns the results in order.
    pub fn map<I: ExactSizeIterator, R>(&self, items: I, work: impl Fn(I::Item) -> R) -> Vec<R> {
        items.map(work).collect()
    }

    #[expect(clippy::unused_self, reason = "the pool of several threads has this method too")]
    pub(crate) fn with_caller(&self, part: impl Fn() + Sync) {
        part();
    }
}

/// Calls `work` for every item and returns the results in order.
pub(crate) fn share<I: ExactSizeIterator, V, R>(
    items: I,
    init: impl Fn() -> V,
    work: impl Fn(&mut V, I::Item) -> R,
) -> Vec<R> {
    let mut value = init();
    items.map(|item| work(&mut value, item)).collect()
}

pub(crate) fn in_pool() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_is_there_and_more_are_refused() {
        assert_eq!(Pool::new(0).unwrap().threads(), 1);
        let refused = Pool::new(2).unwrap_err();
        assert!(refused.to_string().contains("feature `rayon`"), "{refused}");
    }
}
