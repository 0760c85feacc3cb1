//! Threads that stay on one processor each.

use std::sync::Barrier;
use std::time::{Duration, Instant};

/// Runs `work(thread)` on `threads` threads that start together, each on a processor of its own
/// where the system allows it; returns the time until the last one has ended, and the results.
///
/// The work shares nothing but what it borrows, as the document recommends in place of a pool that
/// moves tasks between threads.
pub(super) fn run<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> (Duration, Vec<T>) {
    let (barrier, work) = (&Barrier::new(threads + 1), &work);
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    pin(thread);
                    barrier.wait();
                    work(thread)
                })
            })
            .collect();
        barrier.wait();
        let start = Instant::now();
        let join = |handle: std::thread::ScopedJoinHandle<'_, T>| {
            handle.join().expect("a thread of a program does not panic")
        };
        let results = handles.into_iter().map(join).collect();
        (start.elapsed(), results)
    })
}

/// Binds this thread to one processor of those that it may use.
#[cfg(target_os = "linux")]
fn pin(thread: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let own: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|cpu| allowed.is_set(*cpu)).collect();
    let Some(cpu) = own.get(thread % own.len().max(1)) else { return };
    let mut one = CpuSet::new();
    one.set(*cpu);
    // A system that refuses leaves the thread where its scheduler puts it.
    let _ = sched_setaffinity(None, &one);
}

/// Does nothing: other systems have no call for it.
#[cfg(not(target_os = "linux"))]
fn pin(_thread: usize) {}
