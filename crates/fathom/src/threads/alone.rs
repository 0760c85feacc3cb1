//! The calling thread in place of a pool: the same names, with iterators of the standard library.

use crate::Error;
pub(crate) use std::iter::repeat_n;

/// No threads but the calling one.
#[derive(Debug)]
pub(crate) struct Pool(());

impl Pool {
    /// Returns a pool of the calling thread; 0 and 1 threads mean that one.
    ///
    /// # Errors
    /// [`Error::Threads`] for more threads.
    pub(crate) fn new(threads: usize) -> Result<Pool, Error> {
        if threads <= 1 {
            return Ok(Pool(()));
        }
        let reason = "the library was compiled without its feature `rayon`".to_owned();
        Err(Error::Threads { threads, reason })
    }

    pub(crate) fn threads(&self) -> usize {
        1
    }

    pub(crate) fn install<R: Send>(&self, operation: impl FnOnce() -> R + Send) -> R {
        operation()
    }

    pub(crate) fn with_caller(&self, part: impl Fn() + Sync) {
        part();
    }
}

pub(crate) fn in_pool() -> bool {
    false
}

/// Any iterator.
pub(crate) trait IndexedParallelIterator: Iterator + Sized {}

impl<I: Iterator> IndexedParallelIterator for I {}

/// The methods of rayon's iterators that those of the standard library lack.
pub(crate) trait ParallelIterator: Iterator + Sized {
    /// Calls `call` for every item, with a value that is made once.
    fn for_each_init<T>(self, init: impl Fn() -> T, call: impl Fn(&mut T, Self::Item)) {
        let mut value = init();
        self.for_each(|item| call(&mut value, item));
    }

    /// Joins the iterators that `map` makes of the items.
    fn flat_map_iter<U: IntoIterator>(
        self,
        map: impl Fn(Self::Item) -> U,
    ) -> impl Iterator<Item = U::Item> {
        self.flat_map(map)
    }
}

impl<I: Iterator> ParallelIterator for I {}

/// Iterators over a slice, under the names of rayon.
pub(crate) trait ParallelSlices<T> {
    fn slice(&self) -> &[T];
    fn slice_mut(&mut self) -> &mut [T];

    fn par_iter(&self) -> std::slice::Iter<'_, T> {
        self.slice().iter()
    }

    fn par_chunks(&self, length: usize) -> std::slice::Chunks<'_, T> {
        self.slice().chunks(length)
    }

    fn par_chunks_exact(&self, length: usize) -> std::slice::ChunksExact<'_, T> {
        self.slice().chunks_exact(length)
    }

    fn par_chunks_mut(&mut self, length: usize) -> std::slice::ChunksMut<'_, T> {
        self.slice_mut().chunks_mut(length)
    }

    fn par_chunks_exact_mut(&mut self, length: usize) -> std::slice::ChunksExactMut<'_, T> {
        self.slice_mut().chunks_exact_mut(length)
    }
}

impl<T> ParallelSlices<T> for [T] {
    fn slice(&self) -> &[T] {
        self
    }

    fn slice_mut(&mut self) -> &mut [T] {
        self
    }
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
