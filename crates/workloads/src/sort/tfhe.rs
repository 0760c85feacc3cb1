//! `sort` on encrypted integers of TFHE.

use fathom::tfhe::Params;
use fathom::tfhe::integer::Integers;

use super::payloads::{PAYLOAD_BITS, has_payloads};
use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// The sort as a program on encrypted integers.
pub(super) const PROGRAM: Program = Program {
    method: "ranks within parts of 16 elements, then merges by Batcher's network",
    params: Params::INTEGERS,
    supports,
    inputs: columns,
    outputs: columns,
    circuit,
    excerpt: |task| Excerpt::of_number(task, "arrays", SIMULATED),
};

/// Lists are independent, and up to this number are simulated.
const SIMULATED: u64 = 8;

/// Longer lists are merged by exchanges, which do not keep the order of equal keys.
fn supports(task: &Task) -> Result<(), Error> {
    let elements = task.number("elements")?;
    if has_payloads(task) && elements > 16 {
        let reason = format!("{elements} pairs, more than the 16 whose order is stable");
        return Err(Error::Unsupported { scheme: "tfhe", reason });
    }
    Ok(())
}

fn columns(task: &Task) -> Result<Vec<Field>, Error> {
    let count = task.number("arrays")? * task.number("elements")?;
    let mut fields = vec![Field::new("keys", Kind::Integer(task.number("bits")?), count)];
    if has_payloads(task) {
        fields.push(Field::new("payloads", Kind::Integer(PAYLOAD_BITS), count));
    }
    Ok(fields)
}

fn circuit(
    integers: &Integers,
    task: &Task,
    _: &Data,
    inputs: &Encrypted,
) -> Result<Encrypted, Error> {
    let (elements, keys) = (task.number("elements")?, inputs.integers("keys")?);
    let lists: Vec<_> = keys.chunks(elements).collect();
    if !has_payloads(task) {
        let sorted = integers.map(&lists, |integers, list| integers.sort(list))?;
        return Ok(Encrypted::default().with_integers("keys", sorted.concat()));
    }
    let payloads: Vec<_> = inputs.integers("payloads")?.chunks(elements).collect();
    let sorted = integers
        .zip(&lists, &payloads, |integers, keys, payloads| integers.sort_by_key(keys, payloads))?;
    let (keys, payloads): (Vec<_>, Vec<_>) = sorted.into_iter().unzip();
    let result = Encrypted::default().with_integers("keys", keys.concat());
    Ok(result.with_integers("payloads", payloads.concat()))
}
