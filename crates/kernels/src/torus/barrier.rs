//! The barrier between the phases of a rotation that several threads compute.
//!
//! `T` threads with the indices `0..T` pass the rounds 1, 2, 3, ... in order. Between two rounds,
//! each thread owns a part of the memory. The first thread may end the team: in the round that it
//! declares to be the last, it takes over everything and the others stop.
//!
//! # Proof
//!
//! *Counting.* A thread arrives for round `r + 1` only after it has read `arrived >= r T`. While
//! one of the threads has not arrived `r` times, none has therefore arrived more than `r` times,
//! and `arrived <= (T - 1) r + (r - 1) < r T`. So whoever reads `arrived >= r T` knows that all `T`
//! threads have arrived `r` times. The counter is never reset, so a slow thread cannot miss a
//! round.
//!
//! *Order.* Every change of `arrived` is a read-modify-write operation that releases. Later
//! read-modify-write operations continue the release sequence of an earlier one, so a read that
//! acquires synchronises with all arrivals that it counts. Hence everything that any thread did
//! before it arrived for round `r` happens before everything that any thread does after it has
//! passed round `r`: the parts change their owners without a data race.
//!
//! *Agreement.* Only the first thread writes `last_round`, at most once, with the number of the
//! round for which it is about to arrive. A thread that has passed round `r` therefore reads a
//! number up to `r` if and only if it was written before the first thread arrived for round `r`:
//! all threads take the same decision, and a number that they see too early exceeds `r`.
//!
//! *Progress.* No thread waits for itself: the last one to arrive passes at once. A thread that
//! panics sets the highest bit of `arrived`, which ends all waits, and those who waited panic too.
//!
//! The tests check ownership, agreement and progress in every interleaving of a model.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A spinning barrier for short waits.
#[derive(Debug)]
#[repr(align(128))] // Apart from what the threads read all the time.
pub(super) struct Barrier {
    arrived: AtomicUsize,
    /// The round after which the first thread continues alone.
    last_round: AtomicUsize,
    held_up_ns: AtomicU64,
}

/// A thread's place in a team of at least two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) index: usize,
    pub(super) threads: usize,
}

/// The state of a team after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// All threads continue.
    Together,
    /// The caller is the first thread, and continues alone.
    Alone,
    /// The caller stops: the first thread has taken over its part.
    Stopped,
}

impl Default for Barrier {
    fn default() -> Barrier {
        Barrier {
            arrived: AtomicUsize::new(0),
            last_round: AtomicUsize::new(usize::MAX),
            held_up_ns: AtomicU64::new(0),
        }
    }
}

impl Barrier {
    /// Bit of `arrived`: some thread has panicked and will not arrive.
    const ABANDONED: usize = 1 << (usize::BITS - 1);

    /// Waits until all threads have reached the same round. If the waits have taken longer than
    /// `patience` in all, apart from waits in which a thread only spun, the first thread declares
    /// this round to be the last.
    ///
    /// # Panics
    /// If another thread has panicked.
    pub(super) fn pass(&self, member: Member, round: usize, patience: Duration) -> Passed {
        if member.index == 0 && self.held_up() >= patience {
            self.last_round.store(round, Ordering::Release);
        }
        self.wait(round * member.threads);
        match (self.last_round.load(Ordering::Acquire) <= round, member.index) {
            (false, _) => Passed::Together,
            (true, 0) => Passed::Alone,
            (true, _) => Passed::Stopped,
        }
    }

    /// Returns true if the first thread took over the work of the others.
    pub(super) fn ended_early(&self) -> bool {
        self.last_round.load(Ordering::Relaxed) != usize::MAX
    }

    /// Ends all waiting, because a thread that panics does not arrive.
    pub(super) fn abandon(&self) {
        self.arrived.fetch_or(Self::ABANDONED, Ordering::AcqRel);
    }

    /// Returns the total waiting time of all threads, without waits in which they only spun.
    fn held_up(&self) -> Duration {
        Duration::from_nanos(self.held_up_ns.load(Ordering::Relaxed))
    }

    /// Arrives and waits until there are `count` arrivals in total.
    fn wait(&self, count: usize) {
        let mut arrived = self.arrived.fetch_add(1, Ordering::AcqRel) + 1;
        let mut pause = Pause::default();
        while arrived < count {
            pause.once();
            arrived = self.arrived.load(Ordering::Acquire);
        }
        if pause.waited > Pause::SPIN {
            self.held_up_ns.fetch_add(pause.waited.as_nanos() as u64, Ordering::Relaxed);
        }
        assert!(arrived & Self::ABANDONED == 0, "another thread of the rotation panicked");
    }
}

/// Backoff of a waiting thread: it spins for a while and then yields its core.
#[derive(Default)]
pub(super) struct Pause {
    spins: usize,
    start: Option<Instant>,
    /// The time waited so far, as of the last reading of the clock.
    waited: Duration,
}

impl Pause {
    /// Duration of spinning: several steps.
    const SPIN: Duration = Duration::from_micros(50);

    /// Number of iterations between two readings of the clock.
    const SPINS_PER_READING: usize = 64;

    /// Waits for a moment.
    pub(super) fn once(&mut self) {
        self.spins += 1;
        if self.waited > Self::SPIN {
            std::thread::yield_now();
        }
        if self.waited > Self::SPIN || self.spins.is_multiple_of(Self::SPINS_PER_READING) {
            self.waited = self.start.get_or_insert_with(Instant::now).elapsed();
        }
        spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The next action of a model's thread. The phases that own memory are `Working` and `Alone`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Next {
        /// Ends its phase after the given round; the first thread may declare the next to be last.
        Working(usize),
        /// Arrives for the round.
        Arriving(usize),
        /// Waits for the round.
        Waiting(usize),
        /// Reads whether the round was the last.
        Deciding(usize),
        Alone,
        Stopped,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Model {
        arrived: usize,
        last_round: usize,
        threads: Vec<Next>,
    }

    impl Model {
        /// Returns the states after one atomic operation of one thread, in rounds up to `rounds`.
        /// `count` is the number of arrivals for which a round waits.
        fn successors(&self, rounds: usize, count: fn(usize, usize) -> usize) -> Vec<Model> {
            let mut all = Vec::new();
            for index in 0..self.threads.len() {
                let mut step = |next, arrived, last_round| {
                    let mut threads = self.threads.clone();
                    threads[index] = next;
                    all.push(Model { arrived, last_round, threads });
                };
                let (arrived, last_round) = (self.arrived, self.last_round);
                match self.threads[index] {
                    Next::Working(round) if round < rounds => {
                        step(Next::Arriving(round + 1), arrived, last_round);
                        if index == 0 {
                            step(Next::Arriving(round + 1), arrived, round + 1);
                        }
                    }
                    Next::Arriving(round) => step(Next::Waiting(round), arrived + 1, last_round),
                    Next::Waiting(round) if arrived >= count(round, self.threads.len()) => {
                        step(Next::Deciding(round), arrived, last_round);
                    }
                    Next::Deciding(round) => {
                        let next = match (last_round <= round, index) {
                            (false, _) => Next::Working(round),
                            (true, 0) => Next::Alone,
                            (true, _) => Next::Stopped,
                        };
                        step(next, arrived, last_round);
                    }
                    Next::Working(_) | Next::Waiting(_) | Next::Alone | Next::Stopped => {}
                }
            }
            all
        }

        /// Returns true if all threads that own memory are in one phase.
        fn owners_agree(&self) -> bool {
            let working = |next: &&Next| matches!(next, Next::Working(_) | Next::Alone);
            let mut owners = self.threads.iter().filter(working);
            let first = owners.next();
            owners.all(|next| Some(next) == first)
        }

        /// Returns true if no thread waits for ever.
        fn finished(&self, rounds: usize) -> bool {
            let done = |next: &Next| {
                *next == Next::Working(rounds) || matches!(next, Next::Alone | Next::Stopped)
            };
            self.threads.iter().all(done)
        }
    }

    /// Visits all reachable states; returns their number, or a state that breaks a law.
    fn explore(
        threads: usize,
        rounds: usize,
        count: fn(usize, usize) -> usize,
    ) -> Result<usize, Model> {
        let threads = vec![Next::Working(0); threads];
        let mut open = vec![Model { arrived: 0, last_round: usize::MAX, threads }];
        let mut seen = HashSet::new();
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let successors = state.successors(rounds, count);
            if !state.owners_agree() || (successors.is_empty() && !state.finished(rounds)) {
                return Err(state);
            }
            open.extend(successors);
        }
        Ok(seen.len())
    }

    #[test]
    fn no_interleaving_breaks_ownership_or_waits_for_ever() {
        for (threads, rounds) in [(2, 6), (3, 4), (4, 3)] {
            let states = explore(threads, rounds, |round, threads| round * threads);
            assert!(states.is_ok_and(|states| states > 100), "{threads} threads");
        }
    }

    #[test]
    fn a_barrier_that_opens_too_early_or_late_is_found_out() {
        assert!(explore(3, 3, |round, threads| round * threads - 1).is_err());
        assert!(explore(3, 3, |round, threads| round * threads + 1).is_err());
    }

    #[test]
    fn nobody_passes_the_barrier_before_all_have_come() {
        let (barrier, started) = (Barrier::default(), AtomicUsize::new(0));
        let pass = |index, round| {
            started.fetch_add(1, Ordering::SeqCst);
            let member = Member { index, threads: 4 };
            assert_eq!(barrier.pass(member, round, Duration::MAX), Passed::Together);
            assert!(started.load(Ordering::SeqCst) >= 4 * round);
        };
        std::thread::scope(|scope| {
            for index in 0..4 {
                scope.spawn(move || (1..200).for_each(|round| pass(index, round)));
            }
        });
        assert!(!barrier.ended_early());
    }

    #[test]
    fn without_patience_the_first_thread_continues_alone() {
        let barrier = Barrier::default();
        let pass = |index| barrier.pass(Member { index, threads: 2 }, 1, Duration::ZERO);
        let passed = std::thread::scope(|scope| {
            let other = scope.spawn(|| pass(1));
            [pass(0), other.join().unwrap()]
        });
        assert_eq!(passed, [Passed::Alone, Passed::Stopped]);
        assert!(barrier.ended_early());
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let barrier = Barrier::default();
        std::thread::scope(|scope| {
            let waiting = [0; 2].map(|_| scope.spawn(|| barrier.wait(3)));
            barrier.abandon();
            assert!(waiting.into_iter().all(|thread| thread.join().is_err()));
        });
    }

    #[test]
    fn waiting_long_is_noticed() {
        let noticed = || {
            let barrier = Barrier::default();
            std::thread::scope(|scope| {
                scope.spawn(|| barrier.wait(2));
                while barrier.arrived.load(Ordering::Relaxed) == 0 {}
                std::thread::sleep(4 * Pause::SPIN);
                barrier.wait(2);
            });
            barrier.held_up() > Duration::ZERO
        };
        // A waiting thread may itself be descheduled and then observe no wait.
        assert!((0..100).any(|_| noticed()));
    }
}
