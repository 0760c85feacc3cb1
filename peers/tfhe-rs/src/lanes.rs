//! Threads: one rayon pool for each parallel operation.

use fathom_drivers::protocol::{Code, Refusal};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// Pools, of which a call borrows one while it runs.
pub(crate) struct Lanes {
    pools: Vec<ThreadPool>,
    free: Mutex<Vec<usize>>,
}

impl Lanes {
    /// Makes `lanes` pools of `threads` threads.
    pub(crate) fn new(lanes: usize, threads: usize) -> Result<Self, Refusal> {
        let pools = (0..lanes).map(|_| pool(threads)).collect::<Result<_, _>>()?;
        Ok(Self { pools, free: Mutex::new((0..lanes).collect()) })
    }

    /// Runs `work` on the threads of a pool that no other call uses.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, Refusal> {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let none = || Refusal::new(Code::Internal, "more calls run at once than `threads`");
        let lane = free().pop().ok_or_else(none)?;
        let result = self.pools[lane].install(|| guarded(work));
        free().push(lane);
        result
    }
}

/// Makes a pool of `threads` threads.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, Refusal> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Refusal::new(Code::Internal, error.to_string()))
}

/// Converts a panic of tfhe-rs, its way of refusing, to a refusal. The thread has printed the
/// message.
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Refusal::new(Code::Internal, format!("tfhe-rs panicked: {}", text.unwrap_or("no message")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_refusal_and_gives_its_lane_back() {
        let lanes = Lanes::new(1, 2).unwrap();
        let refusal = lanes.run(|| assert_eq!(1, 2, "told apart")).unwrap_err();
        assert!(refusal.message.contains("told apart"), "{refusal}");
        assert_eq!(lanes.run(rayon::current_num_threads), Ok(2));
    }
}
