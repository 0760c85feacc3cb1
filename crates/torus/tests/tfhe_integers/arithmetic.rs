//! Sums, differences, products, absolute values.

use super::harness::{Numbers, Session, agree, clear, mask, pairs, signed};
use crate::{on_all, on_signed};
use fathom::tfhe::Policy;
use fathom::tfhe::integer::{FheInteger, FheUint, FheUint8, I256, Typed, U256};

fn sums<T: FheInteger + Typed>() {
    let sessions = [Policy::Work, Policy::Chains(2), Policy::Chains(5), Policy::Latency]
        .map(|policy| Session::simulated().with_policy(policy));
    for (a, b) in pairs::<T>(8) {
        for session in &sessions {
            agree!(session, T, add, a, b, a.wrapping_add(b));
            agree!(session, T, sub, a, b, a.wrapping_sub(b));
            let negated = session.integers.neg(&session.encrypt::<T>(a)).unwrap();
            assert_eq!(session.decrypt(&negated), U256::ZERO.wrapping_sub(a) & mask::<T>());
        }
    }
}

#[test]
fn sums_and_differences_wrap() {
    on_all!(sums);
}

fn overflows<T: FheInteger + Typed>() {
    let sessions = [Policy::Work, Policy::Chains(2), Policy::Chains(5), Policy::Latency]
        .map(|policy| Session::simulated().with_policy(policy));
    for (a, b) in pairs::<T>(8) {
        let (sum, difference) = if T::SIGNED {
            let (a, b) = (signed::<T>(a), signed::<T>(b));
            let wraps =
                |(value, wrapped): (I256, bool)| wrapped || signed::<T>(value.as_u256()) != value;
            (wraps(a.overflowing_add(b)), wraps(a.overflowing_sub(b)))
        } else {
            (b > mask::<T>() - a, b > a)
        };
        for session in &sessions {
            let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
            let integers = &session.integers;
            let clear = clear::<T>(b);
            for (value, flag) in
                [integers.overflowing_add(&x, &y), integers.overflowing_add(&x, clear)]
                    .map(Result::unwrap)
            {
                assert_eq!(session.decrypt(&value), a.wrapping_add(b) & mask::<T>());
                assert_eq!(session.decrypt_bool(&flag), sum, "{a} + {b}");
            }
            for (value, flag) in
                [integers.overflowing_sub(&x, &y), integers.overflowing_sub(&x, clear)]
                    .map(Result::unwrap)
            {
                assert_eq!(session.decrypt(&value), a.wrapping_sub(b) & mask::<T>());
                assert_eq!(session.decrypt_bool(&flag), difference, "{a} - {b}");
            }
        }
    }
}

#[test]
fn overflow_is_what_the_type_cannot_hold() {
    on_all!(overflows);
}

fn products<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let random = if T::BITS > 64 { 0 } else { 4 };
    let step = if T::BITS > 64 { 7 } else { 1 };
    for (a, b) in pairs::<T>(random).into_iter().step_by(step) {
        agree!(session, T, mul, a, b, a.wrapping_mul(b));
    }
    let mut numbers = Numbers(1);
    let (a, b) = (numbers.value() & mask::<T>(), numbers.value() & mask::<T>());
    agree!(session, T, mul, a, b, a.wrapping_mul(b));
}

#[test]
fn products_wrap() {
    on_all!(products);
}

#[test]
fn every_product_of_six_bits() {
    let session = Session::simulated();
    for a in 0..64u8 {
        for b in 0..64u8 {
            let [a, b] = [a, b].map(U256::from);
            agree!(session, FheUint<6>, mul, a, b, a.wrapping_mul(b));
        }
    }
}

/// The cheapest algorithm depends on the factor: copies of all digits, of some, or tables for all.
#[test]
fn products_by_every_factor_of_eight_bits() {
    let session = Session::simulated();
    for a in [1u8, 0x5b, 0xb6, 0xff] {
        let value: FheUint8 = session.encrypt(U256::from(a));
        for b in 0..=255u8 {
            let product = session.integers.mul(&value, b).unwrap();
            assert_eq!(session.decrypt(&product), U256::from(a.wrapping_mul(b)), "{a} * {b}");
        }
    }
}

fn magnitudes<T: FheInteger + Typed>() {
    let session = Session::simulated();
    for (a, _) in pairs::<T>(8) {
        let value = session.integers.abs(&session.encrypt::<T>(a)).unwrap();
        let expected = signed::<T>(a).wrapping_abs().as_u256() & mask::<T>();
        assert_eq!(session.decrypt(&value), expected, "|{a}|");
    }
}

#[test]
fn absolute_values_wrap() {
    on_signed!(magnitudes);
}

fn list<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let mut numbers = Numbers(2);
    for length in [0, 1, 2, 3, 5, 20] {
        let values: Vec<_> = (0..length).map(|_| numbers.value() & mask::<T>()).collect();
        let expected = values.iter().fold(U256::ZERO, |sum, &value| sum.wrapping_add(value));
        let encrypted: Vec<T> = values.iter().map(|&value| session.encrypt(value)).collect();
        let sum = session.integers.sum(&encrypted).unwrap();
        assert_eq!(session.decrypt(&sum), expected & mask::<T>());
    }
}

#[test]
fn the_sum_of_a_list_is_that_of_its_values() {
    on_all!(list);
}
