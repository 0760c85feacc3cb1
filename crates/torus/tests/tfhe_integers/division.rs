//! Quotients and remainders.

use super::harness::{Numbers, Session, clear, mask, pairs, signed};
use crate::on_all;
use fathom::Error;
use fathom::tfhe::integer::{FheInt8, FheInteger, I256, Typed, U256};

/// Returns quotient and remainder, as documented for zero, for the least value and for signs.
fn expected<T: Typed>(a: U256, b: U256) -> (U256, U256) {
    let (quotient, remainder) = if T::SIGNED {
        let (a, b) = (signed::<T>(a), signed::<T>(b));
        match b {
            I256::ZERO => (if a < 0 { I256::ONE } else { I256::MINUS_ONE }, a),
            _ => (a.wrapping_div(b), a.wrapping_rem(b)),
        }
    } else if b == U256::ZERO {
        return (mask::<T>(), a);
    } else {
        return (a / b, a % b);
    };
    (quotient.as_u256() & mask::<T>(), remainder.as_u256() & mask::<T>())
}

fn check<T: FheInteger + Typed>(session: &Session, a: U256, b: U256) {
    let integers = &session.integers;
    let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
    let (quotient, remainder) = expected::<T>(a, b);
    let both = integers.div_rem(&x, &y).unwrap();
    let half = integers.div_rem(&x, clear::<T>(b));
    let half = if b == U256::ZERO {
        assert_eq!(half.unwrap_err(), Error::DivisionByZero);
        None
    } else {
        Some(half.unwrap())
    };
    for (q, r) in [Some(both), half].into_iter().flatten() {
        assert_eq!(session.decrypt(&q), quotient, "{a} / {b}");
        assert_eq!(session.decrypt(&r), remainder, "{a} % {b}");
    }
}

fn division<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let (random, step) = match T::BITS {
        ..=32 => (4, 1),
        64 => (2, 4),
        _ => (0, 16),
    };
    for (a, b) in pairs::<T>(random).into_iter().step_by(step) {
        check::<T>(&session, a, b);
    }
    let mut numbers = Numbers(T::BITS as u64 + 3);
    for _ in 0..=random {
        let (a, b) = (numbers.value(), numbers.value_of_any_length());
        check::<T>(&session, a & mask::<T>(), b & mask::<T>());
    }
}

#[test]
fn quotients_and_remainders_are_those_of_the_values() {
    on_all!(division);
}

#[test]
fn every_division_of_six_bits() {
    let session = Session::simulated();
    for a in 0..64u8 {
        for b in 0..64u8 {
            check::<fathom::tfhe::integer::FheUint<6>>(&session, a.into(), b.into());
        }
    }
}

fn divisors<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let mut numbers = Numbers(9);
    let count = if T::BITS <= 32 { 64 } else { 12 };
    for _ in 0..count {
        let b = numbers.value_of_any_length() & mask::<T>();
        if b == U256::ZERO {
            continue;
        }
        // These numerators lie around a multiple of the divisor, where an inaccurate reciprocal
        // fails first.
        let multiple = (numbers.value() & mask::<T>()) / b.max(U256::ONE) * b;
        for a in [multiple, multiple.wrapping_sub(U256::ONE), mask::<T>()] {
            let a = a & mask::<T>();
            let x: T = session.encrypt(a);
            let quotient = session.integers.div(&x, clear::<T>(b)).unwrap();
            assert_eq!(session.decrypt(&quotient), expected::<T>(a, b).0, "{a} / clear {b}");
        }
    }
}

#[test]
fn quotients_by_clear_divisors_are_exact() {
    on_all!(divisors);
}

/// Fault S7: division by a clear zero returned all ones.
#[test]
fn s7_a_clear_zero_divides_nothing() {
    let session = Session::simulated();
    let integers = &session.integers;
    let x: FheInt8 = session.encrypt(U256::from(0x9cu8));
    let zero = FheInt8::trivial(0).unwrap();
    assert_eq!(integers.div(&x, 0).unwrap_err(), Error::DivisionByZero);
    assert_eq!(integers.rem(&x, 0).unwrap_err(), Error::DivisionByZero);
    assert_eq!(integers.div_rem(&x, &zero).unwrap_err(), Error::DivisionByZero);
    assert_eq!(integers.checked_div_rem(&x, 0).unwrap_err(), Error::DivisionByZero);
    assert_eq!((integers.bind(&x) / 0).finish().unwrap_err(), Error::DivisionByZero);
    for (divisor, defined) in [(0_u8, false), (3, true), (0xff, true)] {
        let divisor: FheInt8 = session.encrypt(U256::from(divisor));
        let (quotient, remainder, flag) = integers.checked_div_rem(&x, &divisor).unwrap();
        assert_eq!(session.decrypt_bool(&flag), defined);
        let (q, r) = integers.div_rem(&x, &divisor).unwrap();
        assert_eq!(session.decrypt(&quotient), session.decrypt(&q));
        assert_eq!(session.decrypt(&remainder), session.decrypt(&r));
    }
    let (_, _, flag) = integers.checked_div_rem(&x, 3).unwrap();
    assert!(session.decrypt_bool(&flag));
}
