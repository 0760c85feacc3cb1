//! The interface of a workload.

use crate::verify::compare;
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

    /// Returns the inputs of a task for a seed.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the shape lacks a number.
    fn inputs(&self, task: &Task, seed: u64) -> Result<Inputs, Error> {
        self.generate(task, &mut Random::new(seed))
    }

    /// Compares outputs with those that the specification defines.
    ///
    /// # Errors
    /// [`Error::Wrong`] with the first value that differs by more than the tolerance;
    /// [`Error::Column`] if columns differ in name, type or length.
    fn verify(&self, task: &Task, inputs: &Inputs, outputs: &Data) -> Result<(), Error> {
        compare(&self.reference(task, inputs)?, outputs, self.spec().tolerance)
    }
}
