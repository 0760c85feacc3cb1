//! A few operations of each kind under real keys.

use super::harness::{Session, agree, clear};
use fathom::tfhe::integer::{FheInt, FheUint, FheUint8, FheValue, RadixInt, U256};

#[test]
fn operations_under_real_keys_give_the_clear_results() {
    let session = Session::encrypted();
    let integers = &session.integers;
    let (a, b) = (U256::from(0xb7u8), U256::from(0x1du8));
    agree!(session, FheUint8, add, a, b, a.wrapping_add(b));
    agree!(session, FheUint8, sub, b, a, b.wrapping_sub(a));
    agree!(session, FheUint8, mul, a, b, a.wrapping_mul(b));
    agree!(session, FheUint8, xor, a, b, a ^ b);
    agree!(session, FheUint8, div, a, b, a / b);
    agree!(session, FheUint8, rem, a, b, a % b);
    agree!(session, FheUint8, max, b, a, a);

    let [x, y]: [FheUint8; 2] = [a, b].map(|value| session.encrypt(value));
    for (flag, expected) in [
        (integers.eq(&x, &y), false),
        (integers.ge(&x, &y), true),
        (integers.lt(&x, 0xb8u8), true),
        (integers.ne(&x, 0xb7u8), false),
    ] {
        assert_eq!(session.decrypt_bool(&flag.unwrap()), expected);
    }
    let amount: FheUint8 = session.encrypt(U256::from(3u8));
    for (value, expected) in [
        (integers.shl(&x, &amount), 0xb8u8),
        (integers.rotate_right(&x, &amount), 0xf6),
        (integers.not(&x), 0x48),
    ] {
        assert_eq!(session.decrypt(&value.unwrap()), U256::from(expected));
    }
    let zeros = integers.leading_zeros(&y).unwrap();
    assert_eq!(session.decrypt(&zeros), U256::from(3u8));
}

/// Widths known at run time, checked arithmetic, and lists, of few bits each.
#[test]
fn lists_and_checked_arithmetic_under_real_keys_give_the_clear_results() {
    let session = Session::encrypted();
    let integers = &session.integers;
    let [a, b]: [FheUint8; 2] = [200_u8, 77].map(|value| session.encrypt(value.into()));
    let (sum, overflow) = integers.overflowing_add(&a, &b).unwrap();
    assert_eq!(session.decrypt(&sum), U256::from(21_u8));
    assert!(session.decrypt_bool(&overflow));
    let saturated = integers.saturating_sub(&b, &a).unwrap();
    assert_eq!(session.decrypt(&saturated), U256::ZERO);
    let chosen: FheUint8 = integers.select(&overflow, 9_u8, 250_u8).unwrap();
    assert_eq!(session.decrypt(&chosen), U256::from(9_u8));
    let cube = integers.pow(&b, 3).unwrap();
    assert_eq!(session.decrypt(&cube), U256::from(77_u8.wrapping_pow(3)));

    let [x, y] = [&a, &b].map(|integer| RadixInt::from(integer.clone()));
    let product = integers.mul(&x, &y).unwrap();
    let product = session.decrypt_blocks(product.blocks());
    assert_eq!(product, U256::from(200_u8.wrapping_mul(77)));
    assert!(session.decrypt_bool(&integers.gt(&x, &y).unwrap()));

    let list = [9_u8, 3, 12].map(|value| session.encrypt::<FheUint<4>>(value.into()));
    let sorted = integers.sort(&list).unwrap();
    let sorted: Vec<U256> = sorted.iter().map(|value| session.decrypt(value)).collect();
    assert_eq!(sorted, [3_u8, 9, 12].map(U256::from));
    let (place, greatest) = integers.argmax(&list).unwrap();
    assert_eq!(session.decrypt(&place), U256::from(2_u8));
    assert_eq!(session.decrypt(&greatest), U256::from(12_u8));
    let read = integers.lookup(&list, &session.encrypt::<FheUint<2>>(U256::ONE)).unwrap();
    assert_eq!(session.decrypt(&read), U256::from(3_u8));
    assert!(session.decrypt_bool(&integers.contains(&list, 9_u8).unwrap()));
    let less = integers.map(&list, |e, value| e.lt(value, 10_u8)).unwrap();
    let less: Vec<bool> = less.iter().map(|flag| session.decrypt_bool(flag)).collect();
    assert_eq!(less, [true, true, false]);
}

/// Covers the wide product with its columns, and signed operations.
#[test]
fn wide_and_signed_operations_under_real_keys_give_the_clear_results() {
    let session = Session::encrypted();
    let (a, b) = (U256::from(0x00c0_ffeeu32), U256::from(0x00ba_dbedu32));
    agree!(session, FheUint<24>, mul, a, b, a.wrapping_mul(b));

    let x: FheInt<16> = session.encrypt(U256::from(-1234i16 as u16));
    let integers = &session.integers;
    let magnitude = integers.abs(&x).unwrap();
    assert_eq!(session.decrypt(&magnitude), U256::from(1234u16));
    let halved = integers.shr(&x, 1).unwrap();
    assert_eq!(session.decrypt(&halved), U256::from(-617i16 as u16));
    let amount: FheUint8 = session.encrypt(U256::from(7u8));
    let shifted = integers.shr(&x, &amount).unwrap();
    assert_eq!(session.decrypt(&shifted), U256::from((-1234i16 >> 7) as u16));
    // The sign is one ciphertext in many blocks.
    let wide: FheInt<32> = integers.cast(&x).unwrap();
    let square = integers.mul(&wide, &wide).unwrap();
    assert_eq!(session.decrypt(&square), U256::from(1234u32 * 1234));
    let negative = integers.lt(&x, clear::<FheInt<16>>(U256::ZERO)).unwrap();
    assert!(session.decrypt_bool(&negative));
}
