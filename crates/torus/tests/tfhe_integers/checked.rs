//! Overflowing, checked and saturating arithmetic, powers, roots and absolute differences.

use super::harness::{Numbers, Session, clear, mask, pairs, signed};
use crate::on_all;
use fathom::Error;
use fathom::tfhe::Policy;
use fathom::tfhe::integer::{FheBool, FheInt, FheInteger, FheUint, I256, Typed, U256};

/// Returns the product, wrapped to the type, and whether it overflowed.
fn product<T: Typed>(a: U256, b: U256) -> (U256, bool) {
    if T::SIGNED {
        let (product, beyond) = signed::<T>(a).overflowing_mul(signed::<T>(b));
        let wrapped = product.as_u256() & mask::<T>();
        (wrapped, beyond || signed::<T>(wrapped) != product)
    } else {
        let (product, beyond) = a.overflowing_mul(b);
        (product & mask::<T>(), beyond || product > mask::<T>())
    }
}

/// Returns the sum or difference, wrapped to the type, and whether it overflowed.
fn sum<T: Typed>(a: U256, b: U256, negate: bool) -> (U256, bool) {
    let exact = if negate { a.wrapping_sub(b) } else { a.wrapping_add(b) };
    let wrapped = exact & mask::<T>();
    let overflow = match (T::SIGNED, negate) {
        (false, false) => a > mask::<T>() - b,
        (false, true) => a < b,
        (true, false) => {
            let (sum, beyond) = signed::<T>(a).overflowing_add(signed::<T>(b));
            beyond || sum != signed::<T>(wrapped)
        }
        (true, true) => {
            let (sum, beyond) = signed::<T>(a).overflowing_sub(signed::<T>(b));
            beyond || sum != signed::<T>(wrapped)
        }
    };
    (wrapped, overflow)
}

/// Returns the end of the range that an operation with a positive or negative result leaves.
fn end<T: Typed>(negative: bool) -> U256 {
    let least = U256::ONE << (T::BITS - 1) as u32;
    match (T::SIGNED, negative) {
        (true, true) => least,
        (true, false) => least - 1,
        (false, true) => U256::ZERO,
        (false, false) => mask::<T>(),
    }
}

/// Checks the three forms of an operation against a wrapped result and its overflow.
struct Forms<T> {
    overflowing: (T, FheBool),
    checked: (T, FheBool),
    saturating: T,
}

impl<T: FheInteger + Typed> Forms<T> {
    fn check(&self, session: &Session, (wrapped, overflow): (U256, bool), end: U256, name: &str) {
        for (value, flag, expected) in [
            (&self.overflowing.0, &self.overflowing.1, overflow),
            (&self.checked.0, &self.checked.1, !overflow),
        ] {
            assert_eq!(session.decrypt(value), wrapped, "{name}");
            assert_eq!(session.decrypt_bool(flag), expected, "{name}");
        }
        let saturated = if overflow { end } else { wrapped };
        assert_eq!(session.decrypt(&self.saturating), saturated, "{name} saturating");
    }
}

fn overflow_is_detected<T: FheInteger + Typed>(session: &Session, random: usize) {
    let e = &session.integers;
    for (a, b) in pairs::<T>(random) {
        let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
        let c = clear::<T>(b);
        let is_negative = |value: U256| T::SIGNED && signed::<T>(value) < I256::ZERO;
        let (sum_end, difference_end) = (end::<T>(is_negative(a)), end::<T>(is_negative(a)));
        let difference_end = if T::SIGNED { difference_end } else { U256::ZERO };
        let product_end = end::<T>(is_negative(a) != is_negative(b));
        for operand in [true, false] {
            let name = format!("{a} {b} of {}, encrypted: {operand}", T::BITS);
            macro_rules! forms {
                ($overflowing:ident, $checked:ident, $saturating:ident) => {
                    if operand {
                        Forms {
                            overflowing: e.$overflowing(&x, &y).unwrap(),
                            checked: e.$checked(&x, &y).unwrap(),
                            saturating: e.$saturating(&x, &y).unwrap(),
                        }
                    } else {
                        Forms {
                            overflowing: e.$overflowing(&x, c).unwrap(),
                            checked: e.$checked(&x, c).unwrap(),
                            saturating: e.$saturating(&x, c).unwrap(),
                        }
                    }
                };
            }
            let forms = forms!(overflowing_add, checked_add, saturating_add);
            forms.check(session, sum::<T>(a, b, false), sum_end, &format!("add {name}"));
            let forms = forms!(overflowing_sub, checked_sub, saturating_sub);
            forms.check(session, sum::<T>(a, b, true), difference_end, &format!("sub {name}"));
            let forms = forms!(overflowing_mul, checked_mul, saturating_mul);
            forms.check(session, product::<T>(a, b), product_end, &format!("mul {name}"));
        }
        let forms = Forms {
            overflowing: e.overflowing_neg(&x).unwrap(),
            checked: e.checked_neg(&x).unwrap(),
            saturating: e.saturating_neg(&x).unwrap(),
        };
        let overflow = if T::SIGNED { a == end::<T>(true) } else { a != U256::ZERO };
        let wrapped = U256::ZERO.wrapping_sub(a) & mask::<T>();
        let end = if T::SIGNED { end::<T>(false) } else { U256::ZERO };
        forms.check(session, (wrapped, overflow), end, &format!("neg {a}"));
    }
}

fn overflow<T: FheInteger + Typed>() {
    let random = if T::BITS <= 32 { 6 } else { 0 };
    if T::BITS <= 64 {
        overflow_is_detected::<T>(&Session::simulated(), random);
    }
}

#[test]
fn overflow_is_that_of_clear_arithmetic() {
    on_all!(overflow);
    for policy in [Policy::Chains(2), Policy::Latency] {
        let session = Session::simulated().with_policy(policy);
        overflow_is_detected::<FheUint<32>>(&session, 1);
        overflow_is_detected::<FheInt<16>>(&session, 1);
    }
}

fn differences<T: FheInteger + Typed>() {
    let session = Session::simulated();
    for (a, b) in pairs::<T>(3) {
        let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
        let expected = if T::SIGNED {
            signed::<T>(a.max(b)).abs_diff(signed::<T>(a.min(b)))
        } else {
            a.max(b) - a.min(b)
        };
        let both = session.integers.abs_diff(&x, &y).unwrap();
        assert_eq!(digits(&session, &both), expected, "{a} {b}");
        let half = session.integers.abs_diff(&x, clear::<T>(b)).unwrap();
        assert_eq!(digits(&session, &half), expected, "{a} clear {b}");
        let odd = session.integers.is_odd(&x).unwrap();
        let even = session.integers.is_even(&x).unwrap();
        let expected = a & U256::ONE == U256::ONE;
        assert_eq!([odd, even].map(|flag| session.decrypt_bool(&flag)), [expected, !expected]);
    }
}

/// Decrypts a value of an associated type.
fn digits<T: FheInteger>(session: &Session, value: &T) -> U256 {
    session.decrypt_blocks(value.blocks())
}

#[test]
fn absolute_differences_and_parities_are_those_of_clear_integers() {
    on_all!(differences);
}

fn roots<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let mut numbers = Numbers(7);
    let top = U256::ONE << (T::BITS / 2) as u32;
    let mut values =
        vec![U256::ZERO, U256::ONE, U256::MAX, top, top.wrapping_mul(top).wrapping_sub(U256::ONE)];
    values.extend((0..3).map(|_| numbers.value()));
    for value in values.into_iter().map(|value| value & mask::<T>()) {
        let root = session.integers.isqrt(&session.encrypt::<T>(value)).unwrap();
        let root = session.decrypt(&root);
        let next = root + 1;
        assert!(root.checked_mul(root).is_some_and(|square| square <= value), "{value} {root}");
        assert!(next.checked_mul(next).is_none_or(|square| square > value), "{value} {root}");
    }
}

#[test]
fn roots_are_the_greatest_whose_square_is_not_above_the_value() {
    on_all!(roots);
}

/// Computes `a^exponent` modulo `2^256`.
fn power(a: U256, exponent: U256) -> U256 {
    (0..256_u32).rev().fold(U256::ONE, |power, bit| {
        let square = power.wrapping_mul(power);
        let set = (exponent >> bit) & U256::ONE == U256::ONE;
        if set { square.wrapping_mul(a) } else { square }
    })
}

fn powers_of<T: FheInteger + Typed>(session: &Session, bases: &[u64], exponents: &[u32]) {
    for (&base, &exponent) in bases.iter().flat_map(|a| exponents.iter().map(move |e| (a, e))) {
        let base = U256::from(base) & mask::<T>();
        let expected = power(base, exponent.into()) & mask::<T>();
        let x: T = session.encrypt(base);
        let result = session.integers.pow(&x, exponent).unwrap();
        assert_eq!(session.decrypt(&result), expected, "{base}^{exponent}");
        let encrypted: FheUint<16> = session.encrypt(exponent.into());
        let expected = power(base, (exponent & 0xffff).into()) & mask::<T>();
        let result = session.integers.pow(&x, &encrypted).unwrap();
        assert_eq!(session.decrypt(&result), expected, "{base}^encrypted {exponent}");
    }
}

#[test]
fn powers_are_those_of_clear_integers() {
    let session = Session::simulated();
    let exponents = [0, 1, 2, 3, 7, 15, 64, 77, 1000, 65_535];
    powers_of::<FheUint<2>>(&session, &[0, 1, 2, 3], &exponents);
    powers_of::<FheUint<6>>(&session, &[0, 5, 6, 63], &exponents);
    powers_of::<FheUint<8>>(&session, &[0, 1, 2, 3, 10, 128, 255], &exponents);
    powers_of::<FheInt<8>>(&session, &[0xfe, 0xfd], &exponents);
    powers_of::<FheUint<32>>(&session, &[3, 0xdead_beef], &[0, 5, 70_000, u32::MAX]);
    powers_of::<FheUint<64>>(&session, &[u64::MAX - 4], &[1025]);
}

fn quotients<T: FheInteger + Typed>() {
    if T::BITS > 16 {
        return;
    }
    let session = Session::simulated();
    let e = &session.integers;
    for (a, b) in pairs::<T>(2) {
        let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
        let least = a == end::<T>(true) && b == mask::<T>();
        let defined = b != U256::ZERO && !(T::SIGNED && least);
        for (value, flag) in [e.checked_div(&x, &y).unwrap(), e.checked_rem(&x, &y).unwrap()] {
            session.decrypt(&value);
            assert_eq!(session.decrypt_bool(&flag), defined, "{a} / {b}");
        }
        if b != U256::ZERO {
            let (value, flag) = e.checked_div(&x, clear::<T>(b)).unwrap();
            assert_eq!(session.decrypt(&value), session.decrypt(&e.div(&x, &y).unwrap()));
            assert_eq!(session.decrypt_bool(&flag), defined);
        }
    }
    let x: T = session.encrypt(U256::ONE);
    assert_eq!(e.checked_div(&x, 0_u8).unwrap_err(), Error::DivisionByZero);
}

#[test]
fn quotients_by_zero_and_of_the_least_value_by_minus_one_are_not_defined() {
    on_all!(quotients);
}

#[test]
fn shifts_by_the_width_or_more_overflow() {
    let session = Session::simulated();
    let e = &session.integers;
    let x: FheUint<8> = session.encrypt(0xb7_u8.into());
    for amount in [0_u32, 3, 7, 8, 9, 200] {
        let hidden: FheUint<8> = session.encrypt(amount.into());
        let shifted = [e.overflowing_shl(&x, &hidden), e.overflowing_shl(&x, amount)];
        for (value, flag) in shifted.map(Result::unwrap) {
            assert_eq!(session.decrypt(&value).as_u8(), 0xb7_u8.checked_shl(amount).unwrap_or(0));
            assert_eq!(session.decrypt_bool(&flag), amount >= 8, "{amount}");
        }
        for (value, flag) in
            [e.checked_shr(&x, &hidden), e.checked_shr(&x, amount)].map(Result::unwrap)
        {
            assert_eq!(session.decrypt(&value).as_u8(), 0xb7_u8.checked_shr(amount).unwrap_or(0));
            assert_eq!(session.decrypt_bool(&flag), amount < 8, "{amount}");
        }
    }
    // A narrow amount cannot reach the width.
    let narrow: FheUint<2> = session.encrypt(3_u8.into());
    let (_, flag) = e.overflowing_shr(&x, &narrow).unwrap();
    assert!(flag.block().is_clear() && !session.decrypt_bool(&flag));
    let (_, flag) = e.checked_shl(&x, &narrow).unwrap();
    assert!(session.decrypt_bool(&flag));
}
