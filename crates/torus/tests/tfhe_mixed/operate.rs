//! The operations of evaluators.

use crate::tfhe_mixed::world::{Item, Numbers, Value, World};
use crate::tfhe_mixed::{Game, NOTHING};
use fathom::Error;
use fathom::tfhe::TableError;
use fathom::tfhe::boolean::{Bit, Gate};
use fathom::tfhe::integer::{
    FheBool, FheInt8, FheInt16, FheInteger, FheUint8, FheUint32, Integers, Typed,
};
use fathom::tfhe::shortint::{Operation, ShortInt};

/// The result of an operation, and its expected values.
pub(crate) type Outcome = Result<Vec<(Value, i64)>, Error>;

/// Runs one operation in a world, on operands of any world.
pub(crate) fn step(game: &mut Game, world: usize) {
    let first = game.pick(world);
    let (second, third) = (partner(game, world, &first), partner(game, world, &first));
    let (outcome, what) = compute(game, world, [&first, &second, &third]);
    match outcome {
        None => game.outcomes.count(NOTHING),
        Some((outcome, operands)) => {
            settle(game, world, (outcome, what), &[&first, &second, &third][..operands]);
        }
    }
}

/// Keeps the results of an operation on these operands, or checks its refusal.
pub(crate) fn settle(
    game: &mut Game,
    world: usize,
    (outcome, what): (Outcome, &str),
    used: &[&Item],
) {
    let server = &game.worlds[world];
    let own = |item: &&&Item| server.takes(&game.worlds[item.world], &item.value);
    match outcome {
        Ok(results) => {
            let foreign = used.iter().find(|item| !own(item));
            assert!(foreign.is_none(), "{what} in {}: {foreign:?}", server.name);
            for (value, clear) in results {
                game.keep(Item { value, clear, world }, what);
            }
        }
        Err(error) => {
            let all_own = used.iter().all(|item| own(&item));
            let name = name(&error);
            let expected = match name {
                "ParamsMismatch" | "KeyMismatch" | "Simulated" => !all_own,
                "DivisionByZero" => what == "div" || what == "short",
                "OutsideDomain" | "NoiseExceeded" => what.starts_with("unchecked"),
                _ => false,
            };
            assert!(expected, "{what} in {}: {error}, {used:?}", server.name);
            game.outcomes.count(format!("refused: {name}"));
        }
    }
}

/// Returns the name of an error.
pub(crate) fn name(error: &Error) -> &'static str {
    match error {
        Error::ParamsMismatch { .. } => "ParamsMismatch",
        Error::KeyMismatch { .. } => "KeyMismatch",
        Error::Simulated { .. } => "Simulated",
        Error::DivisionByZero => "DivisionByZero",
        Error::Table(TableError::OutsideDomain { .. }) => "OutsideDomain",
        Error::NoiseExceeded { .. } => "NoiseExceeded",
        Error::TypeMismatch { .. } => "TypeMismatch",
        Error::NotCanonical { .. } => "NotCanonical",
        _ => "another error",
    }
}

/// Returns an item of the same type as another, if there is one.
fn partner(game: &mut Game, world: usize, first: &Item) -> Item {
    let same =
        |item: &Item| std::mem::discriminant(&item.value) == std::mem::discriminant(&first.value);
    (0..12).map(|_| game.pick(world)).find(same).unwrap_or_else(|| first.clone())
}

/// Returns the outcome and the number of operands that it depends on; `None` if the world has no
/// such operation.
fn compute(
    game: &mut Game,
    world: usize,
    [a, b, c]: [&Item; 3],
) -> (Option<(Outcome, usize)>, &'static str) {
    let (numbers, server) = (&mut game.numbers, &game.worlds[world]);
    match (&a.value, &b.value, &c.value) {
        (Value::Short(x), Value::Short(y), _) => short(server, numbers, [x, y], [a, b]),
        (Value::Bit(x), Value::Bit(y), Value::Bit(z)) => {
            bit(server, numbers, [x, y, z], [a.clear, b.clear, c.clear])
        }
        (Value::Bool(x), Value::Bool(y), _) if server.has_integers() => {
            truth(&server.integers().unwrap(), numbers, [x, y], [a.clear, b.clear])
        }
        (Value::U8(x), Value::U8(y), _) if server.has_integers() => {
            integer::<FheUint8>(&server.integers().unwrap(), numbers, [x, y], [a.clear, b.clear])
        }
        (Value::I8(x), Value::I8(y), _) if server.has_integers() => {
            integer::<FheInt8>(&server.integers().unwrap(), numbers, [x, y], [a.clear, b.clear])
        }
        (Value::I16(x), Value::I16(y), _) if server.has_integers() => {
            integer::<FheInt16>(&server.integers().unwrap(), numbers, [x, y], [a.clear, b.clear])
        }
        (Value::U32(x), Value::U32(y), _) if server.has_integers() => {
            integer::<FheUint32>(&server.integers().unwrap(), numbers, [x, y], [a.clear, b.clear])
        }
        _ => (None, "none"),
    }
}

fn short(
    server: &World,
    numbers: &mut Numbers,
    [x, y]: [&ShortInt; 2],
    [a, b]: [&Item; 2],
) -> (Option<(Outcome, usize)>, &'static str) {
    let Some(ints) = &server.ints else { return (None, "none") };
    let bits = server.params.spec().message_bits;
    let modulus = i64::from(server.params.message_modulus());
    let message = |x: i64| x.rem_euclid(modulus) as u32;
    let wrap = |value: ShortInt, clear: i64| vec![(Value::Short(value), clear)];
    match numbers.below(8) {
        0 => (Some((ints.unchecked_add(x, y).map(|z| wrap(z, a.clear + b.clear)), 2)), "unchecked"),
        1 => (Some((ints.unchecked_sub(x, y).map(|z| wrap(z, a.clear - b.clear)), 2)), "unchecked"),
        2 => {
            let scalar = numbers.below(modulus as u64) as u32;
            let product = ints.unchecked_mul_scalar(x, scalar);
            let clear = a.clear * i64::from(scalar);
            (Some((product.map(|z| wrap(z, clear)), 1)), "unchecked scalar")
        }
        3 => {
            let f = |x: u32| x.wrapping_mul(3) + 1;
            let clear = i64::from(f(message(a.clear))) % modulus;
            (Some((ints.apply(x, f).map(|z| wrap(z, clear)), 1)), "apply")
        }
        _ => {
            let operation = Operation::ALL[numbers.below(19) as usize];
            let clear = operation.of_clear(message(a.clear), message(b.clear), bits).unwrap();
            let outcome = ints.call(operation, x, y).map(|z| wrap(z, clear.into()));
            (Some((outcome, 2)), "short")
        }
    }
}

fn bit(
    server: &World,
    numbers: &mut Numbers,
    [x, y, z]: [&Bit; 3],
    clear: [i64; 3],
) -> (Option<(Outcome, usize)>, &'static str) {
    let [a, b, c] = clear.map(|bit| bit == 1);
    let gates: [(Gate<'_>, bool, usize); 13] = [
        (Gate::And(x, y), a & b, 2),
        (Gate::Nand(x, y), !(a & b), 2),
        (Gate::Or(x, y), a | b, 2),
        (Gate::Nor(x, y), !(a | b), 2),
        (Gate::Xor(x, y), a ^ b, 2),
        (Gate::Xnor(x, y), a == b, 2),
        (Gate::AndNy(x, y), !a & b, 2),
        (Gate::AndYn(x, y), a && !b, 2),
        (Gate::OrNy(x, y), !a | b, 2),
        (Gate::OrYn(x, y), a || !b, 2),
        (Gate::Majority(x, y, z), u8::from(a) + u8::from(b) + u8::from(c) >= 2, 3),
        (Gate::Xor3(x, y, z), a ^ b ^ c, 3),
        (Gate::Mux(x, y, z), if a { b } else { c }, 3),
    ];
    let wrap = |bit: Bit, clear: bool| vec![(Value::Bit(bit), clear.into())];
    let all = [x.clone(), y.clone(), z.clone()];
    let (outcome, operands) = match numbers.below(16) {
        13 => (server.gates.all(&all).map(|bit| wrap(bit, a & b & c)), 3),
        14 => (server.gates.any(&all).map(|bit| wrap(bit, a | b | c)), 3),
        15 => (server.gates.parity(&all).map(|bit| wrap(!bit, !(a ^ b ^ c))), 3),
        index => {
            let (gate, clear, operands) = gates[index as usize];
            (server.gates.gate(gate).map(|bit| wrap(bit, clear)), operands)
        }
    };
    (Some((outcome, operands)), "gate")
}

fn truth(
    integers: &Integers,
    numbers: &mut Numbers,
    [x, y]: [&FheBool; 2],
    [a, b]: [i64; 2],
) -> (Option<(Outcome, usize)>, &'static str) {
    let (result, clear) = match numbers.below(4) {
        0 => (integers.and(x, y), a & b),
        1 => (integers.or(x, y), a | b),
        2 => (integers.xor(x, y), a ^ b),
        _ => (integers.eq(x, y), i64::from(a == b)),
    };
    (Some((result.map(|bit| vec![(Value::Bool(bit), clear)]), 2)), "truth")
}

/// An integer type in the pool.
pub(crate) trait Pooled: FheInteger + Typed {
    fn wrapped(value: Self) -> Value;
}

macro_rules! pooled {
    ($($type:ty, $variant:ident;)*) => {$(
        impl Pooled for $type {
            fn wrapped(value: Self) -> Value {
                Value::$variant(value)
            }
        }
    )*};
}

pooled! { FheUint8, U8; FheInt8, I8; FheInt16, I16; FheUint32, U32; }

/// Returns a number reduced to the range of the type.
pub(crate) fn reduced<T: Typed>(value: i64) -> i64 {
    let unused = 64 - T::BITS as u32;
    if T::SIGNED { value << unused >> unused } else { value & ((1 << T::BITS) - 1) }
}

fn integer<T: Pooled>(
    integers: &Integers,
    numbers: &mut Numbers,
    [x, y]: [&T; 2],
    [a, b]: [i64; 2],
) -> (Option<(Outcome, usize)>, &'static str) {
    let scalar = reduced::<T>(numbers.word() as i64);
    let amount = numbers.below(T::BITS as u64) as u32;
    let one = |value: Result<T, Error>, clear: i64| {
        value.map(|value| vec![(T::wrapped(value), reduced::<T>(clear))])
    };
    let flag = |value: Result<FheBool, Error>, clear: bool| {
        value.map(|value| vec![(Value::Bool(value), clear.into())])
    };
    let e = integers;
    let (outcome, operands) = match numbers.below(24) {
        0 => (one(e.add(x, y), a.wrapping_add(b)), 2),
        1 => (one(e.sub(x, y), a.wrapping_sub(b)), 2),
        2 if T::BITS <= 16 => (one(e.mul(x, y), a.wrapping_mul(b)), 2),
        3 => (one(e.and(x, y), a & b), 2),
        4 => (one(e.or(x, y), a | b), 2),
        5 => (one(e.xor(x, y), a ^ b), 2),
        6 => (one(e.min(x, y), a.min(b)), 2),
        7 => (one(e.max(x, y), a.max(b)), 2),
        8 => (flag(e.eq(x, y), a == b), 2),
        9 => (flag(e.lt(x, y), a < b), 2),
        10 => (flag(e.ge(x, y), a >= b), 2),
        11 => (one(e.not(x), !a), 1),
        12 => (one(e.neg(x), a.wrapping_neg()), 1),
        13 => (one(e.add(x, scalar), a.wrapping_add(scalar)), 1),
        14 => (one(e.sub(x, scalar), a.wrapping_sub(scalar)), 1),
        15 => (one(e.mul(x, scalar), a.wrapping_mul(scalar)), 1),
        16 => (one(e.shl(x, amount), a << amount), 1),
        17 => (one(e.shr(x, amount), a >> amount), 1),
        18 => (one(e.sum([x, y, x]), a.wrapping_mul(2).wrapping_add(b)), 2),
        19 => (one(e.lt(x, y).and_then(|less| e.select(&less, x, y)), a.min(b)), 2),
        20 => (flag(e.lt(x, scalar), a < scalar), 1),
        21 if T::BITS <= 8 => return (Some((divided(e, [x, y], [a, b]), 2)), "div"),
        22 => {
            let wide =
                e.cast::<T, FheUint32>(x).map(|z| vec![(Value::U32(z), i64::from(a as u32))]);
            (wide, 1)
        }
        _ => (
            e.overflowing_add(x, y).map(|(sum, _)| vec![(T::wrapped(sum), reduced::<T>(a + b))]),
            2,
        ),
    };
    (Some((outcome, operands)), "integer")
}

/// Returns quotient and remainder, and whether they are defined.
fn divided<T: Pooled>(integers: &Integers, [x, y]: [&T; 2], [a, b]: [i64; 2]) -> Outcome {
    let (quotient, remainder, defined) = integers.checked_div_rem(x, y)?;
    let wraps = T::SIGNED && b == -1 && a == -(1_i64 << (T::BITS - 1));
    let (q, r) = match (b, T::SIGNED) {
        (0, false) => (reduced::<T>(-1), a),
        (0, true) => (if a < 0 { 1 } else { -1 }, a),
        _ => (a / b, a % b),
    };
    Ok(vec![
        (T::wrapped(quotient), reduced::<T>(q)),
        (T::wrapped(remainder), reduced::<T>(r)),
        (Value::Bool(defined), i64::from(b != 0 && !wraps)),
    ])
}
