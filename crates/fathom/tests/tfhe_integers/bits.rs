//! Bitwise operations, shifts, rotations, counts of bits and conversions.

use super::harness::{Numbers, Session, agree, clear, mask, pairs, signed};
use crate::on_all;
use fathom::tfhe::integer::{FheInt, FheUint, FheUint8, FheUint16, Integer, RadixValue, U256};

fn bitwise<T: Integer>() {
    let session = Session::simulated();
    for (a, b) in pairs::<T>(8) {
        agree!(session, T, and, a, b, a & b);
        agree!(session, T, or, a, b, a | b);
        agree!(session, T, xor, a, b, a ^ b);
        let inverted = session.evaluator.not(&session.encrypt::<T>(a)).unwrap();
        assert_eq!(session.decrypt(&inverted), !a & mask::<T>());
    }
}

#[test]
fn bitwise_operations_are_those_of_the_values() {
    on_all!(bitwise);
}

fn shifted<T: RadixValue>(a: U256, amount: u32) -> [U256; 4] {
    let bits = T::BITS as u32;
    let left = a.checked_shl(amount).unwrap_or(U256::ZERO);
    let right = if T::SIGNED {
        (signed::<T>(a) >> amount.min(255)).as_u256()
    } else {
        a.checked_shr(amount).unwrap_or(U256::ZERO)
    };
    let around = amount % bits;
    let rotate = |left: u32, right: u32| {
        a.checked_shl(left).unwrap_or(U256::ZERO) | a.checked_shr(right).unwrap_or(U256::ZERO)
    };
    let rotations = [rotate(around, bits - around), rotate(bits - around, around)];
    [left, right, rotations[0], rotations[1]].map(|value| value & mask::<T>())
}

fn shifts<T: Integer>() {
    let session = Session::simulated();
    let evaluator = &session.evaluator;
    let span = T::BITS.next_power_of_two() as u64;
    let mut numbers = Numbers(span);
    let every = 0..span.min(64);
    let random: Vec<_> = (0..16).map(|_| numbers.word()).collect();
    for amount in every.chain(random) {
        let a = numbers.value() & mask::<T>();
        let x: T = session.encrypt(a);
        let expected = shifted::<T>(a, (amount % span) as u32);
        let public = amount as u32;
        let secret: FheUint16 = session.encrypt(amount.into());
        let clear = [
            evaluator.shl(&x, public),
            evaluator.shr(&x, public),
            evaluator.rotate_left(&x, public),
            evaluator.rotate_right(&x, public),
        ];
        let encrypted = [
            evaluator.shl(&x, &secret),
            evaluator.shr(&x, &secret),
            evaluator.rotate_left(&x, &secret),
            evaluator.rotate_right(&x, &secret),
        ];
        for (place, expected) in expected.into_iter().enumerate() {
            let values = [&clear[place], &encrypted[place]];
            for value in values {
                let value = session.decrypt(value.as_ref().unwrap());
                assert_eq!(value, expected, "{a} {place} {amount} of {}", T::BITS);
            }
        }
    }
}

#[test]
fn shifts_and_rotations_are_those_of_the_values() {
    on_all!(shifts);
}

#[test]
fn an_amount_may_have_fewer_bits_than_the_shift_could_use() {
    let session = Session::simulated();
    let x: FheUint<64> = session.encrypt(U256::from(0x0123_4567_89ab_cdefu64));
    for amount in 0..4u8 {
        let secret: FheUint<2> = session.encrypt(amount.into());
        let value = session.evaluator.shl(&x, &secret).unwrap();
        assert_eq!(session.decrypt(&value), U256::from(0x0123_4567_89ab_cdefu64 << amount));
    }
}

fn counts<T: Integer>() {
    let session = Session::simulated();
    let evaluator = &session.evaluator;
    let unused = 256 - T::BITS as u32;
    let single = (0..T::BITS as u32).map(|place| U256::ONE << place);
    let values: Vec<_> = pairs::<T>(6).into_iter().map(|(a, _)| a).chain(single).collect();
    for a in values {
        let x: T = session.encrypt(a);
        let inverted = !a & mask::<T>();
        let leading = |value: U256| value.leading_zeros() - unused;
        let trailing = |value: U256| value.trailing_zeros().min(T::BITS as u32);
        let results = [
            (evaluator.leading_zeros(&x), leading(a)),
            (evaluator.leading_ones(&x), leading(inverted)),
            (evaluator.trailing_zeros(&x), trailing(a)),
            (evaluator.trailing_ones(&x), trailing(inverted)),
            (evaluator.count_ones(&x), a.count_ones()),
        ];
        for (place, (count, expected)) in results.into_iter().enumerate() {
            let count = session.decrypt(&count.unwrap());
            assert_eq!(count, U256::from(expected), "{place} of {a:b}");
        }
        let (log, exists) = evaluator.checked_log2(&x).unwrap();
        assert_eq!(session.decrypt_bool(&exists), a != U256::ZERO);
        let log = session.decrypt(&log);
        if a == U256::ZERO {
            assert!(log >= U256::from(T::BITS as u32 - 1) && (log + 1).is_power_of_two());
        } else {
            assert_eq!(log, U256::from(T::BITS as u32 - 1 - leading(a)));
        }
    }
}

#[test]
fn counts_of_bits_are_those_of_the_values() {
    on_all!(counts);
}

fn conversions<T: Integer>() {
    fn to<T: Integer, U: Integer>() {
        let session = Session::simulated();
        for (a, _) in pairs::<T>(2) {
            let value: U = session.evaluator.cast(&session.encrypt::<T>(a)).unwrap();
            let wide = if T::SIGNED { signed::<T>(a).as_u256() } else { a };
            assert_eq!(session.decrypt(&value), wide & mask::<U>());
        }
    }
    to::<T, FheUint8>();
    to::<T, FheUint<256>>();
    to::<T, FheInt<10>>();
    to::<T, FheInt<64>>();
}

#[test]
fn conversions_keep_the_value_modulo_the_width() {
    on_all!(conversions);
}

#[test]
fn a_truth_value_becomes_zero_or_one() {
    let session = Session::simulated();
    for value in [false, true] {
        let word: FheUint16 = session.evaluator.cast(&session.encrypt_bool(value)).unwrap();
        assert_eq!(session.decrypt(&word), U256::from(u8::from(value)));
    }
}

fn trivial<T: Integer>() {
    let session = Session::simulated();
    let (a, b) = pairs::<T>(1).pop().unwrap();
    let x = T::trivial(clear::<T>(a)).unwrap();
    let y = T::trivial(clear::<T>(b)).unwrap();
    let product = session.evaluator.mul(&x, &y).unwrap();
    assert_eq!(session.decrypt(&product), a.wrapping_mul(b) & mask::<T>());
    assert_eq!(session.evaluator.counts().bootstraps, 0, "clear values need no bootstrap");
}

#[test]
fn trivial_ciphertexts_are_computed_in_the_clear() {
    on_all!(trivial);
}
