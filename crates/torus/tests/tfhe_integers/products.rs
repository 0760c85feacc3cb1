//! Dot products with clear weights, products of twice the width, and counts of truth values.

use super::harness::Session;
use fathom::Error;
use fathom::tfhe::ListError;
use fathom::tfhe::integer::{
    FheBool, FheInt, FheInt8, FheInt16, FheInteger, FheUint, FheUint8, FheUint16, FheUint32,
    FheValue, I256, RadixInt, U256, ValueType,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn dot_products_with_clear_weights_are_those_of_clear_values(
        terms in prop::collection::vec((any::<u8>(), any::<i16>()), 0..40),
    ) {
        let session = Session::simulated();
        let integers = &session.integers;
        let weights: Vec<i16> = terms.iter().map(|term| term.1).collect();
        let unsigned: Vec<FheUint8> =
            terms.iter().map(|term| session.encrypt(term.0.into())).collect();
        let signed: Vec<FheInt8> =
            terms.iter().map(|term| session.encrypt(term.0.into())).collect();
        let sum = |value: fn(u8) -> i64| -> i64 {
            terms.iter().map(|&(x, weight)| value(x) * i64::from(weight)).sum()
        };
        let wide: FheInt<32> = integers.dot_clear(&unsigned, &weights).unwrap();
        prop_assert_eq!(session.decrypt(&wide).as_u32(), sum(i64::from) as u32);
        let wide: FheInt<32> = integers.dot_clear(&signed, &weights).unwrap();
        prop_assert_eq!(session.decrypt(&wide).as_u32(), sum(|x| (x as i8).into()) as u32);
        let narrow: FheUint16 = integers.dot_clear(&signed, &weights).unwrap();
        prop_assert_eq!(session.decrypt(&narrow).as_u16(), sum(|x| (x as i8).into()) as u16);
        let ty = ValueType::signed(18).unwrap();
        let radix = integers.dot_clear_to(&unsigned, &weights, ty).unwrap();
        let digits = session.decrypt_blocks(radix.blocks());
        prop_assert_eq!(digits.as_u32(), sum(i64::from) as u32 & 0x3_ffff);
    }

    #[test]
    fn wide_products_are_exact(a in any::<u32>(), b in any::<u32>()) {
        let session = Session::simulated();
        wide_product::<2>(&session, a.into(), b.into());
        wide_product::<4>(&session, a.into(), b.into());
        wide_product::<6>(&session, a.into(), b.into());
        wide_product::<8>(&session, a.into(), b.into());
        wide_product::<20>(&session, a.into(), b.into());
        wide_product::<32>(&session, a.into(), b.into());
    }
}

/// Checks the products of the low bits of two numbers, signed and unsigned.
fn wide_product<const BITS: usize>(session: &Session, a: U256, b: U256)
where
    FheUint<BITS>: FheInteger<Wide: FheInteger>,
    FheInt<BITS>: FheInteger<Wide: FheInteger>,
{
    let mask = (U256::ONE << BITS as u32) - U256::ONE;
    let wide_mask = (U256::ONE << (2 * BITS) as u32) - U256::ONE;
    let (a, b) = (a & mask, b & mask);
    let [x, y]: [FheUint<BITS>; 2] = [a, b].map(|value| session.encrypt(value));
    let product = session.integers.mul_wide(&x, &y).unwrap();
    assert_eq!(product.bits(), 2 * BITS);
    assert_eq!(session.decrypt_blocks(product.blocks()), a * b, "{BITS}: {a} {b}");
    let [x, y]: [FheInt<BITS>; 2] = [a, b].map(|value| session.encrypt(value));
    let product = session.integers.mul_wide(&x, &y).unwrap();
    let signed = |value: U256| (value << (256 - BITS) as u32).as_i256() >> (256 - BITS) as u32;
    let expected = (signed(a).wrapping_mul(signed(b))).as_u256() & wide_mask;
    assert_eq!(session.decrypt_blocks(product.blocks()), expected, "{BITS}: {a} {b}");
}

#[test]
fn the_extreme_products_are_exact_and_too_wide_ones_are_refused() {
    let session = Session::simulated();
    for (a, b) in [(0x80, 0x80), (0x80, 0x7f), (0xff, 0xff), (0, 0x80)] {
        wide_product::<8>(&session, U256::from(a as u8), U256::from(b as u8));
    }
    let least: FheInt<128> = session.encrypt(U256::ONE << 127);
    let square = session.integers.mul_wide(&least, &least).unwrap();
    assert_eq!(session.decrypt_blocks(square.blocks()), U256::ONE << 254);
    let ten = session.integers.mul_wide(&least, -10).unwrap();
    let expected = (I256::from(i128::MIN) * I256::from(-10)).as_u256();
    assert_eq!(session.decrypt_blocks(ten.blocks()), expected);
    let ty = ValueType::unsigned(130).unwrap();
    let wide = RadixInt::trivial(ty, 3_u8).unwrap();
    let refused = session.integers.mul_wide(&wide, &wide).unwrap_err();
    assert_eq!(refused, Error::IntegerBits { bits: 260 });
    let x: FheUint8 = session.encrypt(200u8.into());
    let x = RadixInt::from(x);
    let square = session.integers.mul_wide(&x, &x).unwrap();
    assert_eq!(square.value_type(), ValueType::unsigned(16).unwrap());
    assert_eq!(session.decrypt_blocks(square.blocks()), U256::from(40_000_u32));
}

#[test]
fn dot_products_check_their_lists_and_weights() {
    let session = Session::simulated();
    let integers = &session.integers;
    let x: [FheUint8; 2] = [3u8, 5].map(|value| session.encrypt(value.into()));
    let refused = integers.dot_clear::<_, FheUint8>(&x, &[1]).unwrap_err();
    assert_eq!(refused, Error::List(ListError::LengthMismatch { left: 2, right: 1 }));
    for weight in [256, -129] {
        let refused = integers.dot_clear::<_, FheUint8>(&x, &[1, weight]).unwrap_err();
        assert!(matches!(refused, Error::ClearOutOfRange { bits: 8, .. }), "{refused}");
    }
    let edge: FheUint8 = integers.dot_clear(&x, &[255, -128]).unwrap();
    assert_eq!(session.decrypt(&edge).as_u8(), (3 * 255 - 5 * 128) as u8);
    let nothing: FheUint8 = integers.dot_clear(&x[..0], &[0_u8; 0]).unwrap();
    assert_eq!(session.decrypt(&nothing), U256::ZERO);
    let mixed = [RadixInt::from(x[0].clone()), session.encrypt::<FheInt16>(1u8.into()).into()];
    let refused = integers.dot_clear::<_, FheUint8>(&mixed, &[1, 1]).unwrap_err();
    assert!(matches!(refused, Error::TypeMismatch { .. }), "{refused}");
}

/// A neuron of 64 inputs of 4 bits: products and a sum take seven times as many bootstraps.
#[test]
fn a_dot_product_with_clear_weights_takes_few_bootstraps() {
    let session = Session::simulated();
    let integers = &session.integers;
    let inputs: Vec<FheUint<4>> = (0..64_u8).map(|i| session.encrypt((i % 16).into())).collect();
    let weights: Vec<i32> = (0..64).map(|i| i * 37 % 16 - 8).collect();
    let start = integers.counts().bootstraps;
    let products = inputs.iter().zip(&weights).map(|(x, &weight)| {
        let wide: FheInt16 = integers.cast(x).unwrap();
        integers.mul(&wide, weight).unwrap()
    });
    let products: Vec<FheInt16> = products.collect();
    let by_products = integers.sum(&products).unwrap();
    let before = integers.counts().bootstraps - start;
    let dot: FheInt16 = integers.dot_clear(&inputs, &weights).unwrap();
    let after = integers.counts().bootstraps - start - before;
    assert_eq!(session.decrypt(&dot), session.decrypt(&by_products));
    assert_eq!((before, after), (446, 66));
}

#[test]
fn the_sum_of_truth_values_is_their_number() {
    let session = Session::simulated();
    for count in [0, 1, 15, 16, 100] {
        let flags: Vec<FheBool> = (0..count).map(|i| session.encrypt_bool(i % 3 == 0)).collect();
        let sum: FheUint32 = session.integers.sum(&flags).unwrap();
        assert_eq!(session.decrypt(&sum).as_usize(), flags.len().div_ceil(3));
        let weights: Vec<usize> = (0..flags.len()).collect();
        let places: FheUint16 = session.integers.dot_clear(&flags, &weights).unwrap();
        let expected: usize = (0..flags.len()).step_by(3).sum();
        assert_eq!(session.decrypt(&places).as_usize(), expected);
    }
}

#[test]
fn integers_of_a_type_known_at_run_time_are_summed_read_and_packed() {
    let session = Session::simulated();
    let integers = &session.integers;
    let ty = ValueType::unsigned(12).unwrap();
    let values = [4000_u16, 90, 7].map(|value| RadixInt::trivial(ty, value).unwrap());
    let sum = integers.sum(&values).unwrap();
    assert_eq!((sum.value_type(), session.decrypt_blocks(sum.blocks()).as_u16()), (ty, 1));
    let refused = integers.sum(&values[..0]).unwrap_err();
    assert_eq!(refused, Error::List(ListError::EmptyList));
    let other: RadixInt = session.encrypt::<FheUint8>(1u8.into()).into();
    let refused = integers.sum([&values[0], &other]).unwrap_err();
    assert!(matches!(refused, Error::TypeMismatch { .. }), "{refused}");
    let index: FheUint8 = session.encrypt(1u8.into());
    let read = integers.lookup_clear_to(&[5, 4000, 7], &index, ty).unwrap();
    assert_eq!(session.decrypt_blocks(read.blocks()).as_u16(), 4000);
    let list = integers.compress_list(&values).unwrap();
    assert_eq!(list.value_type(), Some(ty));
    let restored = integers.decompress_radix(&list).unwrap();
    assert_eq!(session.decrypt_blocks(restored[1].blocks()).as_u16(), 90);
    let refused = integers.compress_list(&values[..0]).unwrap_err();
    assert_eq!(refused, Error::List(ListError::EmptyList));
}

#[test]
fn tables_of_truth_values_are_read() {
    let session = Session::simulated();
    let integers = &session.integers;
    let table: Vec<bool> = (0..40).map(|i| i % 3 == 1).collect();
    let hidden: Vec<FheBool> = table.iter().map(|&value| session.encrypt_bool(value)).collect();
    for length in [1, 3, 16, 40] {
        for place in [0_u8, 1, 2, 15, 39, 40, 255] {
            let index: FheUint8 = session.encrypt(place.into());
            let expected = table[..length].get(usize::from(place)).copied().unwrap_or(false);
            let read: FheBool = integers.lookup_clear(&table[..length], &index).unwrap();
            assert_eq!(session.decrypt_bool(&read), expected, "{length} {place}");
            let read = integers.lookup(&hidden[..length], &index).unwrap();
            assert_eq!(session.decrypt_bool(&read), expected, "{length} {place}");
            assert!(FheBool::from_block(read.block().clone()).is_ok());
        }
    }
}
