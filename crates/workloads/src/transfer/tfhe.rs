//! `transfer` on encrypted integers of TFHE.

use fathom::tfhe::Params;
use fathom::tfhe::integer::{Integers, RadixInt, ValueType};

use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// The implementation.
pub(super) const PROGRAM: Program = Program {
    method: "comparison, selection of the amount or 0, difference and sum",
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
    let transfers: Vec<_> = from.iter().zip(to).zip(amount).collect();
    let balances = integers.map(&transfers, |integers, ((from, to), amount)| {
        let covered = integers.ge(*from, *amount)?;
        let moved: RadixInt = integers.select(&covered, *amount, &zero)?;
        Ok((integers.sub(*from, &moved)?, integers.add(*to, &moved)?))
    })?;
    let (from, to) = balances.into_iter().unzip();
    Ok(Encrypted::default().with_integers("from", from).with_integers("to", to))
}
