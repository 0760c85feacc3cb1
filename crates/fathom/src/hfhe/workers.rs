//! Threads for key generation and batches.

use super::Error;
use crate::MAX_THREADS;
use crate::threads::Pool;
use crate::threads::prelude::*;

/// Threads that share the work of a batch. Results do not depend on their number.
#[derive(Debug)]
pub struct Workers {
    pool: Option<Pool>,
}

impl Workers {
    /// Returns workers that consist of the calling thread alone.
    pub const fn one() -> Workers {
        Workers { pool: None }
    }

    /// Starts `threads` threads; 0 and 1 mean the calling thread alone.
    ///
    /// # Errors
    /// [`Error::TooManyThreads`] above [`MAX_THREADS`]; [`Error::Threads`] if they cannot be
    /// started.
    pub fn new(threads: usize) -> Result<Workers, Error> {
        if threads <= 1 {
            return Ok(Workers::one());
        }
        if threads > MAX_THREADS {
            return Err(Error::TooManyThreads { threads, limit: MAX_THREADS });
        }
        Ok(Workers { pool: Some(Pool::new(threads)?) })
    }

    /// Calls `call` for every element and returns the results in order.
    pub fn map<T: Sync, U: Send>(
        &self,
        items: &[T],
        call: impl Fn(&T) -> U + Send + Sync,
    ) -> Vec<U> {
        match &self.pool {
            None => items.iter().map(call).collect(),
            Some(pool) => pool.install(|| items.par_iter().map(&call).collect()),
        }
    }

    /// Calls `call` for every chunk of `len` words, with its index.
    pub(crate) fn for_each_chunk(
        &self,
        words: &mut [u64],
        len: usize,
        call: impl Fn(usize, &mut [u64]) + Send + Sync,
    ) {
        let each = |(i, chunk): (usize, &mut [u64])| call(i, chunk);
        match &self.pool {
            None => words.chunks_mut(len).enumerate().for_each(each),
            Some(pool) => {
                pool.install(|| words.par_chunks_mut(len).enumerate().for_each(each));
            }
        }
    }
}
