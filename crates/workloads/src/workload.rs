//! The workloads, and what each of them has to say.

use crate::arith_compare::ArithCompare;
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task};

/// A program on encrypted data.
pub trait Workload: Send + Sync {
    /// Returns the specification.
    fn spec(&self) -> &Spec;

    /// Makes the inputs of a task. They depend on the task and the stream alone, cover the full
    /// range of every column, and contain the edge cases: zero, the maximum, equal values.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the shape lacks a number.
    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error>;

    /// Computes the result of a task on clear data: the definition that ciphertexts are compared
    /// with, written for clarity.
    ///
    /// # Errors
    /// [`Error::Column`], [`Error::Unknown`] if the inputs are not those of the task.
    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error>;

    /// Returns the implementations, one for each scheme and algorithm.
    fn implementations(&self) -> Vec<Box<dyn Implementation>>;
}

/// Returns all workloads.
pub fn all() -> &'static [&'static dyn Workload] {
    &[&ArithCompare]
}

/// Returns the workload of a name.
pub fn find(name: &str) -> Option<&'static dyn Workload> {
    all().iter().copied().find(|workload| workload.spec().name == name)
}
