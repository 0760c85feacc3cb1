//! The threads that share the ciphertexts of long vectors.

use crate::errors::Refusal;
use rayon::prelude::*;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};

/// A pool, and the process that started its threads: they do not survive a fork.
struct Pool {
    process: u32,
    threads: rayon::ThreadPool,
}

static POOL: RwLock<Option<Arc<Pool>>> = RwLock::new(None);

/// The number of threads that was asked for; zero for the default.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// Returns the number of threads that vectors of several ciphertexts take.
pub fn count() -> usize {
    match WANTED.load(Relaxed) {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        wanted => wanted,
    }
}

/// Sets the number of threads.
///
/// # Errors
/// `ResourceError` for none, or more than the library starts.
pub fn set_count(threads: usize) -> Result<(), Refusal> {
    if (1..=fathom::MAX_THREADS).contains(&threads) {
        WANTED.store(threads, Relaxed);
        return Ok(());
    }
    let message = format!("{threads} threads were requested, 1 to {} can be", fathom::MAX_THREADS);
    let refusal = Refusal::new("ResourceError", "too_many_threads", message);
    Err(refusal.with("threads", threads).with("limit", fathom::MAX_THREADS))
}

fn pool() -> Result<Arc<Pool>, Refusal> {
    let (process, wanted) = (std::process::id(), count());
    let fits =
        |pool: &&Arc<Pool>| pool.process == process && pool.threads.current_num_threads() == wanted;
    let present = POOL.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = present.as_ref().filter(fits) {
        return Ok(Arc::clone(pool));
    }
    drop(present);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(wanted).build().map_err(|error| {
        let message = format!("{wanted} threads could not be started: {error}");
        Refusal::new("ResourceError", "threads", message)
    })?;
    let pool = Arc::new(Pool { process, threads });
    let mut present = POOL.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(former) = present.replace(Arc::clone(&pool)) {
        // Threads of a parent process are not there to be joined.
        if former.process != process {
            std::mem::forget(former);
        }
    }
    Ok(pool)
}

/// Calls `work` with the position of every item, on several threads if there are several items.
///
/// # Errors
/// An error of `work`; `ResourceError` if no threads can be started.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(usize, &T) -> Result<R, Refusal> + Sync + Send,
) -> Result<Vec<R>, Refusal> {
    if items.len() < 2 || count() == 1 {
        return items.iter().enumerate().map(|(i, item)| work(i, item)).collect();
    }
    pool()?.threads.install(|| items.par_iter().enumerate().map(|(i, v)| work(i, v)).collect())
}

/// Runs work on the threads that vectors of several ciphertexts take, of this process.
///
/// # Errors
/// Those of the work; `ResourceError` if no threads can be started.
pub fn share<T: Send>(work: impl FnOnce() -> Result<T, Refusal> + Send) -> Result<T, Refusal> {
    pool()?.threads.install(work)
}
