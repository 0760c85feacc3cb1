//! Lists of integers, and byte strings, whose elements may belong to any world.

use crate::tfhe_mixed::operate::{Outcome, Pooled, reduced, settle};
use crate::tfhe_mixed::world::{Item, Numbers, Value};
use crate::tfhe_mixed::{Game, NOTHING};
use fathom::Error;
use fathom::tfhe::integer::{
    ByteStrings, FheBool, FheBytes, FheInt8, FheUint8, FheUint32, Integers, Padding, Text,
};

/// The greatest number of elements.
const MOST: u64 = 5;

/// Runs one operation on lists in a world. In half of the steps, all elements are of that world.
pub(crate) fn step(game: &mut Game, world: usize) {
    if !game.worlds[world].has_integers() {
        game.outcomes.count(NOTHING);
        return;
    }
    let strict = game.numbers.below(2) == 0;
    let signed = game.numbers.below(3) == 0;
    let fits = |item: &Item| match &item.value {
        Value::U8(_) => !signed && (!strict || item.world == world),
        Value::I8(_) => signed && (!strict || item.world == world),
        _ => false,
    };
    let candidates: Vec<Item> = game.items.iter().filter(|item| fits(item)).cloned().collect();
    if candidates.is_empty() {
        game.outcomes.count(NOTHING);
        return;
    }
    let length = 1 + game.numbers.below(MOST);
    let pick =
        |numbers: &mut Numbers| candidates[numbers.below(candidates.len() as u64) as usize].clone();
    let items: Vec<Item> = (0..length).map(|_| pick(&mut game.numbers)).collect();
    let value = pick(&mut game.numbers);
    let (numbers, integers) = (&mut game.numbers, &game.worlds[world].integers().unwrap());
    let (outcome, what, with_value) = if signed {
        let list: Vec<FheInt8> = items.iter().filter_map(|item| signed_byte(&item.value)).collect();
        of_list(integers, numbers, &list, &items, &value, signed_byte)
    } else {
        let list: Vec<FheUint8> = items.iter().filter_map(|item| byte(&item.value)).collect();
        if numbers.below(2) == 0 {
            of_strings(integers, numbers, &list, &items, &value)
        } else {
            of_list(integers, numbers, &list, &items, &value, byte)
        }
    };
    let used: Vec<&Item> =
        items.iter().chain([&value].into_iter().filter(|_| with_value)).collect();
    settle(game, world, (outcome, what), &used);
}

fn byte(value: &Value) -> Option<FheUint8> {
    if let Value::U8(byte) = value { Some(byte.clone()) } else { None }
}

fn signed_byte(value: &Value) -> Option<FheInt8> {
    if let Value::I8(byte) = value { Some(byte.clone()) } else { None }
}

type Result<T> = std::result::Result<T, Error>;

/// The outcome of an operation, its name, and whether the value beside the list is an operand.
type Step = (Outcome, &'static str, bool);

fn index(found: (FheUint32, FheBool), expected: Option<usize>, none: usize) -> Vec<(Value, i64)> {
    let place = expected.unwrap_or(none) as i64;
    vec![(Value::U32(found.0), place), (Value::Bool(found.1), expected.is_some().into())]
}

fn of_list<T: Pooled + Send + Sync>(
    e: &Integers,
    numbers: &mut Numbers,
    list: &[T],
    items: &[Item],
    value: &Item,
    unwrap: fn(&Value) -> Option<T>,
) -> Step {
    let clear: Vec<i64> = items.iter().map(|item| item.clear).collect();
    let x = unwrap(&value.value).expect("the candidates have one type");
    let place = clear.iter().position(|&element| element == value.clear);
    let first = |wanted: i64| clear.iter().position(|&element| element == wanted).unwrap() as i64;
    let (least, most) = (*clear.iter().min().unwrap(), *clear.iter().max().unwrap());
    let length = clear.len();
    match numbers.below(7) {
        0 => {
            let mut sorted = clear.clone();
            sorted.sort_unstable();
            let values = |list: Vec<T>| list.into_iter().map(T::wrapped).zip(sorted).collect();
            (e.sort(list).map(values), "sort", false)
        }
        1 => (e.find(list, &x).map(|found| index(found, place, length)), "find", true),
        2 => {
            let flag = |found| vec![(Value::Bool(found), place.is_some().into())];
            (e.contains(list, &x).map(flag), "contains", true)
        }
        3 => {
            let best =
                |(place, value)| vec![(Value::U32(place), first(most)), (T::wrapped(value), most)];
            (e.argmax(list).map(best), "argmax", false)
        }
        4 => {
            let best = |(place, value)| {
                vec![(Value::U32(place), first(least)), (T::wrapped(value), least)]
            };
            (e.argmin(list).map(best), "argmin", false)
        }
        5 => {
            let at = usize::try_from(value.clear & 255).unwrap();
            let expected = clear.get(at).copied().unwrap_or(0);
            (e.lookup(list, &x).map(|x| vec![(T::wrapped(x), expected)]), "lookup", true)
        }
        _ => {
            let sum = reduced::<T>(clear.iter().sum());
            (e.sum(list).map(|x| vec![(T::wrapped(x), sum)]), "sum of a list", false)
        }
    }
}

fn of_strings(
    integers: &Integers,
    numbers: &mut Numbers,
    list: &[FheUint8],
    items: &[Item],
    value: &Item,
) -> Step {
    let strings = ByteStrings::new(integers.evaluator().clone()).unwrap();
    let bytes: Vec<u8> = items.iter().map(|item| item.clear as u8).collect();
    let x = byte(&value.value).expect("the candidates have one type");
    // A part of the string, with the value at its end.
    let start = numbers.below(bytes.len() as u64) as usize;
    let end = start + numbers.below((bytes.len() - start) as u64 + 1) as usize;
    let (mut pattern, mut clear) = (list[start..end].to_vec(), bytes[start..end].to_vec());
    let with_value = numbers.below(2) == 0;
    if with_value {
        pattern.push(x);
        clear.push(value.clear as u8);
    }
    let string = FheBytes::from_integers(list, Padding::None);
    let pattern = FheBytes::from_integers(&pattern, Padding::None);
    let public = numbers.below(3) == 0;
    let text = if public { Text::from(&clear) } else { Text::from(&pattern) };
    let flag = |found: Result<FheBool>, expected: bool| {
        found.map(|found| vec![(Value::Bool(found), expected.into())])
    };
    let place = (0..=bytes.len()).find(|&place| bytes[place..].starts_with(&clear));
    let outcome = match numbers.below(9) {
        0 => flag(strings.eq(&string, text), bytes == clear),
        1 => flag(strings.ne(&string, text), bytes != clear),
        2 => flag(strings.lt(&string, text), bytes < clear),
        3 => flag(strings.ge(&string, text), bytes >= clear),
        4 => flag(strings.contains(&string, text), place.is_some()),
        5 => flag(strings.starts_with(&string, text), bytes.starts_with(&clear)),
        6 => flag(strings.ends_with(&string, text), bytes.ends_with(&clear)),
        7 => strings.find(&string, text).map(|(at, found)| {
            let mut results = vec![(Value::Bool(found), place.is_some().into())];
            // Without a match, the place is meaningless.
            results.extend(place.map(|place| (Value::U32(at), place as i64)));
            results
        }),
        _ => strings.concat(&string, text).map(|both| {
            let expected = bytes.iter().chain(&clear).map(|&byte| i64::from(byte));
            both.to_integers().into_iter().map(Value::U8).zip(expected).collect()
        }),
    };
    (outcome, "string", with_value && !public)
}
