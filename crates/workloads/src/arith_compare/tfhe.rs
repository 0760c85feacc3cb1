//! `arith-compare` on encrypted integers of TFHE.

use fathom::tfhe::integer::{FheBool, FheValue, Integers, RadixInt, ValueType};
use fathom::tfhe::{Block, Params};

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
            integers.map(&tuples, |integers, &i| product_le(integers, [&a[i], &b[i]], &c[i]))?,
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
                let smaller = product_le(integers, [&a[i], &b[i]], &c[i])?;
                integers.select(&smaller, &d[i], &zero)
            })?,
        ),
        _ => result.with_truths(
            "result",
            integers.map(&tuples, |integers, &i| {
                products_le(integers, [&a[i], &b[i]], [&c[i], &d[i]])
            })?,
        ),
    })
}

/// Tuples are independent, and up to this number are simulated.
const SIMULATED: u64 = 64;

/// Returns whether `a * b <= bound`. The product plus `4^k - 1 - bound`, for `k` digits, reaches
/// `4^k` if and only if it exceeds the bound: its digits are not computed.
fn product_le(
    integers: &Integers,
    [a, b]: [&RadixInt; 2],
    bound: &RadixInt,
) -> Result<FheBool, fathom::Error> {
    let mut columns = integers.product_columns(a, b)?;
    let digits = columns.len().max(bound.blocks().len());
    columns.resize(digits, Vec::new());
    let zero = Block::trivial(integers.params().space(), 0);
    let bound = bound.blocks().iter().chain(std::iter::repeat(&zero));
    for (column, digit) in columns.iter_mut().zip(bound) {
        column.push(complement(digit, DIGIT_MAX));
    }
    integers.not(&integers.carry_of_columns(&columns)?)
}

/// Returns whether `a * b <= c * d`: whether `a b - c d - 1`, to which `4^k` is added, does not
/// reach `4^k`.
///
/// Each digit of `c d` is complemented to its greatest value, and clear digits make up for the
/// difference of all these values and `4^k - 1`.
fn products_le(
    integers: &Integers,
    [a, b]: [&RadixInt; 2],
    [c, d]: [&RadixInt; 2],
) -> Result<FheBool, fathom::Error> {
    let mut columns = integers.product_columns(a, b)?;
    // The greatest digits of all rows together have a carry into one digit more.
    columns.push(Vec::new());
    let mut excess = vec![0; columns.len()];
    for (place, blocks) in integers.product_columns(c, d)?.iter().enumerate() {
        for block in blocks {
            let (_, greatest) = block.range();
            excess[place] += greatest;
            columns[place].push(complement(block, greatest));
        }
    }
    let (space, mut carry) = (integers.params().space(), 0);
    for (column, excess) in columns.iter_mut().zip(excess) {
        let digit = excess + carry;
        carry = digit >> 2;
        column.push(Block::trivial(space, DIGIT_MAX - (digit & DIGIT_MAX)));
    }
    integers.not(&integers.carry_of_columns(&columns)?)
}

/// The greatest digit.
const DIGIT_MAX: i32 = 3;

/// Returns `greatest - digit`.
fn complement(digit: &Block, greatest: i32) -> Block {
    digit.neg().add_scalar(greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_compared_exactly() {
        let integers = Integers::simulated(&Params::preset(Params::INTEGERS).unwrap()).unwrap();
        let space = integers.params().space();
        // Numbers of bootstraps of both, as docs/maths/tfhe-programs.md states them.
        for (bits, one, two) in [(8, 28, 49), (16, 72, 137), (32, 219, 422), (64, 736, 1441)] {
            let number = |value: u128, bits: usize| {
                let ty = ValueType::unsigned(bits).unwrap();
                RadixInt::from_digits(ty, value, |x| Block::simulated(space, x, (0, 3))).unwrap()
            };
            let truth = |flag: &FheBool| space.decode(flag.block().lwe().body()) == 1;
            let most = u128::MAX >> (128 - bits);
            let values = [0, 1, 2, 7, most / 3, most - 1, most];
            let pairs = values.iter().flat_map(|&a| values.map(|b| (a, b)));
            for (index, (a, b)) in pairs.enumerate() {
                let product = a * b;
                let factors = [&number(a, bits), &number(b, bits)];
                for bound in [product, product.saturating_sub(1), product + 1] {
                    let before = integers.counts().bootstraps;
                    let bounded = product_le(&integers, factors, &number(bound, 2 * bits));
                    assert_eq!(integers.counts().bootstraps - before, one, "{bits} bits");
                    assert_eq!(truth(&bounded.unwrap()), product <= bound, "{a} * {b} <= {bound}");
                }
                let (c, d) = (values[index % 7], values[index / 2 % 7]);
                let before = integers.counts().bootstraps;
                let others = [&number(c, bits), &number(d, bits)];
                let ordered = products_le(&integers, factors, others).unwrap();
                assert_eq!(integers.counts().bootstraps - before, two, "{bits} bits");
                assert_eq!(truth(&ordered), product <= c * d, "{a} * {b} <= {c} * {d}");
            }
        }
    }
}
