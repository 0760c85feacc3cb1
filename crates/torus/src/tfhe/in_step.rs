//! Runs operations in step: each has a thread of its own, and their layers of bootstraps form one
//! batch each.

use super::lockstep::Lockstep;
use super::step::{Meeting, Step, Tally};
use super::{Error, Evaluator, ListError, Policy};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, Builder};

/// The greatest number of operations in step.
const MEMBERS: usize = 64;

/// The operations of one thread: those whose indices are `first` modulo the number of threads.
struct Member {
    first: usize,
    meeting: Meeting,
}

impl Drop for Member {
    fn drop(&mut self) {
        if let Meeting::Lockstep(lockstep) = &self.meeting {
            lockstep.leave(self.first);
        }
    }
}

impl Evaluator {
    /// Applies an operation to every element and returns the results in order:
    /// `evaluator.map(&blocks, |evaluator, block| evaluator.apply(block, &table))?`.
    ///
    /// Up to 64 operations run in step: their layers of bootstraps are merged into one batch each.
    /// This uses all threads and caches, however few bootstraps an operation has at a time. Errors
    /// are those of the first element that has one.
    ///
    /// The operation should use the evaluator that it is given, not one that it captures, whose
    /// layers are not merged. It may wait for a lock, a channel or the operation of an earlier
    /// element: a batch waits for missing operations as long as the last one took, but at least 20
    /// ms and at most a second, and is then evaluated without them.
    ///
    /// # Errors
    /// Those of the operation.
    pub fn map<A: Sync, B: Send>(
        &self,
        elements: &[A],
        operation: impl Fn(&Evaluator, &A) -> Result<B, Error> + Sync,
    ) -> Result<Vec<B>, Error> {
        self.in_step(elements.len(), |evaluator, index| operation(evaluator, &elements[index]))
    }

    /// Applies an operation to the elements of two slices, pair by pair; see [`Evaluator::map`].
    ///
    /// # Errors
    /// [`ListError::LengthMismatch`]; the errors of the operation.
    pub fn zip<A: Sync, B: Sync, C: Send>(
        &self,
        left: &[A],
        right: &[B],
        operation: impl Fn(&Evaluator, &A, &B) -> Result<C, Error> + Sync,
    ) -> Result<Vec<C>, Error> {
        if left.len() != right.len() {
            return Err(ListError::LengthMismatch { left: left.len(), right: right.len() }.into());
        }
        self.in_step(left.len(), |evaluator, index| {
            operation(evaluator, &left[index], &right[index])
        })
    }

    /// Runs `operation` for the indices below `count` in step and returns the results in order.
    ///
    /// Within an operation that is itself one of several in step, the operations run one after the
    /// other, as they do if other operations in step of this evaluator have all threads. An
    /// operation may wait for another one with a lower index.
    fn in_step<B: Send>(
        &self,
        count: usize,
        operation: impl Fn(&Evaluator, usize) -> Result<B, Error> + Sync,
    ) -> Result<Vec<B>, Error> {
        if count <= 1 || self.is_in_step() {
            return (0..count).map(|index| operation(self, index)).collect();
        }
        // Neither policy nor counts depend on how many threads there are.
        let members = count.min(MEMBERS);
        let policy = match self.policy() {
            Policy::Chains(threads) => Policy::for_threads(threads / members),
            policy @ (Policy::Work | Policy::Latency) => policy,
        };
        let own = self.with_policy(policy);
        let allowance = self.helpers().at_most(members - 1);
        let threads = 1 + allowance.threads;
        if self.has_keys() && threads == 1 {
            return (0..count).map(|index| operation(&own, index)).collect();
        }
        if self.has_keys() {
            let engine = Arc::new(own.clone());
            let meeting = Meeting::Lockstep(Arc::new(Lockstep::of(threads, engine)));
            let evaluator = |member| own.with_step(Step { meeting: meeting.clone(), member });
            return on_threads(threads, &meeting, count, |thread, index| {
                operation(&evaluator(thread), index)
            });
        }
        let tally = Arc::new(Tally::of(members));
        let meeting = Meeting::Tally(Arc::clone(&tally));
        let evaluator = |member| own.with_step(Step { meeting: meeting.clone(), member });
        // The operations of a member must run in order.
        let threads = if threads == members { threads } else { 1 };
        let results = on_threads(threads, &meeting, count, |_, index| {
            operation(&evaluator(index % members), index)
        });
        tally.finish().into_iter().for_each(|bootstraps| self.count(bootstraps));
        results
    }
}

/// Calls `operation` with the number of a thread and an index, for the indices below `count`, and
/// returns the results in order. The calling thread is the first one and does the work of those
/// that cannot be started.
fn on_threads<B: Send>(
    threads: usize,
    meeting: &Meeting,
    count: usize,
    operation: impl Fn(usize, usize) -> Result<B, Error> + Sync,
) -> Result<Vec<B>, Error> {
    let member = |first| Member { first, meeting: meeting.clone() };
    // An error ends the work of its member, not of the others.
    let work = |member: Member, mut firsts: Vec<usize>| -> Vec<(usize, Result<B, Error>)> {
        let mut results = Vec::new();
        for index in 0..count {
            if let Some(place) = firsts.iter().position(|first| index % threads == *first) {
                let result = operation(member.first, index);
                if result.is_err() {
                    firsts.swap_remove(place);
                }
                results.push((index, result));
            }
        }
        results
    };
    let mut results: Vec<_> = thread::scope(|scope| {
        let own = member(0);
        let (mut firsts, mut started) = (vec![0], Vec::new());
        for first in 1..threads {
            let (work, member) = (&work, member(first));
            match Builder::new().spawn_scoped(scope, move || work(member, vec![first])) {
                Ok(thread) => started.push(thread),
                Err(_) => firsts.push(first),
            }
        }
        let mut results = work(own, firsts);
        for thread in started {
            results.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}
