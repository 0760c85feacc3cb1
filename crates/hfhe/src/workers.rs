//! Threads for key generation and batches.

use super::Error;
use fathom::MAX_THREADS;
use fathom_base::threads::Pool;

/// Threads that share the work of a batch. Results do not depend on their number.
///
/// The calling thread sleeps meanwhile; within a call, one of these threads works alone.
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
    /// [`fathom::Error::TooManyThreads`] above [`MAX_THREADS`]; [`fathom::Error::Threads`] if they
    /// cannot be started.
    pub fn new(threads: usize) -> Result<Workers, Error> {
        if threads <= 1 {
            return Ok(Workers::one());
        }
        if threads > MAX_THREADS {
            return Err(fathom::Error::TooManyThreads { threads, limit: MAX_THREADS }.into());
        }
        Ok(Workers { pool: Some(Pool::new(threads)?) })
    }

    /// Calls `call` for every element and returns the results in order. A call may use these
    /// workers itself, but must not wait for another thread that uses them: both would wait
    /// forever.
    pub fn map<T: Sync, U: Send>(
        &self,
        items: &[T],
        call: impl Fn(&T) -> U + Send + Sync,
    ) -> Vec<U> {
        match &self.pool {
            None => items.iter().map(call).collect(),
            Some(pool) => {
                let shares = items.chunks(share(items.len(), pool));
                let results = pool.map(shares, |items| items.iter().map(&call).collect::<Vec<_>>());
                results.into_iter().flatten().collect()
            }
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
                let chunks = share(words.len().div_ceil(len), pool);
                let shares = words.chunks_mut(chunks * len).enumerate();
                pool.map(shares, |(share, words)| {
                    let chunks_of_it = words.chunks_mut(len).enumerate();
                    chunks_of_it.map(|(i, chunk)| (share * chunks + i, chunk)).for_each(each);
                });
            }
        }
    }
}

/// Returns the number of items of which a thread takes charge at a time, at least 1: small enough
/// to even out the work of the threads, and large enough that taking them costs nothing.
fn share(items: usize, pool: &Pool) -> usize {
    items.div_ceil(8 * pool.threads()).max(1)
}
