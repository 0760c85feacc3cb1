//! Runs operations in step: each has a thread of its own, and their layers of bootstraps form one
//! batch each.

use super::lockstep::Lockstep;
use super::{Error, Evaluator, Policy};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

/// The greatest number of operations in step.
const MEMBERS: usize = 64;

/// The evaluator of one operation; the others no longer wait for it once it is dropped.
struct Member<'e> {
    evaluator: &'e Evaluator,
    lockstep: Arc<Lockstep>,
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.lockstep.leave(self.evaluator);
    }
}

impl Evaluator {
    /// Runs `operation` for the indices below `count` in step and returns the results in order.
    ///
    /// Within an operation that is itself one of several in step, the operations run one after the
    /// other.
    pub(super) fn in_step<B: Send>(
        &self,
        count: usize,
        operation: impl Fn(&Evaluator, usize) -> Result<B, Error> + Sync,
    ) -> Result<Vec<B>, Error> {
        if count <= 1 || self.is_in_step() {
            return (0..count).map(|index| operation(self, index)).collect();
        }
        let members = count.min(MEMBERS);
        let lockstep = Arc::new(Lockstep::of(members));
        let policy = match self.policy() {
            Policy::Chains(threads) => Policy::for_threads(threads / members),
            policy @ (Policy::Work | Policy::Latency) => policy,
        };
        let own = self.with_policy(policy).with_lockstep(Arc::clone(&lockstep));
        let members: Vec<_> = (0..members)
            .map(|_| Member { evaluator: self, lockstep: Arc::clone(&lockstep) })
            .collect();
        let step = members.len();
        let results = thread::scope(|scope| {
            let threads = members.into_iter().enumerate().map(|(first, member)| {
                let (own, operation) = (&own, &operation);
                // An error ends the work of its member, not of the others.
                let work = move || -> Vec<Result<B, Error>> {
                    let _member = member;
                    (first..count).step_by(step).map(|index| operation(own, index)).collect()
                };
                thread::Builder::new().spawn_scoped(scope, work)
            });
            let threads: Vec<_> = threads.collect();
            let results = threads.into_iter().map(|thread| match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(error) => {
                    vec![Err(Error::Threads { threads: step, reason: error.to_string() })]
                }
            });
            results.collect::<Vec<_>>()
        });
        let mut results: Vec<_> = results.into_iter().map(Vec::into_iter).collect();
        let mut ordered = Vec::with_capacity(count);
        for index in 0..count {
            // A member that was not started has one result: the reason.
            let result = results[index % step].next().expect("an error ends the list");
            ordered.push(result?);
        }
        Ok(ordered)
    }
}
