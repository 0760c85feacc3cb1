//! Several threads on one bootstrap.

use fathom_ring::SharedRotation;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// Threads that compute a rotation together, when nothing else runs on the evaluator: the one that
/// asks for it, and some that wait for such a call.
///
/// They wait for each other twice a step, that is every few microseconds. It pays where each has a
/// core to itself; where other work keeps one of them from running, the first does the rest of the
/// rotation alone, and the next rotations are better left to one thread each.
#[derive(Debug)]
pub(super) struct Team {
    /// Those that wait. Apart from the threads of batches, so that no rotation waits for the end of
    /// one.
    others: Option<ThreadPool>,
    /// Calls of the evaluator under way.
    running: AtomicUsize,
    /// Rotations that will not be offered to the team.
    rest: AtomicU32,
    /// Rotations of the last rest: doubled with each one that was held up, halved with each other.
    last_rest: AtomicU32,
}

/// How a rotation by the team went.
#[derive(Clone, Copy)]
enum Outcome {
    /// All threads did their parts.
    Whole,
    /// One did the work of others.
    HeldUp,
}

/// A call of the evaluator under way.
pub(in crate::tfhe) struct Running<'a> {
    team: &'a Team,
    alone: bool,
}

impl Team {
    /// The most rotations without the team.
    const LONGEST_REST: u32 = 64;

    /// With one thread there is no team.
    pub(super) fn new(threads: usize) -> Result<Team, ThreadPoolBuildError> {
        let others = || ThreadPoolBuilder::new().num_threads(threads - 1).build();
        Ok(Team {
            others: (threads > 1).then(others).transpose()?,
            running: AtomicUsize::new(0),
            rest: AtomicU32::new(0),
            last_rest: AtomicU32::new(0),
        })
    }

    /// Notes that a call is under way until the result is dropped.
    pub(super) fn enter(&self) -> Running<'_> {
        Running { team: self, alone: self.running.fetch_add(1, Relaxed) == 0 }
    }

    /// Threads of the team.
    pub(super) fn threads(&self) -> usize {
        1 + self.others.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Runs `rotate`, which takes a part of the work, on all threads.
    ///
    /// This thread takes a part too. If it slept meanwhile, the others would have to be woken for
    /// all cores, of which its own is still taken then: two of them were often put on one.
    pub(super) fn run(&self, work: &SharedRotation<'_>, rotate: impl Fn() + Sync) {
        let Some(others) = &self.others else { return rotate() };
        others.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| rotate());
            rotate();
        });
        self.judge(if work.was_held_up() { Outcome::HeldUp } else { Outcome::Whole });
    }

    /// Decides on a rest after a rotation.
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
    /// Returns the team, unless other calls are under way, it has a rest, or there is none.
    ///
    /// Nor is there one for a thread of a rayon pool: its other threads have work of their own, and
    /// it would take up some of that while it waits.
    pub(super) fn team(&self) -> Option<&'a Team> {
        let less = |rest: u32| rest.checked_sub(1);
        let free = self.alone && self.team.others.is_some();
        let free = free && rayon::current_thread_index().is_none();
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
        let other = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert!(other.install(|| team.enter().team().is_none()));
    }

    #[test]
    fn rests_grow_while_rotations_are_held_up() {
        let team = Team::new(2).unwrap();
        let refused = || (0..100).take_while(|_| team.enter().team().is_none()).count();
        for expected in [1, 2, 4, 8, 16, 32, 64, 64] {
            team.judge(Outcome::HeldUp);
            assert_eq!(refused(), expected);
        }
        for _ in 0..6 {
            team.judge(Outcome::Whole);
            assert_eq!(refused(), 0);
        }
        team.judge(Outcome::HeldUp);
        assert_eq!(refused(), 2);
    }
}
