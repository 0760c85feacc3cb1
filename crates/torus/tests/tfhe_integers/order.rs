//! Comparisons, selection, minimum and maximum.

use super::harness::{Session, clear, mask, pairs, signed};
use crate::on_all;
use fathom::tfhe::integer::{FheBool, FheInteger, Typed, U256};

fn less<T: Typed>(a: U256, b: U256) -> bool {
    if T::SIGNED { signed::<T>(a) < signed::<T>(b) } else { a < b }
}

fn comparisons<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let integers = &session.integers;
    for (a, b) in pairs::<T>(10) {
        let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
        let (ab, ba) = (less::<T>(a, b), less::<T>(b, a));
        let clear = clear::<T>(b);
        let results = [
            ("==", integers.eq(&x, &y), integers.eq(&x, clear), a == b),
            ("!=", integers.ne(&x, &y), integers.ne(&x, clear), a != b),
            ("<", integers.lt(&x, &y), integers.lt(&x, clear), ab),
            ("<=", integers.le(&x, &y), integers.le(&x, clear), !ba),
            (">", integers.gt(&x, &y), integers.gt(&x, clear), ba),
            (">=", integers.ge(&x, &y), integers.ge(&x, clear), !ab),
        ];
        for (name, both, half, expected) in results {
            assert_eq!(session.decrypt_bool(&both.unwrap()), expected, "{a} {name} {b}");
            assert_eq!(session.decrypt_bool(&half.unwrap()), expected, "{a} {name} clear {b}");
        }
        let nonzero = integers.to_bool(&x).unwrap();
        assert_eq!(session.decrypt_bool(&nonzero), a != U256::ZERO);
    }
}

#[test]
fn comparisons_are_those_of_the_values() {
    on_all!(comparisons);
}

fn extremes<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let integers = &session.integers;
    for (a, b) in pairs::<T>(6) {
        let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
        let (low, high) = if less::<T>(a, b) { (a, b) } else { (b, a) };
        let clear = clear::<T>(b);
        for max in [integers.max(&x, &y), integers.max(&x, clear)] {
            assert_eq!(session.decrypt(&max.unwrap()), high, "max({a}, {b})");
        }
        for min in [integers.min(&x, &y), integers.min(&x, clear)] {
            assert_eq!(session.decrypt(&min.unwrap()), low, "min({a}, {b})");
        }
    }
}

#[test]
fn minimum_and_maximum_are_those_of_the_values() {
    on_all!(extremes);
}

fn selections<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let integers = &session.integers;
    for (a, b) in pairs::<T>(2) {
        for condition in [false, true] {
            let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
            let flag = session.encrypt_bool(condition);
            let expected = if condition { a } else { b };
            let both = integers.select(&flag, &x, &y).unwrap();
            let half = integers.select(&flag, &x, clear::<T>(b)).unwrap();
            assert_eq!(session.decrypt(&both), expected);
            assert_eq!(session.decrypt(&half), expected);
        }
    }
}

#[test]
fn a_selection_is_one_of_its_operands() {
    on_all!(selections);
}

/// Each selection adds noise to the less noisy operand, or refreshes it, so that chains can have
/// any length.
fn chain<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let integers = &session.integers;
    let values: Vec<_> = pairs::<T>(1).into_iter().map(|(a, _)| a).collect();
    let mut level: Vec<T> = values.iter().map(|&value| session.encrypt(value)).collect();
    while level.len() > 1 {
        let maxima = level.chunks(2).map(|pair| match pair {
            [a, b] => integers.max(a, b).unwrap(),
            _ => pair[0].clone(),
        });
        level = maxima.collect();
    }
    let greatest = values.into_iter().reduce(|a, b| if less::<T>(a, b) { b } else { a });
    assert_eq!(session.decrypt(&level[0]), greatest.unwrap() & mask::<T>());
}

#[test]
fn maxima_of_maxima_have_no_end() {
    on_all!(chain);
}

#[test]
fn truth_values_have_their_logic() {
    let session = Session::simulated();
    let integers = &session.integers;
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        let (x, y) = (session.encrypt_bool(a), session.encrypt_bool(b));
        let results: [(FheBool, FheBool, bool); 5] = [
            (integers.and(&x, &y).unwrap(), integers.and(&x, b).unwrap(), a & b),
            (integers.or(&x, &y).unwrap(), integers.or(&x, b).unwrap(), a | b),
            (integers.xor(&x, &y).unwrap(), integers.xor(&x, b).unwrap(), a ^ b),
            (integers.eq(&x, &y).unwrap(), integers.eq(&x, b).unwrap(), a == b),
            (integers.ne(&x, &y).unwrap(), integers.ne(&x, b).unwrap(), a != b),
        ];
        for (both, half, expected) in results {
            assert_eq!(session.decrypt_bool(&both), expected);
            assert_eq!(session.decrypt_bool(&half), expected);
        }
        assert_eq!(session.decrypt_bool(&integers.not(&x).unwrap()), !a);
        for condition in [false, true] {
            let flag = session.encrypt_bool(condition);
            let selected = integers.select(&flag, &x, &y).unwrap();
            assert_eq!(session.decrypt_bool(&selected), if condition { a } else { b });
        }
    }
}
