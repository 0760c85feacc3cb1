//! The work of a run, in units that a machine can be measured in.

use fathom_planner::{BootstrapWork, RingWork};

/// The cost of a run of a task, found by running its code on simulated ciphertexts.
#[derive(Clone, Debug)]
pub struct Work {
    /// The operations of both roles.
    pub operations: Operations,
    /// The number of times that the simulated part of the circuit counts; 1 if all of it was
    /// simulated. Sizes whose circuit repeats a part are simulated by one repetition.
    pub repeats: u64,
}

/// Operations, by the family of schemes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Operations {
    /// Lookup tables on blocks of TFHE.
    Bootstraps(BootstrapWork),
    /// Operations on vectors in the slots of BFV or CKKS.
    Ring(RingWork),
}

/// A part of a circuit that the whole repeats, so that a large task is simulated by a small one.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    /// The task whose circuit is one repetition.
    pub(crate) task: crate::Task,
    /// Number of repetitions.
    pub(crate) times: u64,
}

impl Excerpt {
    /// Returns the same task with at most `most` of what `number` counts, if it has more of them.
    pub(crate) fn of_number(task: &crate::Task, number: &str, most: u64) -> Option<Excerpt> {
        let count = *task.shape.get(number)?;
        let mut part = task.clone();
        part.shape.insert(number.into(), most);
        (count > most).then(|| Excerpt { task: part, times: count.div_ceil(most) })
    }
}
