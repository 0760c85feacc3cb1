//! Bitwise operations, shifts, rotations, counts of bits and conversions.

use super::harness::{Numbers, Session, agree, clear, mask, pairs, signed};
use crate::on_all;
use fathom::tfhe::Params;
use fathom::tfhe::integer::{
    FheInt, FheInteger, FheUint, FheUint8, FheUint16, RadixInt, Typed, U256, ValueType,
};

fn bitwise<T: FheInteger + Typed>() {
    let session = Session::simulated();
    for (a, b) in pairs::<T>(8) {
        agree!(session, T, and, a, b, a & b);
        agree!(session, T, or, a, b, a | b);
        agree!(session, T, xor, a, b, a ^ b);
        let inverted = session.integers.not(&session.encrypt::<T>(a)).unwrap();
        assert_eq!(session.decrypt(&inverted), !a & mask::<T>());
    }
}

#[test]
fn bitwise_operations_are_those_of_the_values() {
    on_all!(bitwise);
}

/// Returns `a` of this type shifted left, shifted right, rotated left and rotated right. Shifts by
/// the width and more move everything out; rotations count modulo the width.
fn shifted(ty: ValueType, a: U256, amount: u64) -> [U256; 4] {
    let (bits, width) = (u64::from(ty.bits()), u32::from(ty.bits()));
    let within = amount.min(bits) as u32;
    let around = (amount % bits) as u32;
    let left = |by: u32| a.checked_shl(by).unwrap_or(U256::ZERO);
    let right = |by: u32| a.checked_shr(by).unwrap_or(U256::ZERO);
    let unused = 256 - width;
    let arithmetic = ((a << unused).as_i256() >> unused >> within.min(255)).as_u256();
    let shifted_right = if ty.is_signed() { arithmetic } else { right(within) };
    let back = width - around;
    let values =
        [left(within), shifted_right, left(around) | right(back), right(around) | left(back)];
    values.map(|value| value & (U256::MAX >> unused))
}

/// Compares shifts of `x` by a clear and by an encrypted amount with those of its value `a`.
fn compare_shifts<T: FheInteger>(
    session: &Session,
    (x, a): (&T, U256),
    (secret, amount): (&RadixInt, u64),
) {
    let integers = &session.integers;
    let expected = shifted(x.value_type(), a, amount);
    let public = u32::try_from(amount).ok();
    let clear = public.map(|amount| {
        [
            integers.shl(x, amount),
            integers.shr(x, amount),
            integers.rotate_left(x, amount),
            integers.rotate_right(x, amount),
        ]
    });
    let encrypted = [
        integers.shl(x, secret),
        integers.shr(x, secret),
        integers.rotate_left(x, secret),
        integers.rotate_right(x, secret),
    ];
    for results in clear.iter().chain([&encrypted]) {
        for (place, (result, expected)) in results.iter().zip(expected).enumerate() {
            let value = session.decrypt_blocks(result.as_ref().unwrap().blocks());
            let ty = x.value_type();
            assert_eq!(value, expected, "{a} by {amount}, operation {place} of {ty:?}");
        }
    }
}

fn shifts<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let mut numbers = Numbers(T::BITS as u64);
    let every = 0..(2 * T::BITS as u64).min(80);
    let random: Vec<_> = (0..16).map(|_| numbers.word() & 0xffff).collect();
    for amount in every.chain(random) {
        let a = numbers.value() & mask::<T>();
        let secret = RadixInt::from(session.encrypt::<FheUint16>(amount.into()));
        compare_shifts(&session, (&session.encrypt::<T>(a), a), (&secret, amount));
    }
}

#[test]
fn shifts_and_rotations_are_those_of_the_values() {
    on_all!(shifts);
}

/// Amounts below, at and above every width up to 64 bits, in types of 2 to 64 bits.
#[test]
fn shifts_at_every_width_are_those_of_the_values() {
    for session in [
        Session::simulated(),
        Session::simulated_received(Params::preset(Params::INTEGERS).unwrap(), 2),
    ] {
        let mut numbers = Numbers(64);
        for bits in (2..=64_usize).step_by(2) {
            let types = [ValueType::unsigned(bits), ValueType::signed(bits)].map(Result::unwrap);
            let width = bits as u64;
            let far = numbers.word() >> 16;
            let amounts =
                [0, 1, 3, width - 1, width, width + 1, 2 * width, 3 * width + 5, 255, far];
            for (index, amount) in amounts.into_iter().enumerate() {
                let ty = types[index % 2];
                let a = numbers.value() & (U256::MAX >> (256 - bits) as u32);
                let x = session.encrypt_radix(ty, a);
                let needed = (64 - amount.leading_zeros() as usize).next_multiple_of(2).max(2);
                let long = ValueType::unsigned([needed, 64.min(needed + 8)][index / 2 % 2]);
                let secret = session.encrypt_radix(long.unwrap(), amount.into());
                compare_shifts(&session, (&x, a), (&secret, amount));
            }
        }
    }
}

/// Twelve bits have four useful bits of an amount; the others count as well.
#[test]
fn twelve_bits_move_by_amounts_beyond_the_next_power_of_two() {
    for session in [Session::simulated(), Session::encrypted()] {
        let e = &session.integers;
        let x: FheUint<12> = session.encrypt(U256::from(0xabc_u16));
        let amount: FheUint8 = session.encrypt(U256::from(16_u8));
        assert_eq!(session.decrypt(&e.shl(&x, 16).unwrap()), U256::ZERO);
        assert_eq!(session.decrypt(&e.shl(&x, &amount).unwrap()), U256::ZERO);
        assert_eq!(session.decrypt(&e.rotate_left(&x, 24).unwrap()), U256::from(0xabc_u16));
        let turned = session.decrypt(&e.rotate_left(&x, &amount).unwrap());
        assert_eq!(turned, U256::from(0xbca_u16));
        let y: FheInt<12> = session.encrypt(U256::from(0xabc_u16));
        assert_eq!(session.decrypt(&e.shr(&y, &amount).unwrap()), U256::from(0xfff_u16));
    }
}

#[test]
fn an_amount_may_have_fewer_bits_than_the_shift_could_use() {
    let session = Session::simulated();
    let x: FheUint<64> = session.encrypt(U256::from(0x0123_4567_89ab_cdefu64));
    for amount in 0..4u8 {
        let secret: FheUint<2> = session.encrypt(amount.into());
        let value = session.integers.shl(&x, &secret).unwrap();
        assert_eq!(session.decrypt(&value), U256::from(0x0123_4567_89ab_cdefu64 << amount));
    }
}

fn counts<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let integers = &session.integers;
    let unused = 256 - T::BITS as u32;
    let single = (0..T::BITS as u32).map(|place| U256::ONE << place);
    let values: Vec<_> = pairs::<T>(6).into_iter().map(|(a, _)| a).chain(single).collect();
    for a in values {
        let x: T = session.encrypt(a);
        let inverted = !a & mask::<T>();
        let leading = |value: U256| value.leading_zeros() - unused;
        let trailing = |value: U256| value.trailing_zeros().min(T::BITS as u32);
        let results = [
            (integers.leading_zeros(&x), leading(a)),
            (integers.leading_ones(&x), leading(inverted)),
            (integers.trailing_zeros(&x), trailing(a)),
            (integers.trailing_ones(&x), trailing(inverted)),
            (integers.count_ones(&x), a.count_ones()),
        ];
        for (place, (count, expected)) in results.into_iter().enumerate() {
            let count = session.decrypt(&count.unwrap());
            assert_eq!(count, U256::from(expected), "{place} of {a:b}");
        }
        let (log, exists) = integers.checked_log2(&x).unwrap();
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

fn conversions<T: FheInteger + Typed>() {
    fn to<T: FheInteger + Typed, U: FheInteger + Typed>() {
        let session = Session::simulated();
        for (a, _) in pairs::<T>(2) {
            let value: U = session.integers.cast(&session.encrypt::<T>(a)).unwrap();
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
        let word: FheUint16 = session.integers.cast(&session.encrypt_bool(value)).unwrap();
        assert_eq!(session.decrypt(&word), U256::from(u8::from(value)));
    }
}

fn trivial<T: FheInteger + Typed>() {
    let session = Session::simulated();
    let (a, b) = pairs::<T>(1).pop().unwrap();
    let x = T::trivial(clear::<T>(a)).unwrap();
    let y = T::trivial(clear::<T>(b)).unwrap();
    let product = session.integers.mul(&x, &y).unwrap();
    assert_eq!(session.decrypt(&product), a.wrapping_mul(b) & mask::<T>());
    assert_eq!(session.integers.counts().bootstraps, 0, "clear values need no bootstrap");
}

#[test]
fn trivial_ciphertexts_are_computed_in_the_clear() {
    on_all!(trivial);
}
