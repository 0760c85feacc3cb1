//! Comparisons, selection, minimum and maximum.

use super::harness::{Session, clear, mask, pairs, signed};
use crate::on_all;
use fathom::tfhe::integer::{FheBool, Integer, RadixValue, U256};

fn less<T: RadixValue>(a: U256, b: U256) -> bool {
    if T::SIGNED { signed::<T>(a) < signed::<T>(b) } else { a < b }
}

fn comparisons<T: Integer>() {
    let session = Session::simulated();
    let evaluator = &session.evaluator;
    for (a, b) in pairs::<T>(10) {
        let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
        let (ab, ba) = (less::<T>(a, b), less::<T>(b, a));
        let clear = clear::<T>(b);
        let results = [
            ("==", evaluator.eq(&x, &y), evaluator.eq(&x, clear), a == b),
            ("!=", evaluator.ne(&x, &y), evaluator.ne(&x, clear), a != b),
            ("<", evaluator.lt(&x, &y), evaluator.lt(&x, clear), ab),
            ("<=", evaluator.le(&x, &y), evaluator.le(&x, clear), !ba),
            (">", evaluator.gt(&x, &y), evaluator.gt(&x, clear), ba),
            (">=", evaluator.ge(&x, &y), evaluator.ge(&x, clear), !ab),
        ];
        for (name, both, half, expected) in results {
            assert_eq!(session.decrypt_bool(&both.unwrap()), expected, "{a} {name} {b}");
            assert_eq!(session.decrypt_bool(&half.unwrap()), expected, "{a} {name} clear {b}");
        }
        let nonzero = evaluator.to_bool(&x).unwrap();
        assert_eq!(session.decrypt_bool(&nonzero), a != U256::ZERO);
    }
}

#[test]
fn comparisons_are_those_of_the_values() {
    on_all!(comparisons);
}

fn extremes<T: Integer>() {
    let session = Session::simulated();
    let evaluator = &session.evaluator;
    for (a, b) in pairs::<T>(6) {
        let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
        let (low, high) = if less::<T>(a, b) { (a, b) } else { (b, a) };
        let clear = clear::<T>(b);
        for max in [evaluator.max(&x, &y), evaluator.max(&x, clear)] {
            assert_eq!(session.decrypt(&max.unwrap()), high, "max({a}, {b})");
        }
        for min in [evaluator.min(&x, &y), evaluator.min(&x, clear)] {
            assert_eq!(session.decrypt(&min.unwrap()), low, "min({a}, {b})");
        }
    }
}

#[test]
fn minimum_and_maximum_are_those_of_the_values() {
    on_all!(extremes);
}

fn selections<T: Integer>() {
    let session = Session::simulated();
    let evaluator = &session.evaluator;
    for (a, b) in pairs::<T>(2) {
        for condition in [false, true] {
            let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
            let flag = session.encrypt_bool(condition);
            let expected = if condition { a } else { b };
            let both = evaluator.select(&flag, &x, &y).unwrap();
            let half = evaluator.select(&flag, &x, clear::<T>(b)).unwrap();
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
fn chain<T: Integer>() {
    let session = Session::simulated();
    let evaluator = &session.evaluator;
    let values: Vec<_> = pairs::<T>(1).into_iter().map(|(a, _)| a).collect();
    let mut level: Vec<T> = values.iter().map(|&value| session.encrypt(value)).collect();
    while level.len() > 1 {
        let maxima = level.chunks(2).map(|pair| match pair {
            [a, b] => evaluator.max(a, b).unwrap(),
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
    let evaluator = &session.evaluator;
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        let (x, y) = (session.encrypt_bool(a), session.encrypt_bool(b));
        let results: [(FheBool, FheBool, bool); 5] = [
            (evaluator.and(&x, &y).unwrap(), evaluator.and(&x, b).unwrap(), a & b),
            (evaluator.or(&x, &y).unwrap(), evaluator.or(&x, b).unwrap(), a | b),
            (evaluator.xor(&x, &y).unwrap(), evaluator.xor(&x, b).unwrap(), a ^ b),
            (evaluator.eq(&x, &y).unwrap(), evaluator.eq(&x, b).unwrap(), a == b),
            (evaluator.ne(&x, &y).unwrap(), evaluator.ne(&x, b).unwrap(), a != b),
        ];
        for (both, half, expected) in results {
            assert_eq!(session.decrypt_bool(&both), expected);
            assert_eq!(session.decrypt_bool(&half), expected);
        }
        assert_eq!(session.decrypt_bool(&evaluator.not(&x).unwrap()), !a);
        for condition in [false, true] {
            let flag = session.encrypt_bool(condition);
            let selected = evaluator.select(&flag, &x, &y).unwrap();
            assert_eq!(session.decrypt_bool(&selected), if condition { a } else { b });
        }
    }
}
