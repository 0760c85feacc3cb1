//! Operations on integers.

use crate::tfhe_mixed::Row;
use crate::tfhe_mixed::value::{Kind, Value, reduced};
use crate::tfhe_mixed::world::World;
use fathom::Error;
use fathom::tfhe::integer::{
    FheBool, FheInt8, FheInt16, FheInteger, FheUint8, FheUint32, Integers, Typed,
};
use fathom_circuits::Formula;

/// An integer type of the search.
pub(crate) trait Integer: Kind + FheInteger + Typed + Send + Sync {}

impl Integer for FheUint8 {}
impl Integer for FheInt8 {}
impl Integer for FheInt16 {}
impl Integer for FheUint32 {}

/// The division, which alone is refused for a divisor of zero in the clear.
pub(crate) const DIVISION: &str = "checked_div_rem";

/// The widest integers that are multiplied with each other, in bits, and divided.
const MULTIPLIED: usize = 16;
const DIVIDED: usize = 8;

pub(crate) fn rows() -> Vec<Row> {
    let all = [of::<FheUint8>(), of::<FheInt8>(), of::<FheInt16>(), of::<FheUint32>()];
    all.into_iter().flatten().collect()
}

/// Returns a row whose result has the type of its operands.
fn row<T: Integer>(
    name: &'static str,
    arity: usize,
    apply: fn(&Integers, &[&T]) -> Result<T, Error>,
    clear: fn(&[&i64]) -> i64,
) -> Row {
    Row::new(
        name,
        arity,
        move |world, x| apply(&world.integers()?, &T::all(x)?).map(T::wrapped),
        move |x| reduced::<T>(clear(x)),
    )
}

/// Returns a row whose result is a truth value.
fn flag<T: Integer>(
    name: &'static str,
    apply: fn(&Integers, &T, &T) -> Result<FheBool, Error>,
    clear: fn(&i64, &i64) -> bool,
) -> Row {
    Row::new(
        name,
        2,
        move |world, x| {
            let x = T::all(x)?;
            apply(&world.integers()?, x[0], x[1]).map(FheBool::wrapped)
        },
        move |x| clear(x[0], x[1]).into(),
    )
}

/// Returns a row with an integer in the clear.
fn scalar<T: Integer>(
    name: &'static str,
    apply: fn(&Integers, &T, i64) -> Result<Value, Error>,
    clear: fn(i64, i64) -> i64,
) -> Row {
    Row::drawn(name, 1, move |_, dice| {
        let scalar = reduced::<T>(dice.word() as i64);
        Formula::new(
            scalar.to_string(),
            move |world: &World, x: &[&Value]| apply(&world.integers()?, T::of(x[0])?, scalar),
            move |x: &[&i64]| clear(*x[0], scalar),
        )
    })
}

/// Returns a row that shifts by an amount in the clear.
fn shift<T: Integer>(
    name: &'static str,
    apply: fn(&Integers, &T, u32) -> Result<T, Error>,
    clear: fn(i64, u32) -> i64,
) -> Row {
    Row::drawn(name, 1, move |_, dice| {
        let amount = dice.below(T::BITS) as u32;
        Formula::new(
            amount.to_string(),
            move |world: &World, x: &[&Value]| {
                apply(&world.integers()?, T::of(x[0])?, amount).map(T::wrapped)
            },
            move |x: &[&i64]| reduced::<T>(clear(*x[0], amount)),
        )
    })
}

fn of<T: Integer>() -> Vec<Row> {
    let mut rows = vec![
        row::<T>("add", 2, |e, x| e.add(x[0], x[1]), |x| x[0].wrapping_add(*x[1])),
        row::<T>("sub", 2, |e, x| e.sub(x[0], x[1]), |x| x[0].wrapping_sub(*x[1])),
        row::<T>("and", 2, |e, x| e.and(x[0], x[1]), |x| x[0] & x[1]),
        row::<T>("or", 2, |e, x| e.or(x[0], x[1]), |x| x[0] | x[1]),
        row::<T>("xor", 2, |e, x| e.xor(x[0], x[1]), |x| x[0] ^ x[1]),
        row::<T>("min", 2, |e, x| e.min(x[0], x[1]), |x| *x[0].min(x[1])),
        row::<T>("max", 2, |e, x| e.max(x[0], x[1]), |x| *x[0].max(x[1])),
        row::<T>("not", 1, |e, x| e.not(x[0]), |x| !x[0]),
        row::<T>("neg", 1, |e, x| e.neg(x[0]), |x| x[0].wrapping_neg()),
        row::<T>(
            "sum_with_twice",
            2,
            |e, x| e.sum([x[0], x[1], x[0]]),
            |x| x[0].wrapping_mul(2).wrapping_add(*x[1]),
        ),
        row::<T>(
            "select_less",
            2,
            |e, x| e.select(&e.lt(x[0], x[1])?, x[0], x[1]),
            |x| *x[0].min(x[1]),
        ),
        row::<T>(
            "overflowing_add",
            2,
            |e, x| Ok(e.overflowing_add(x[0], x[1])?.0),
            |x| x[0].wrapping_add(*x[1]),
        ),
        flag::<T>("eq", |e, x, y| e.eq(x, y), |x, y| x == y),
        flag::<T>("lt", |e, x, y| e.lt(x, y), |x, y| x < y),
        flag::<T>("ge", |e, x, y| e.ge(x, y), |x, y| x >= y),
        scalar::<T>(
            "add",
            |e, x, k| e.add(x, k).map(T::wrapped),
            |x, k| reduced::<T>(x.wrapping_add(k)),
        ),
        scalar::<T>(
            "sub",
            |e, x, k| e.sub(x, k).map(T::wrapped),
            |x, k| reduced::<T>(x.wrapping_sub(k)),
        ),
        scalar::<T>(
            "mul",
            |e, x, k| e.mul(x, k).map(T::wrapped),
            |x, k| reduced::<T>(x.wrapping_mul(k)),
        ),
        scalar::<T>("lt", |e, x, k| e.lt(x, k).map(FheBool::wrapped), |x, k| (x < k).into()),
        shift::<T>("shl", |e, x, amount| e.shl(x, amount), |x, amount| x << amount),
        shift::<T>("shr", |e, x, amount| e.shr(x, amount), |x, amount| x >> amount),
        Row::new(
            "cast_u32",
            1,
            |world, x| world.integers()?.cast::<T, FheUint32>(T::of(x[0])?).map(FheUint32::wrapped),
            |x| i64::from(*x[0] as u32),
        ),
    ];
    if T::BITS <= MULTIPLIED {
        let product = row::<T>("mul", 2, |e, x| e.mul(x[0], x[1]), |x| x[0].wrapping_mul(*x[1]));
        rows.push(product);
    }
    if T::BITS <= DIVIDED {
        let divided =
            Row::drawn(DIVISION, 2, |_, _| Formula::of_many("", divide::<T>, quotient::<T>));
        rows.push(divided);
    }
    rows.into_iter().map(|row| row.group(T::NAME)).collect()
}

/// Returns quotient and remainder, and whether they are defined.
fn divide<T: Integer>(world: &World, x: &[&Value]) -> Result<Vec<Value>, Error> {
    let x = T::all(x)?;
    let (quotient, remainder, defined) = world.integers()?.checked_div_rem(x[0], x[1])?;
    Ok(vec![quotient.wrapped(), remainder.wrapped(), defined.wrapped()])
}

fn quotient<T: Integer>(x: &[&i64]) -> Vec<i64> {
    let (a, b) = (*x[0], *x[1]);
    let wraps = T::SIGNED && b == -1 && a == -(1_i64 << (T::BITS - 1));
    let (q, r) = match (b, T::SIGNED) {
        (0, false) => (reduced::<T>(-1), a),
        (0, true) => (if a < 0 { 1 } else { -1 }, a),
        _ => (a / b, a % b),
    };
    vec![reduced::<T>(q), reduced::<T>(r), i64::from(b != 0 && !wraps)]
}
