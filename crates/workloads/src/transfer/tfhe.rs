//! `transfer` on encrypted integers of TFHE.

use fathom::tfhe::Params;
use fathom::tfhe::integer::{Integers, RadixInt, ValueType};

use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// The transfers as a program on encrypted integers.
pub(super) const PROGRAM: Program = Program {
    method: "comparison, selection of the amount or 0, then differences and sums in common layers",
    params: Params::INTEGERS,
    supports: |_| Ok(()),
    inputs,
    outputs,
    circuit,
    excerpt: |task| Excerpt::of_number(task, "transfers", SIMULATED),
};

/// Transfers are independent, and up to this number are simulated.
const SIMULATED: u64 = 64;

fn inputs(task: &Task) -> Result<Vec<Field>, Error> {
    let (transfers, kind) = (task.number("transfers")?, Kind::Integer(task.number("bits")?));
    Ok(["from", "to", "amount"].map(|name| Field::new(name, kind, transfers)).to_vec())
}

fn outputs(task: &Task) -> Result<Vec<Field>, Error> {
    let (transfers, kind) = (task.number("transfers")?, Kind::Integer(task.number("bits")?));
    Ok(["from", "to"].map(|name| Field::new(name, kind, transfers)).to_vec())
}

fn circuit(
    integers: &Integers,
    task: &Task,
    _: &Data,
    inputs: &Encrypted,
) -> Result<Encrypted, Error> {
    let zero = RadixInt::trivial(ValueType::unsigned(task.number("bits")?)?, 0_u8)?;
    let [from, to, amount] = ["from", "to", "amount"].map(|name| inputs.integers(name));
    let (from, to, amount) = (from?, to?, amount?);
    let payments: Vec<_> = from.iter().zip(amount).collect();
    let moved = integers.map(&payments, |integers, (from, amount)| {
        let covered = integers.ge(*from, *amount)?;
        integers.select::<RadixInt>(&covered, *amount, &zero)
    })?;
    // Differences and sums propagate their carries in common layers.
    let payers = from.iter().zip(&moved).map(|(from, moved)| Update::Difference(from, moved));
    let payees = to.iter().zip(&moved).map(|(to, moved)| Update::Sum(to, moved));
    let updates: Vec<_> = payers.chain(payees).collect();
    let mut balances = integers.map(&updates, |integers, update| match update {
        Update::Difference(balance, moved) => integers.sub(*balance, *moved),
        Update::Sum(balance, moved) => integers.add(*balance, *moved),
    })?;
    let to = balances.split_off(from.len());
    Ok(Encrypted::default().with_integers("from", balances).with_integers("to", to))
}

/// The new value of a balance, from the old one and the amount that moves.
enum Update<'a> {
    Difference(&'a RadixInt, &'a RadixInt),
    Sum(&'a RadixInt, &'a RadixInt),
}
