//! `transfer`: as the benchmark of confidential transfers of tfhe-rs computes it in parallel.

use fathom_workloads::{Data, Error, Task};
use rayon::prelude::*;
use tfhe::FheUint;
use tfhe::prelude::{FheOrd, IfThenZero};

use super::columns::{Encrypted, Field, Kind};
use super::program::Program;
use super::width::{Width, with_width};

/// The program.
pub(super) const PROGRAM: Program = Program {
    method: "comparison, the amount or 0, then difference and sum in parallel",
    supports: |task| with_width!(task.number("bits")?, _Id => Ok(())),
    inputs: |task| balances(task, &["from", "to", "amount"]),
    outputs: |task| balances(task, &["from", "to"]),
    circuit: circuit_of_width,
};

fn circuit_of_width(task: &Task, _: &Data, inputs: &Encrypted) -> Result<Encrypted, Error> {
    with_width!(task.number("bits")?, Id => circuit::<Id>(inputs))
}

fn balances(task: &Task, names: &[&'static str]) -> Result<Vec<Field>, Error> {
    let (transfers, kind) = (task.number("transfers")?, Kind::Integer(task.number("bits")?));
    Ok(names.iter().map(|name| Field::new(name, kind, transfers)).collect())
}

fn circuit<N: Width>(inputs: &Encrypted) -> Result<Encrypted, Error> {
    let from = inputs.column::<FheUint<N>>("from")?;
    let to = inputs.column::<FheUint<N>>("to")?;
    let amounts = inputs.column::<FheUint<N>>("amount")?;
    let (mut new_from, mut new_to) = (Vec::new(), Vec::new());
    let transfers = from.par_iter().zip(to).zip(amounts);
    transfers
        .map(|((from, to), amount)| {
            let moved = from.ge(amount).if_then_zero(amount);
            rayon::join(|| from - &moved, || to + &moved)
        })
        .unzip_into_vecs(&mut new_from, &mut new_to);
    Ok(Encrypted::default().with("from", new_from).with("to", new_to))
}
