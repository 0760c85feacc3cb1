//! Operations on lists of integers and on byte strings, whose elements may belong to any world.

use crate::tfhe_mixed::Row;
use crate::tfhe_mixed::integers::Integer;
use crate::tfhe_mixed::value::{Kind, Value, reduced};
use crate::tfhe_mixed::world::{SMALL, World};
use fathom::Error;
use fathom::tfhe::integer::{
    ByteStrings, FheBool, FheBytes, FheInt8, FheUint8, FheUint32, Integers, Padding, Text,
};
use fathom_circuits::Formula;

/// The greatest number of operands: a list, and a value beside it.
pub(crate) const MOST: usize = 6;

pub(crate) fn rows() -> Vec<Row> {
    let all = [lists::<FheUint8>(), lists::<FheInt8>(), strings()];
    all.into_iter().flatten().collect()
}

/// Returns a row on a list.
fn of_list<T: Integer>(
    name: &'static str,
    apply: fn(&Integers, &[T]) -> Result<Vec<Value>, Error>,
    clear: fn(&[i64]) -> Vec<i64>,
) -> Row {
    Row::drawn(name, MOST, move |_, _| {
        Formula::of_many(
            "",
            move |world: &World, x: &[&Value]| apply(&world.integers()?, &owned::<T>(x)?),
            move |x: &[&i64]| clear(&numbers(x)),
        )
    })
}

type OfValue<T> = fn(&Integers, &[T], &T) -> Result<Vec<Value>, Error>;

/// Returns a row on a list and a value, which is the last operand.
fn of_value<T: Integer>(
    name: &'static str,
    apply: OfValue<T>,
    clear: fn(&[i64], i64) -> Vec<i64>,
) -> Row {
    Row::drawn(name, MOST, move |_, _| {
        Formula::of_many(
            "",
            move |world: &World, x: &[&Value]| {
                let (value, list) = x.split_last().expect("a list has elements");
                apply(&world.integers()?, &owned::<T>(list)?, T::of(value)?)
            },
            move |x: &[&i64]| {
                let (value, list) = x.split_last().expect("a list has elements");
                clear(&numbers(list), **value)
            },
        )
    })
}

fn owned<T: Kind>(list: &[&Value]) -> Result<Vec<T>, Error> {
    Ok(T::all(list)?.into_iter().cloned().collect())
}

fn numbers(x: &[&i64]) -> Vec<i64> {
    x.iter().map(|x| **x).collect()
}

fn position(list: &[i64], value: i64) -> Option<usize> {
    list.iter().position(|&element| element == value)
}

fn index(found: (FheUint32, FheBool)) -> Vec<Value> {
    vec![found.0.wrapped(), found.1.wrapped()]
}

/// Returns the first place of the best of a list, and the best.
fn best(list: &[i64], best: Option<&i64>) -> Vec<i64> {
    let best = *best.expect("a list has elements");
    vec![position(list, best).expect("the best is in the list") as i64, best]
}

fn lists<T: Integer>() -> Vec<Row> {
    let rows = [
        of_list::<T>(
            "sort",
            |e, list| Ok(e.sort(list)?.into_iter().map(T::wrapped).collect()),
            |list| {
                let mut sorted = list.to_vec();
                sorted.sort_unstable();
                sorted
            },
        ),
        of_list::<T>(
            "argmax",
            |e, list| e.argmax(list).map(|(place, value)| vec![place.wrapped(), value.wrapped()]),
            |list| best(list, list.iter().max()),
        ),
        of_list::<T>(
            "argmin",
            |e, list| e.argmin(list).map(|(place, value)| vec![place.wrapped(), value.wrapped()]),
            |list| best(list, list.iter().min()),
        ),
        of_list::<T>(
            "sum_of_list",
            |e, list| e.sum(list).map(|sum| vec![sum.wrapped()]),
            |list| vec![reduced::<T>(list.iter().sum())],
        ),
        of_value::<T>(
            "find",
            |e, list, value| e.find(list, value).map(index),
            |list, value| {
                let place = position(list, value);
                vec![place.unwrap_or(list.len()) as i64, place.is_some().into()]
            },
        ),
        of_value::<T>(
            "contains",
            |e, list, value| e.contains(list, value).map(|found| vec![found.wrapped()]),
            |list, value| vec![position(list, value).is_some().into()],
        ),
        of_value::<T>(
            "lookup",
            |e, list, place| e.lookup(list, place).map(|value| vec![value.wrapped()]),
            |list, place| {
                let place = usize::try_from(place & 255).expect("a byte");
                vec![list.get(place).copied().unwrap_or(0)]
            },
        ),
    ];
    rows.map(|row| row.group(T::NAME)).into()
}

type OfStrings = fn(&ByteStrings, &FheBytes, Text<'_>) -> Result<Vec<Value>, Error>;

/// Returns a row on a string and a pattern: a part of the string, in most cases with the last
/// operand at its end, or a text in the clear.
fn of_strings(name: &'static str, apply: OfStrings, clear: fn(&[u8], &[u8]) -> Vec<i64>) -> Row {
    Row::drawn(name, MOST, move |_, dice| {
        let (start, count, public) = (dice.below(MOST), dice.below(MOST), dice.once_in(4));
        // Small numbers, many of which values hold too.
        let text: Vec<u8> = (0..count / 2).map(|_| dice.below(SMALL) as u8).collect();
        let arguments =
            if public { format!("{text:?}") } else { format!("{count} from {start} and the last") };
        let clear_text = text.clone();
        Formula::of_many(
            arguments,
            move |world: &World, x: &[&Value]| {
                let strings = ByteStrings::new(world.evaluator.clone())?;
                let string = FheBytes::from_integers(&owned::<FheUint8>(x)?, Padding::None);
                let part = owned::<FheUint8>(&pattern(x, start, count))?;
                let part = FheBytes::from_integers(&part, Padding::None);
                let text = if public { Text::from(&text) } else { Text::from(&part) };
                apply(&strings, &string, text)
            },
            move |x: &[&i64]| {
                let bytes = |x: &[&i64]| x.iter().map(|x| **x as u8).collect::<Vec<u8>>();
                let part = bytes(&pattern(x, start, count));
                clear(&bytes(x), if public { &clear_text } else { &part })
            },
        )
    })
}

/// Returns part of a string, and its last element once more where the part is short.
fn pattern<'a, T>(x: &[&'a T], start: usize, count: usize) -> Vec<&'a T> {
    let part: Vec<&T> = x.iter().skip(start).take(count).copied().collect();
    let last = x.last().copied().filter(|_| count % 2 == 1);
    part.into_iter().chain(last).collect()
}

fn find(string: &[u8], pattern: &[u8]) -> Option<usize> {
    (0..=string.len()).find(|&place| string[place..].starts_with(pattern))
}

fn strings() -> Vec<Row> {
    fn flag(found: Result<FheBool, Error>) -> Result<Vec<Value>, Error> {
        found.map(|found| vec![found.wrapped()])
    }
    let rows = [
        of_strings("eq", |e, s, t| flag(e.eq(s, t)), |s, t| vec![(s == t).into()]),
        of_strings("ne", |e, s, t| flag(e.ne(s, t)), |s, t| vec![(s != t).into()]),
        of_strings("lt", |e, s, t| flag(e.lt(s, t)), |s, t| vec![(s < t).into()]),
        of_strings("ge", |e, s, t| flag(e.ge(s, t)), |s, t| vec![(s >= t).into()]),
        of_strings(
            "contains",
            |e, s, t| flag(e.contains(s, t)),
            |s, t| vec![find(s, t).is_some().into()],
        ),
        of_strings(
            "starts_with",
            |e, s, t| flag(e.starts_with(s, t)),
            |s, t| vec![s.starts_with(t).into()],
        ),
        of_strings(
            "ends_with",
            |e, s, t| flag(e.ends_with(s, t)),
            |s, t| vec![s.ends_with(t).into()],
        ),
        of_strings(
            "find",
            |e, s, t| e.find(s, t).map(|(place, found)| vec![found.wrapped(), place.wrapped()]),
            // Without a match, the place is meaningless.
            |s, t| find(s, t).map_or_else(|| vec![0], |place| vec![1, place as i64]),
        ),
        of_strings(
            "concat",
            |e, s, t| Ok(e.concat(s, t)?.to_integers().into_iter().map(Value::U8).collect()),
            |s, t| s.iter().chain(t).map(|&byte| byte.into()).collect(),
        ),
    ];
    rows.map(|row| row.group(FheUint8::NAME)).into()
}
