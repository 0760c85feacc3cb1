//! A team of threads that computes one bootstrap together.
//!
//! The steps of a blind rotation depend on each other, so that threads can only divide a step: each
//! transforms and multiplies its own polynomials, and all meet twice in a step of some
//! microseconds. Locks of the operating system are too slow for that; threads wait in a loop, which
//! helps only while each has a core to itself. The barrier therefore lets the calling thread take
//! over the parts of a thread that does not come (`kernels/src/torus/barrier.rs` has the proof),
//! and [`Team::judge`] pauses the team after a rotation in which that happened: for 1 rotation,
//! then 2, 4, at most 8; each good rotation halves the next pause. The result never depends on who
//! computed which part.

use crate::Error;
use crate::threads::{Pool, in_pool};
use fathom_ring::SharedRotation;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// The threads that compute one blind rotation together if nothing else runs on the evaluator: the
/// calling thread and some that wait for such a call.
///
/// The calling thread starts alone, and the others join it as soon as they are awake. They
/// synchronise twice per step, which is every few microseconds. This is faster if each thread has a
/// core to itself. If another process takes one of the cores, the calling thread computes the rest
/// of the rotation alone, and the next rotations run on one thread each.
#[derive(Debug)]
pub(super) struct Team {
    /// The waiting threads. They are separate from the threads of batches, so that no rotation
    /// waits for the end of a batch.
    others: Option<Pool>,
    /// Number of calls of the evaluator in progress.
    running: AtomicUsize,
    /// Number of next rotations for which the team is not used.
    rest: AtomicU32,
    /// Length of the last pause in rotations. It doubles when a rotation was held up and halves
    /// otherwise.
    last_rest: AtomicU32,
}

/// The outcome of a rotation by the team.
#[derive(Clone, Copy)]
enum Outcome {
    /// All threads did their parts.
    Whole,
    /// One thread did the work of others.
    HeldUp,
}

/// A call of the evaluator in progress.
pub(in crate::tfhe) struct Running<'a> {
    team: &'a Team,
    alone: bool,
}

impl Team {
    /// The greatest number of rotations in a pause. A rotation that is held up takes at most twice
    /// as long as one by the calling thread alone, so that permanently busy cores cost an eighth.
    const LONGEST_REST: u32 = 8;

    /// Starts the threads; a team of one thread has none.
    pub(super) fn new(threads: usize) -> Result<Team, Error> {
        let others = || Pool::new(threads - 1);
        Ok(Team {
            others: (threads > 1).then(others).transpose()?,
            running: AtomicUsize::new(0),
            rest: AtomicU32::new(0),
            last_rest: AtomicU32::new(0),
        })
    }

    /// Registers a call as in progress until the result is dropped.
    pub(super) fn enter(&self) -> Running<'_> {
        Running { team: self, alone: self.running.fetch_add(1, Relaxed) == 0 }
    }

    /// Returns the number of threads in the team, the caller's included.
    pub(super) fn threads(&self) -> usize {
        1 + self.others.as_ref().map_or(0, Pool::threads)
    }

    /// Runs `rotate`, which does a part of the work, on all threads of the team.
    ///
    /// The calling thread takes a part too. If it slept instead, the other threads would be woken
    /// while its core still counts as busy, and two of them would often be scheduled on one core.
    pub(super) fn run(&self, work: &SharedRotation<'_>, rotate: impl Fn() + Sync) {
        let Some(others) = &self.others else { return rotate() };
        others.with_caller(rotate);
        self.judge(if work.was_held_up() { Outcome::HeldUp } else { Outcome::Whole });
    }

    /// Decides after a rotation whether to pause the team.
    fn judge(&self, outcome: Outcome) {
        let last = self.last_rest.load(Relaxed);
        let (rest, length) = match outcome {
            Outcome::Whole => (0, last / 2),
            Outcome::HeldUp => {
                let rest = (2 * last).clamp(1, Self::LONGEST_REST);
                (rest, rest)
            }
        };
        self.last_rest.store(length, Relaxed);
        self.rest.store(rest, Relaxed);
    }
}

impl<'a> Running<'a> {
    /// Returns the team, unless other calls are in progress, the team is paused, or there is none.
    ///
    /// Threads of a pool get no team: the other threads of that pool have work of their own,
    /// some of which the calling thread would take up while it waits.
    pub(super) fn team(&self) -> Option<&'a Team> {
        let less = |rest: u32| rest.checked_sub(1);
        let free = self.alone && self.team.others.is_some();
        let free = free && !in_pool();
        (free && self.team.rest.fetch_update(Relaxed, Relaxed, less).is_err()).then_some(self.team)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.team.running.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lone_call_has_the_team() {
        let team = Team::new(2).unwrap();
        let first = team.enter();
        assert!(first.team().is_some());
        let second = team.enter();
        assert!(second.team().is_none());
        drop(first);
        assert!(team.enter().team().is_none());
        drop(second);
        assert!(team.enter().team().is_some());
    }

    #[test]
    fn one_thread_is_no_team_and_threads_of_a_pool_have_none() {
        assert!(Team::new(1).unwrap().enter().team().is_none());
        let team = Team::new(2).unwrap();
        let other = Pool::new(1).unwrap();
        assert_eq!(other.map(0..1, |_| team.enter().team().is_none()), [true]);
    }

    #[test]
    fn rests_grow_while_rotations_are_held_up() {
        let team = Team::new(2).unwrap();
        let refused = || (0..100).take_while(|_| team.enter().team().is_none()).count();
        for expected in [1, 2, 4, 8, 8, 8] {
            team.judge(Outcome::HeldUp);
            assert_eq!(refused(), expected);
        }
        for _ in 0..3 {
            team.judge(Outcome::Whole);
            assert_eq!(refused(), 0);
        }
        team.judge(Outcome::HeldUp);
        assert_eq!(refused(), 2);
    }
}
