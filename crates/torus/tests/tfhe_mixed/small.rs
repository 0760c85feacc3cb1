//! Operations on small integers, bits and truth values.

use crate::tfhe_mixed::Row;
use crate::tfhe_mixed::value::{Kind, Value};
use crate::tfhe_mixed::world::World;
use fathom::Error;
use fathom::tfhe::boolean::{Bit, Gate};
use fathom::tfhe::integer::{FheBool, Integers};
use fathom::tfhe::shortint::{Operation, ShortInt, ShortInts};
use fathom_circuits::Formula;

/// The prefix of operations that may be refused for what their operands hold.
pub(crate) const UNCHECKED: &str = "unchecked";

pub(crate) fn rows() -> Vec<Row> {
    [shorts(), bits(), truths()].into_iter().flatten().collect()
}

/// Returns the operations of a world.
fn ints(world: &World) -> Result<ShortInts, Error> {
    ShortInts::new(world.evaluator.clone())
}

fn unchecked(
    name: &'static str,
    apply: fn(&ShortInts, &ShortInt, &ShortInt) -> Result<ShortInt, Error>,
    clear: fn(i64, i64) -> i64,
) -> Row {
    Row::new(
        name,
        2,
        move |world, x| {
            let x = ShortInt::all(x)?;
            apply(&ints(world)?, x[0], x[1]).map(ShortInt::wrapped)
        },
        move |x| clear(*x[0], *x[1]),
    )
}

fn shorts() -> Vec<Row> {
    let scalar = Row::drawn("unchecked_mul_scalar", 1, |world, dice| {
        let scalar = dice.below(world.params.message_modulus() as usize) as u32;
        Formula::new(
            scalar.to_string(),
            move |world: &World, x: &[&Value]| {
                ints(world)?
                    .unchecked_mul_scalar(ShortInt::of(x[0])?, scalar)
                    .map(ShortInt::wrapped)
            },
            move |x: &[&i64]| *x[0] * i64::from(scalar),
        )
    });
    let function = Row::drawn("apply", 1, |world, _| {
        let modulus = i64::from(world.params.message_modulus());
        let f = |x: u32| x.wrapping_mul(3) + 1;
        Formula::new(
            "3 x + 1",
            move |world: &World, x: &[&Value]| {
                ints(world)?.apply(ShortInt::of(x[0])?, f).map(ShortInt::wrapped)
            },
            move |x: &[&i64]| i64::from(f(x[0].rem_euclid(modulus) as u32)) % modulus,
        )
    });
    let call = Row::drawn("call", 2, |world, dice| {
        let operation = dice.pick(&Operation::ALL);
        let bits = world.params.spec().message_bits;
        let modulus = i64::from(world.params.message_modulus());
        let message = move |x: i64| x.rem_euclid(modulus) as u32;
        Formula::new(
            format!("{operation:?}"),
            move |world: &World, x: &[&Value]| {
                let x = ShortInt::all(x)?;
                ints(world)?.call(operation, x[0], x[1]).map(ShortInt::wrapped)
            },
            move |x: &[&i64]| {
                operation.of_clear(message(*x[0]), message(*x[1]), bits).unwrap().into()
            },
        )
    });
    let rows = [
        unchecked("unchecked_add", |e, x, y| e.unchecked_add(x, y), |x, y| x + y),
        unchecked("unchecked_sub", |e, x, y| e.unchecked_sub(x, y), |x, y| x - y),
        scalar,
        function,
        call.weight(4),
    ];
    rows.map(|row| row.group(ShortInt::NAME)).into()
}

fn gate(
    name: &'static str,
    of: for<'a> fn(&'a Bit, &'a Bit) -> Gate<'a>,
    clear: fn(bool, bool) -> bool,
) -> Row {
    Row::new(
        name,
        2,
        move |world, x| {
            let x = Bit::all(x)?;
            world.gates.gate(of(x[0], x[1])).map(Bit::wrapped)
        },
        move |x| clear(*x[0] == 1, *x[1] == 1).into(),
    )
}

fn gate_of_three(
    name: &'static str,
    of: for<'a> fn([&'a Bit; 3]) -> Gate<'a>,
    clear: fn([bool; 3]) -> bool,
) -> Row {
    Row::new(
        name,
        3,
        move |world, x| {
            let x = Bit::all(x)?;
            world.gates.gate(of([x[0], x[1], x[2]])).map(Bit::wrapped)
        },
        move |x| clear([*x[0] == 1, *x[1] == 1, *x[2] == 1]).into(),
    )
}

fn gate_of_all(
    name: &'static str,
    apply: fn(&World, &[Bit]) -> Result<Bit, Error>,
    clear: fn(i64) -> bool,
) -> Row {
    Row::new(
        name,
        3,
        move |world, x| {
            let x: Vec<Bit> = Bit::all(x)?.into_iter().cloned().collect();
            apply(world, &x).map(Bit::wrapped)
        },
        move |x| clear(x.iter().copied().sum()).into(),
    )
}

fn bits() -> Vec<Row> {
    let rows = [
        gate("and", |x, y| Gate::And(x, y), |x, y| x && y),
        gate("nand", |x, y| Gate::Nand(x, y), |x, y| !(x && y)),
        gate("or", |x, y| Gate::Or(x, y), |x, y| x || y),
        gate("nor", |x, y| Gate::Nor(x, y), |x, y| !(x || y)),
        gate("xor", |x, y| Gate::Xor(x, y), |x, y| x ^ y),
        gate("xnor", |x, y| Gate::Xnor(x, y), |x, y| x == y),
        gate("and_ny", |x, y| Gate::AndNy(x, y), |x, y| !x && y),
        gate("and_yn", |x, y| Gate::AndYn(x, y), |x, y| x && !y),
        gate("or_ny", |x, y| Gate::OrNy(x, y), |x, y| !x || y),
        gate("or_yn", |x, y| Gate::OrYn(x, y), |x, y| x || !y),
        gate_of_three(
            "majority",
            |[x, y, z]| Gate::Majority(x, y, z),
            |[x, y, z]| u8::from(x) + u8::from(y) + u8::from(z) >= 2,
        ),
        gate_of_three("xor3", |[x, y, z]| Gate::Xor3(x, y, z), |[x, y, z]| x ^ y ^ z),
        gate_of_three("mux", |[x, y, z]| Gate::Mux(x, y, z), |[x, y, z]| if x { y } else { z }),
        gate_of_all("all", |world, x| world.gates.all(x), |sum| sum == 3),
        gate_of_all("any", |world, x| world.gates.any(x), |sum| sum > 0),
        gate_of_all("not_parity", |world, x| Ok(!world.gates.parity(x)?), |sum| sum % 2 == 0),
    ];
    rows.map(|row| row.group(Bit::NAME)).into()
}

fn truth(
    name: &'static str,
    apply: fn(&Integers, &FheBool, &FheBool) -> Result<FheBool, Error>,
    clear: fn(i64, i64) -> i64,
) -> Row {
    Row::new(
        name,
        2,
        move |world, x| {
            let x = FheBool::all(x)?;
            apply(&world.integers()?, x[0], x[1]).map(FheBool::wrapped)
        },
        move |x| clear(*x[0], *x[1]),
    )
}

fn truths() -> Vec<Row> {
    let rows = [
        truth("and", |e, x, y| e.and(x, y), |x, y| x & y),
        truth("or", |e, x, y| e.or(x, y), |x, y| x | y),
        truth("xor", |e, x, y| e.xor(x, y), |x, y| x ^ y),
        truth("eq", |e, x, y| e.eq(x, y), |x, y| (x == y).into()),
    ];
    rows.map(|row| row.group(FheBool::NAME)).into()
}
