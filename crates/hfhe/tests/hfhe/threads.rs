//! Workers: their number is checked before any is started, and loops of other pools use them.

use fathom::MAX_THREADS;
use fathom_hfhe::Workers;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::time::Duration;

#[test]
fn m2_absurd_numbers_of_threads_are_refused() {
    for threads in [MAX_THREADS + 1, 100_000, usize::MAX] {
        let error = Workers::new(threads).unwrap_err();
        assert_eq!(error, fathom::Error::TooManyThreads { threads, limit: MAX_THREADS }.into());
    }
    let threads = std::thread::available_parallelism().unwrap().get();
    assert!(Workers::new(threads).is_ok());
}

/// Runs a program on a thread of its own, and fails if it takes minutes.
fn ends(program: impl FnOnce() + Send + 'static) {
    let (done, result) = mpsc::channel();
    let running = std::thread::spawn(move || {
        program();
        done.send(()).unwrap();
    });
    let waited = result.recv_timeout(Duration::from_mins(5));
    assert_ne!(waited, Err(mpsc::RecvTimeoutError::Timeout), "the program hangs");
    running.join().unwrap();
}

#[test]
fn a_loop_within_a_loop_over_workers_has_one_call_in_progress_for_each_thread() {
    ends(|| {
        let workers = Workers::new(2).unwrap();
        let [now, most] = [(); 2].map(|()| AtomicUsize::new(0));
        let call = |&i: &u64| -> u64 {
            most.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
            let sum = (0..100).into_par_iter().map(|j: u64| i * j).sum();
            now.fetch_sub(1, SeqCst);
            sum
        };
        ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(|| {
            (0..200_u64).into_par_iter().for_each(|i| {
                assert_eq!(workers.map(&[i, i + 1], call), [4950 * i, 4950 * (i + 1)]);
            });
        });
        let most = most.load(SeqCst);
        assert!(most <= 4, "{most}");
    });
}
