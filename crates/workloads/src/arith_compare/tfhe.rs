//! `arith-compare` on encrypted integers of TFHE.

use fathom::tfhe::Params;
use fathom::tfhe::integer::{Integers, RadixInt, ValueType};

use super::operands::{has_d, wide_bound};
use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// Products, comparisons and selections as a program on encrypted integers.
pub(super) const PROGRAM: Program = Program {
    method: "comparisons by the carries of products less their bounds, all tuples at once",
    params: Params::INTEGERS,
    supports: |_| Ok(()),
    inputs,
    outputs,
    circuit,
    excerpt: |task| Excerpt::of_number(task, "tuples", SIMULATED),
};

fn inputs(task: &Task) -> Result<Vec<Field>, Error> {
    let (tuples, bits) = (task.number("tuples")?, task.number("bits")?);
    let wide = if wide_bound(task) { 2 * bits } else { bits };
    let mut fields = vec![
        Field::new("a", Kind::Integer(bits), tuples),
        Field::new("b", Kind::Integer(bits), tuples),
        Field::new("c", Kind::Integer(wide), tuples),
    ];
    if has_d(task) {
        fields.push(Field::new("d", Kind::Integer(bits), tuples));
    }
    Ok(fields)
}

fn outputs(task: &Task) -> Result<Vec<Field>, Error> {
    let kind = match task.variant.as_str() {
        "w1" | "w3-products" => Kind::Truth,
        _ => Kind::Integer(task.number("bits")?),
    };
    Ok(vec![Field::new("result", kind, task.number("tuples")?)])
}

fn circuit(
    integers: &Integers,
    task: &Task,
    _: &Data,
    inputs: &Encrypted,
) -> Result<Encrypted, Error> {
    let zero = RadixInt::trivial(ValueType::unsigned(task.number("bits")?)?, 0_u8)?;
    let [a, b, c] = ["a", "b", "c"].map(|name| inputs.integers(name));
    let (a, b, c) = (a?, b?, c?);
    let d = if has_d(task) { inputs.integers("d")? } else { c };
    let tuples: Vec<usize> = (0..a.len()).collect();
    let result = Encrypted::default();
    Ok(match task.variant.as_str() {
        "w1" => result.with_truths(
            "result",
            integers.map(&tuples, |integers, &i| integers.product_le(&a[i], &b[i], &c[i]))?,
        ),
        "w2" => result.with_integers(
            "result",
            integers.map(&tuples, |integers, &i| {
                let smaller = integers.le(&a[i], &b[i])?;
                integers.select(&smaller, &c[i], &zero)
            })?,
        ),
        "w3-select" => result.with_integers(
            "result",
            integers.map(&tuples, |integers, &i| {
                let smaller = integers.product_le(&a[i], &b[i], &c[i])?;
                integers.select(&smaller, &d[i], &zero)
            })?,
        ),
        _ => result.with_truths(
            "result",
            integers.map(&tuples, |integers, &i| {
                integers.products_le([&a[i], &b[i]], [&c[i], &d[i]])
            })?,
        ),
    })
}

/// Tuples are independent, and up to this number are simulated.
const SIMULATED: u64 = 64;
