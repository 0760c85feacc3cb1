//! `arith-compare`: products in the type of twice the width, then the comparison operators.

use fathom_workloads::{Error, Task};
use rayon::prelude::*;
use tfhe::prelude::{CastFrom, FheOrd, IfThenZero};
use tfhe::{
    FheBool, FheUint, FheUint6Id, FheUint8Id, FheUint12Id, FheUint16Id, FheUint24Id, FheUint32Id,
};

use super::columns::{Encrypted, Field, Kind};
use super::program::Program;
use super::width::{Width, missing};

/// The program.
pub(super) const PROGRAM: Program = Program {
    method: "casts to twice the width, products and comparisons of the high-level interface",
    supports,
    inputs,
    outputs,
    circuit: |task, _, inputs| match task.number("bits")? {
        6 => circuit::<FheUint6Id, FheUint12Id>(task, inputs),
        8 => circuit::<FheUint8Id, FheUint16Id>(task, inputs),
        12 => circuit::<FheUint12Id, FheUint24Id>(task, inputs),
        16 => circuit::<FheUint16Id, FheUint32Id>(task, inputs),
        bits => Err(missing(bits)),
    },
};

fn supports(task: &Task) -> Result<(), Error> {
    match task.number("bits")? {
        6 | 8 | 12 | 16 => Ok(()),
        bits => Err(missing(bits)),
    }
}

/// Returns true if `c` is as wide as a product.
fn is_wide(task: &Task) -> bool {
    matches!(task.variant.as_str(), "w1" | "w3-select")
}

/// Returns true if the result is a truth value.
fn is_truth(task: &Task) -> bool {
    matches!(task.variant.as_str(), "w1" | "w3-products")
}

fn inputs(task: &Task) -> Result<Vec<Field>, Error> {
    let (tuples, bits) = (task.number("tuples")?, task.number("bits")?);
    let bound = if is_wide(task) { 2 * bits } else { bits };
    let mut fields = vec![
        Field::new("a", Kind::Integer(bits), tuples),
        Field::new("b", Kind::Integer(bits), tuples),
        Field::new("c", Kind::Integer(bound), tuples),
    ];
    if task.variant.starts_with("w3") {
        fields.push(Field::new("d", Kind::Integer(bits), tuples));
    }
    Ok(fields)
}

fn outputs(task: &Task) -> Result<Vec<Field>, Error> {
    let kind = if is_truth(task) { Kind::Truth } else { Kind::Integer(task.number("bits")?) };
    Ok(vec![Field::new("result", kind, task.number("tuples")?)])
}

/// Computes all tuples of integers of width `N`, whose products have width `W`.
fn circuit<N: Width, W: Width>(task: &Task, inputs: &Encrypted) -> Result<Encrypted, Error> {
    let a = inputs.column::<FheUint<N>>("a")?;
    let b = inputs.column::<FheUint<N>>("b")?;
    let pairs = a.par_iter().zip(b);
    let result = Encrypted::default();
    Ok(match task.variant.as_str() {
        "w1" => {
            let c = inputs.column::<FheUint<W>>("c")?;
            let le = |((a, b), c): ((&_, &_), &_)| product::<N, W>(a, b).le(c);
            result.with::<FheBool>("result", pairs.zip(c).map(le).collect())
        }
        "w2" => {
            let c = inputs.column::<FheUint<N>>("c")?;
            let select = |((a, b), c): ((&FheUint<N>, &FheUint<N>), &_)| a.le(b).if_then_zero(c);
            result.with::<FheUint<N>>("result", pairs.zip(c).map(select).collect())
        }
        "w3-select" => {
            let (c, d) = (inputs.column::<FheUint<W>>("c")?, inputs.column::<FheUint<N>>("d")?);
            let select = |(((a, b), c), d): (((&_, &_), &_), &_)| {
                product::<N, W>(a, b).le(c).if_then_zero(d)
            };
            result.with::<FheUint<N>>("result", pairs.zip(c).zip(d).map(select).collect())
        }
        _ => {
            let (c, d) = (inputs.column::<FheUint<N>>("c")?, inputs.column::<FheUint<N>>("d")?);
            let le = |(((a, b), c), d): (((&_, &_), &_), &_)| {
                let products = || product::<N, W>(c, d);
                let (left, right) = rayon::join(|| product::<N, W>(a, b), products);
                left.le(&right)
            };
            result.with::<FheBool>("result", pairs.zip(c).zip(d).map(le).collect())
        }
    })
}

/// Multiplies exactly.
fn product<N: Width, W: Width>(a: &FheUint<N>, b: &FheUint<N>) -> FheUint<W> {
    FheUint::<W>::cast_from(a.clone()) * FheUint::<W>::cast_from(b.clone())
}
