//! The place of an operation among those that run in step.

use super::bootstrap::task::{Outputs, Task};
use super::lockstep::{Lockstep, RunNow};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The place of an operation among those in step.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) meeting: Meeting,
    pub(super) member: usize,
}

/// The way in which the layers of operations in step become those of batches.
#[derive(Clone, Debug)]
pub(super) enum Meeting {
    /// The threads of the operations meet.
    Lockstep(Arc<Lockstep>),
    /// A simulation computes nothing and thus needs not meet: layers are counted.
    Tally(Arc<Tally>),
}

impl Step {
    /// Evaluates a layer of the operation in a batch. Returns `None` if it was cancelled.
    pub(super) fn run(
        &self,
        engine: &impl RunNow,
        tasks: &[Task<'_>],
        bootstraps: usize,
    ) -> Option<Outputs> {
        match &self.meeting {
            Meeting::Lockstep(lockstep) => lockstep.run(self.member, tasks, bootstraps),
            Meeting::Tally(tally) if tally.count(self.member, bootstraps) => Some(Vec::new()),
            Meeting::Tally(_) => engine.run_now(tasks, bootstraps),
        }
    }
}

/// The layers of operations in step in a simulation.
///
/// Layer `i` of each member belongs to batch `i`, as in a meeting where all wait for all. The
/// numbers thus do not depend on who runs when.
#[derive(Debug)]
pub(super) struct Tally {
    /// Number of layers of each member, and the number of bootstraps in each batch; `None` once the
    /// operations are done.
    layers: Mutex<Option<(Vec<usize>, Vec<u64>)>>,
}

impl Tally {
    pub(super) fn of(members: usize) -> Tally {
        Tally { layers: Mutex::new(Some((vec![0; members], Vec::new()))) }
    }

    /// Counts a layer of a member; returns whether the operations are still in step.
    fn count(&self, member: usize, bootstraps: usize) -> bool {
        let mut layers = self.lock();
        let Some((next, batches)) = layers.as_mut() else { return false };
        let batch = next[member];
        next[member] += 1;
        if batches.len() <= batch {
            batches.resize(batch + 1, 0);
        }
        batches[batch] += bootstraps as u64;
        true
    }

    /// Returns the number of bootstraps in each batch, and ends the count.
    pub(super) fn finish(&self) -> Vec<u64> {
        self.lock().take().map(|(_, batches)| batches).unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Vec<usize>, Vec<u64>)>> {
        self.layers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_counted_as_if_all_waited_for_all() {
        let tally = Tally::of(3);
        // One member after the other, in any order.
        for (member, bootstraps) in [(2, 5), (2, 1), (0, 7), (1, 3), (1, 2), (1, 4)] {
            assert!(tally.count(member, bootstraps));
        }
        assert_eq!(tally.finish(), [15, 3, 4]);
        assert!(!tally.count(0, 1));
    }
}
