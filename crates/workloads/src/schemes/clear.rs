//! Programs on TFHE computed on simulated ciphertexts, whose values are clear: tests of circuits at
//! sizes that take long under keys.

use fathom::tfhe::integer::{FheInteger, Integers};
use fathom::tfhe::{Block, Params};

use super::tfhe::{Encrypted, Kind, Program, push_digits, read_columns};
use crate::{Data, Error, Inputs, Task};

impl Program {
    /// Returns the result of the circuit on clear values, with all checks of ranges and noise.
    pub(crate) fn compute_in_the_clear(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let params = Params::preset(self.params)?;
        let space = params.space();
        let integers = Integers::simulated(&params)?;
        let fields = (self.inputs)(task)?;
        let mut digits = Vec::new();
        for field in &fields {
            for &value in inputs.secret.integers(field.name)? {
                push_digits(field, value, &mut digits)?;
            }
        }
        let blocks = digits.iter().map(|&digit| Block::simulated(space, digit as i32, (0, 3)));
        let columns = read_columns(&fields, blocks.collect())?;
        let outputs = (self.circuit)(&integers, task, &inputs.public, &columns)?;
        let value = |block: &Block| {
            let (low, period) = (block.range().0, 2 * space.half());
            low + (space.decode(block.lwe().body()) - low).rem_euclid(period)
        };
        Ok((self.outputs)(task)?.iter().fold(Data::new(), |data, field| {
            data.with_integers(field.name, values(&outputs, field.name, field.kind, &value))
        }))
    }

    /// Checks the result of the circuit on clear values for some seeds.
    pub(crate) fn check_in_the_clear(&self, id: [&str; 3], seeds: u64) {
        let workload = crate::find(id[0]).expect("the workload exists");
        let task = Task::new(workload.spec(), id[1], id[2]).expect("the task exists");
        for seed in 1..=seeds {
            let inputs = workload.inputs(&task, seed).expect("the shape is complete");
            let outputs = self.compute_in_the_clear(&task, &inputs).expect("the circuit computes");
            let verdict = workload.verify(&task, &inputs, &outputs);
            assert!(verdict.is_ok(), "{}, seed {seed}: {verdict:?}", task.id());
        }
    }
}

/// Reads the values of a column by the function that reads a block.
fn values(outputs: &Encrypted, name: &str, kind: Kind, value: &impl Fn(&Block) -> i32) -> Vec<u64> {
    match kind {
        Kind::Integer(_) => {
            let integers = outputs.integers(name).expect("the circuit returns the column");
            let number = |text: String| text.parse().expect("an integer of at most 64 bits");
            integers.iter().map(|integer| number(integer.to_digits(value).to_string())).collect()
        }
        Kind::Truth => {
            let truths = outputs.truths(name).expect("the circuit returns the column");
            truths.iter().map(|truth| value(truth.block()) as u64).collect()
        }
        Kind::Block => {
            let blocks = outputs.blocks(name).expect("the circuit returns the column");
            blocks.iter().map(|block| value(block) as u64).collect()
        }
    }
}
