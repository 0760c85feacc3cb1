//! All threads of a pool on one bootstrap.

use fathom_ring::SharedRotation;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The threads of a pool as a team for one rotation at a time.
///
/// In a rotation the threads wait for each other twice a step, that is every few microseconds. It
/// pays where each has a core to itself; where other work keeps one of them from running, all wait
/// for it, and the next rotations are better left to one thread each.
#[derive(Debug, Default)]
pub(super) struct Team {
    taken: AtomicBool,
    /// Rotations that will not be offered to the team.
    rest: AtomicU32,
    /// Rotations of the last rest, doubled with each late one in a row.
    last_rest: AtomicU32,
}

/// The team, for one rotation. Given back when dropped.
pub(super) struct Claim<'a> {
    team: &'a Team,
    pool: &'a ThreadPool,
}

impl Team {
    /// Late meetings that a rotation may have: with more, it took longer than on one thread.
    const LATE: usize = 16;

    /// The most rotations without the team.
    const LONGEST_REST: u32 = 64;

    /// The team, unless it has one thread, another rotation or a rest.
    pub(super) fn claim<'a>(&'a self, pool: &'a ThreadPool) -> Option<Claim<'a>> {
        let less = |rest: u32| rest.checked_sub(1);
        let order = Ordering::Relaxed;
        if pool.current_num_threads() == 1 || self.rest.fetch_update(order, order, less).is_ok() {
            return None;
        }
        let free = !self.taken.swap(true, Ordering::Acquire);
        free.then_some(Claim { team: self, pool })
    }

    /// Decides on a rest after a rotation.
    fn judge(&self, late: usize) {
        let rest = match self.last_rest.load(Ordering::Relaxed) {
            _ if late <= Self::LATE => 0,
            last => (2 * last).clamp(1, Self::LONGEST_REST),
        };
        self.last_rest.store(rest, Ordering::Relaxed);
        self.rest.store(rest, Ordering::Relaxed);
    }
}

impl Claim<'_> {
    /// Threads of the team.
    pub(super) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `rotate`, which takes a part of the work, on all threads.
    pub(super) fn run(&self, work: &SharedRotation<'_>, rotate: impl Fn() + Sync) {
        self.pool.broadcast(|_| rotate());
        self.team.judge(work.late());
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.team.taken.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    #[test]
    fn one_rotation_at_a_time_has_the_team() {
        let (team, pool) = (Team::default(), pool(2));
        let claim = team.claim(&pool);
        assert!(claim.is_some() && team.claim(&pool).is_none());
        drop(claim);
        assert!(team.claim(&pool).is_some());
    }

    #[test]
    fn one_thread_is_no_team() {
        assert!(Team::default().claim(&pool(1)).is_none());
    }

    #[test]
    fn rests_grow_while_rotations_are_late() {
        let (team, pool) = (Team::default(), pool(2));
        let refused = || (0..100).take_while(|_| team.claim(&pool).is_none()).count();
        for expected in [1, 2, 4, 8, 16, 32, 64, 64] {
            team.judge(Team::LATE + 1);
            assert_eq!(refused(), expected);
        }
        team.judge(Team::LATE);
        assert_eq!(refused(), 0);
        team.judge(Team::LATE + 1);
        assert_eq!(refused(), 1);
    }
}
