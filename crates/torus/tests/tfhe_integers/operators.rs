//! Operators on bound operands.

use super::harness::Session;
use fathom::Error;
use fathom::tfhe::integer::{FheBool, FheInt16, FheUint8, FheUint32, Integers, RadixInt, U256};

#[test]
fn an_expression_computes_what_it_says() {
    let session = Session::simulated();
    let integers = &session.integers;
    let (a, b, c) = (0xdead_beefu32, 0x1234_5678u32, 77u32);
    let [x, y, z]: [FheUint32; 3] = [a, b, c].map(|value| session.encrypt(value.into()));

    let value = ((integers.bind(&x) * &y + 1u8) ^ (integers.bind(&y) - &z)) / 3u8 % &z;
    let expected = ((a.wrapping_mul(b).wrapping_add(1)) ^ (b - c)) / 3 % c;
    assert_eq!(session.decrypt(&value.finish().unwrap()), U256::from(expected));

    let amount = integers.bind(&z).then(Integers::count_ones).finish().unwrap();
    let value = (!(integers.bind(&x) & 0xff00u32 | &y) << &amount) >> 3;
    let expected = (!(a & 0xff00 | b) << c.count_ones()) >> 3;
    assert_eq!(session.decrypt(&value.finish().unwrap()), U256::from(expected));
}

#[test]
fn signs_and_truth_values_have_operators_too() {
    let session = Session::simulated();
    let integers = &session.integers;
    let x: FheInt16 = session.encrypt(U256::from(-1234i16 as u16));
    let value = (-integers.bind(&x)).finish().unwrap();
    assert_eq!(session.decrypt(&value), U256::from(1234u16));

    let (yes, no) = (session.encrypt_bool(true), FheBool::trivial(false));
    let value = (!integers.bind(&no) & &yes ^ false).finish().unwrap();
    assert!(session.decrypt_bool(&value));
}

#[test]
fn the_first_error_of_an_expression_is_returned() {
    let session = Session::simulated();
    let x: FheUint8 = session.encrypt(5u8.into());
    let value = (session.integers.bind(&x) + 1000u32) * &x - 1u8;
    let expected = Error::ClearOutOfRange { bits: 8, signed: false };
    assert_eq!(value.finish().unwrap_err(), expected);
}

#[test]
fn operators_apply_to_plain_values_in_a_scope() {
    let session = Session::simulated();
    let integers = &session.integers;
    let (a, b) = (200_u8, 77_u8);
    let [x, y]: [FheUint8; 2] = [a, b].map(|value| session.encrypt(value.into()));
    let sum = integers.scope(|| (1_u8 + &x * &y - 3_u8).finish()).unwrap();
    assert_eq!(session.decrypt(&sum).as_u8(), a.wrapping_mul(b).wrapping_add(1).wrapping_sub(3));
    let value = integers.scope(|| {
        let mixed = (100_u8 - &x) ^ (&x / 3_u8) & !(&y << 1) | (-y.clone() % &x);
        mixed.then(|e, value| e.add(value, &x)).finish()
    });
    let expected = (100_u8.wrapping_sub(a)) ^ (a / 3) & !(b << 1) | (b.wrapping_neg() % a);
    assert_eq!(session.decrypt(&value.unwrap()).as_u8(), expected.wrapping_add(a));
    let owned = integers.scope(|| x.clone() + y.clone() + x.clone() * 2_u8);
    assert_eq!(
        session.decrypt(&owned.finish().unwrap()).as_u8(),
        a.wrapping_mul(3).wrapping_add(b)
    );
    let radix = RadixInt::from(x.clone());
    let double = integers.scope(|| 2_u8 * &radix).finish().unwrap();
    assert_eq!(session.decrypt::<FheUint8>(&double.to_word().unwrap()).as_u8(), a.wrapping_mul(2));
    let (yes, no) = (session.encrypt_bool(true), FheBool::trivial(false));
    let flag = integers.scope(|| (true ^ (&yes & !&no)).finish()).unwrap();
    assert!(!session.decrypt_bool(&flag));
    let quotient = (100_u8 / integers.bind(&y)).finish().unwrap();
    assert_eq!(session.decrypt(&quotient).as_u8(), 100 / b);
}

#[test]
fn the_innermost_scope_counts_and_ends_with_its_closure() {
    let [outer, inner] = [Session::simulated(), Session::simulated()];
    let x: FheUint8 = outer.encrypt(5_u8.into());
    assert_eq!((&x + 1_u8).finish().unwrap_err(), Error::NoScope);
    outer.integers.scope(|| {
        inner.integers.scope(|| (&x + 1_u8).finish().unwrap());
        assert_eq!(
            (outer.integers.counts().bootstraps, inner.integers.counts().bootstraps),
            (0, 4)
        );
        let panics = || inner.integers.scope(|| std::panic::resume_unwind(Box::new(())));
        let unwound: Result<(), _> = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics));
        assert!(unwound.is_err());
        (&x + 1_u8).finish().unwrap();
        assert_eq!(outer.integers.counts().bootstraps, 4);
        let other =
            std::thread::scope(|scope| scope.spawn(|| (&x + 1_u8).finish()).join().unwrap());
        assert_eq!(other.unwrap_err(), Error::NoScope);
    });
    assert_eq!((&x + 1_u8).finish().unwrap_err(), Error::NoScope);
    // An error is kept to the end of the expression.
    let refused = outer.integers.scope(|| (&x + 300_u32) * &x).finish().unwrap_err();
    assert_eq!(refused, Error::ClearOutOfRange { bits: 8, signed: false });
}

#[test]
fn selections_between_clear_values_cost_at_most_one_bootstrap() {
    let session = Session::simulated();
    let e = &session.integers;
    let x: FheUint32 = session.encrypt(7_u8.into());
    for condition in [true, false] {
        let flag = session.encrypt_bool(condition);
        let pick = |a: u32, b: u32| U256::from(if condition { a } else { b });
        for (a, b) in [(0, 0), (0, u32::MAX), (0xdead_beef, 0x1234_5678), (5, 6), (1, 0)] {
            let before = e.counts().bootstraps;
            let chosen: FheUint32 = e.select(&flag, a, b).unwrap();
            assert!(e.counts().bootstraps - before <= 1);
            assert_eq!(session.decrypt(&chosen), pick(a, b));
            let chosen = e.select(&flag, a, &x).unwrap();
            assert_eq!(session.decrypt(&chosen), pick(a, 7));
            let chosen = e.select(&flag, &x, b).unwrap();
            assert_eq!(session.decrypt(&chosen), pick(7, b));
        }
        let chosen: FheInt16 = e.select(&flag, -3, 9).unwrap();
        let expected = if condition { -3_i16 } else { 9 };
        assert_eq!(session.decrypt(&chosen), U256::from(expected as u16));
        let chosen: FheBool = e.select(&flag, true, false).unwrap();
        assert_eq!(session.decrypt_bool(&chosen), condition);
    }
}

#[test]
fn amounts_of_shifts_have_any_unsigned_type_or_no_suffix() {
    let session = Session::simulated();
    let integers = &session.integers;
    let x: FheUint32 = session.encrypt(0xdead_beef_u32.into());
    let expected = U256::from(0xdead_beef_u32 << 3);
    let amounts: [FheUint8; 1] = [session.encrypt(3u8.into())];
    let radix = RadixInt::from(amounts[0].clone());
    let results = [
        integers.shl(&x, 3),
        integers.shl(&x, 3_u8),
        integers.shl(&x, 3_u16),
        integers.shl(&x, 3_u64),
        integers.shl(&x, 3_u128),
        integers.shl(&x, 3_usize),
        integers.shl(&x, &amounts[0]),
        integers.shl(&x, amounts[0].clone()),
        integers.shl(&x, &radix),
        integers.shl(&x, radix.clone()),
        integers.scope(|| (&x << 3_u8).finish()),
        integers.scope(|| (x.clone() << amounts[0].clone()).finish()),
        (integers.bind(&x) << 3_usize).finish(),
    ];
    for (index, result) in results.into_iter().enumerate() {
        assert_eq!(session.decrypt(&result.unwrap()), expected, "{index}");
    }
    let far = integers.shl(&x, 3_u128 + (1 << 100)).unwrap();
    assert_eq!(session.decrypt(&far), U256::ZERO);
    for bit in [false, true] {
        let amount = session.encrypt_bool(bit);
        let shifted = integers.shr(&x, &amount).unwrap();
        let expected = U256::from(0xdead_beef_u32 >> u32::from(bit));
        assert_eq!(session.decrypt(&shifted), expected);
        assert_eq!(session.decrypt(&integers.shr(&x, amount).unwrap()), expected);
    }
    let refused = integers.shl(&x, -1).unwrap_err();
    assert_eq!(refused, Error::ClearOutOfRange { bits: 128, signed: false });
    let signed = RadixInt::from(session.encrypt::<FheInt16>(3u8.into()));
    let refused = integers.shl(&x, &signed).unwrap_err();
    assert!(matches!(refused, Error::TypeMismatch { .. }), "{refused}");
}

#[test]
fn indices_and_literals_are_operands_on_both_sides() {
    let session = Session::simulated();
    let integers = &session.integers;
    let x: FheUint32 = session.encrypt(40u8.into());
    let values = [10_u64, 20, 30];
    let mut total = fathom::tfhe::integer::Outcome::from(x.clone());
    integers.scope(|| {
        for (index, _) in values.iter().enumerate() {
            total += index;
            total += 1;
        }
        total *= 2;
        total -= &x;
        total <<= 1;
        total |= 1;
    });
    assert_eq!(session.decrypt(&total.finish().unwrap()).as_u32(), ((46 * 2 - 40) << 1) | 1);
    let mut bound = integers.bind(&x);
    bound += 2_usize;
    bound >>= 1;
    bound ^= &x;
    assert_eq!(session.decrypt(&bound.finish().unwrap()).as_u32(), 0x15 ^ 0x28);
    let sum = integers.compute(|| 1 + &x).unwrap();
    assert_eq!(session.decrypt(&sum).as_u32(), 41);
    let chain = integers.compute(|| 100 - &x * 2 + 7_usize + &x).unwrap();
    assert_eq!(session.decrypt(&chain).as_u32(), 100 - 80 + 7 + 40);
    let outcome: fathom::tfhe::integer::Outcome<FheUint32> = integers.scope(|| 3 * &x);
    assert_eq!(session.decrypt(&outcome.finish().unwrap()).as_u32(), 120);
    let mut failed = fathom::tfhe::integer::Outcome::from(x.clone());
    failed += -1;
    failed += 1;
    assert_eq!(failed.finish().unwrap_err(), Error::NoScope);
}
