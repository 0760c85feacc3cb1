//! `arith-compare` on encrypted integers of TFHE.

use fathom::tfhe::Params;
use fathom::tfhe::integer::{Integers, RadixInt, ValueType};

use super::operands::{has_d, wide_bound};
use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// The implementation.
pub(super) const PROGRAM: Program = Program {
    method: "exact products and comparisons of integers in two-bit blocks",
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
    let bits = task.number("bits")?;
    let wide = ValueType::unsigned(2 * bits)?;
    let [a, b, c] = ["a", "b", "c"].map(|name| inputs.integers(name));
    let [a, b, c] = [a?, b?, c?];
    let product = |x: &RadixInt, y: &RadixInt| -> Result<RadixInt, Error> {
        let [x, y] = [integers.cast_to(x, wide)?, integers.cast_to(y, wide)?];
        Ok(integers.mul(&x, &y)?)
    };
    let (mut truths, mut values) = (Vec::new(), Vec::new());
    for i in 0..a.len() {
        let zero = RadixInt::trivial(ValueType::unsigned(bits)?, 0u8)?;
        match task.variant.as_str() {
            "w1" => truths.push(integers.le(&product(&a[i], &b[i])?, &c[i])?),
            "w2" => {
                let smaller = integers.le(&a[i], &b[i])?;
                values.push(integers.select(&smaller, &c[i], &zero)?);
            }
            "w3-select" => {
                let smaller = integers.le(&product(&a[i], &b[i])?, &c[i])?;
                values.push(integers.select(&smaller, &inputs.integers("d")?[i], &zero)?);
            }
            _ => {
                let right = product(&c[i], &inputs.integers("d")?[i])?;
                truths.push(integers.le(&product(&a[i], &b[i])?, &right)?);
            }
        }
    }
    let result = Encrypted::default();
    Ok(if truths.is_empty() {
        result.with_integers("result", values)
    } else {
        result.with_truths("result", truths)
    })
}

/// Tuples are independent, and up to this number are simulated.
const SIMULATED: u64 = 64;
