//! Comparisons of exact products, and minima with sums.

use super::harness::{Numbers, Session, mask, pairs, signed};
use crate::on_all;
use fathom::Error;
use fathom::tfhe::Policy;
use fathom::tfhe::integer::{FheInt8, FheUint, FheUint8, I256, Integer, RadixInt, U256, ValueType};

fn products<const BITS: usize, const BOUND: usize>(random: usize)
where
    FheUint<BITS>: Integer,
    FheUint<BOUND>: Integer,
{
    let session = Session::simulated();
    let (e, mut numbers) = (&session.evaluator, Numbers(9));
    for (a, b) in pairs::<FheUint<BITS>>(random) {
        let product = a * b;
        let [x, y]: [FheUint<BITS>; 2] = [a, b].map(|value| session.encrypt(value));
        let near = [product, product.saturating_sub(U256::ONE), product + U256::ONE];
        for bound in near.into_iter().chain([U256::ZERO, numbers.value_of_any_length()]) {
            let bound = bound & mask::<FheUint<BOUND>>();
            let encrypted: FheUint<BOUND> = session.encrypt(bound);
            let found = e.product_le(&x, &y, &encrypted).unwrap();
            assert_eq!(session.decrypt_bool(&found), product <= bound, "{a} * {b} <= {bound}");
        }
        for (c, d) in [(a, b), (b, a), (numbers.value(), a), (numbers.value(), numbers.value())] {
            let [c, d] = [c, d].map(|value| value & mask::<FheUint<BITS>>());
            let [v, w]: [FheUint<BITS>; 2] = [c, d].map(|value| session.encrypt(value));
            let found = e.products_le([&x, &y], [&v, &w]).unwrap();
            assert_eq!(session.decrypt_bool(&found), product <= c * d, "{a} * {b} <= {c} * {d}");
        }
    }
}

#[test]
fn products_are_ordered_as_their_exact_values() {
    products::<2, 4>(4);
    products::<4, 6>(8);
    products::<6, 12>(8);
    products::<8, 16>(8);
    products::<8, 20>(1);
    products::<16, 32>(1);
    products::<26, 52>(0);
}

#[test]
fn products_of_one_ciphertext_are_ordered() {
    let session = Session::simulated();
    let e = &session.evaluator;
    for (a, b) in [(0_u8, 0_u8), (255, 255), (91, 90), (16, 17)] {
        let [x, y]: [FheUint8; 2] = [a, b].map(|value| session.encrypt(value.into()));
        let found = e.products_le([&x, &x], [&y, &y]).unwrap();
        assert_eq!(session.decrypt_bool(&found), a <= b);
        assert!(session.decrypt_bool(&e.products_le([&x, &y], [&y, &x]).unwrap()));
        let found = e.product_le(&x, &x, &x).unwrap();
        assert_eq!(session.decrypt_bool(&found), a <= 1);
    }
}

#[test]
fn products_of_signed_and_of_unlike_integers_are_refused() {
    let session = Session::simulated();
    let e = &session.evaluator;
    let [x, y]: [FheInt8; 2] = [3_u8, 4].map(|value| session.encrypt(value.into()));
    let bound: FheUint8 = session.encrypt(U256::from(9_u8));
    let unsigned = ValueType::of::<FheUint8>();
    let signed = Error::TypeMismatch { expected: unsigned, got: Some(ValueType::of::<FheInt8>()) };
    assert_eq!(e.product_le(&x, &y, &bound).unwrap_err(), signed);
    assert_eq!(e.product_le(&bound, &bound, &x).unwrap_err(), signed);
    let wide = ValueType::of::<FheUint<16>>();
    let [narrow, other] = [unsigned, wide].map(|ty| RadixInt::trivial(ty, 1_u8).unwrap());
    let unlike = Error::TypeMismatch { expected: unsigned, got: Some(wide) };
    assert_eq!(e.product_le(&narrow, &other, &bound).unwrap_err(), unlike);
}

fn minima<T: Integer>() {
    let sessions = [Policy::Work, Policy::Chains(2), Policy::Latency]
        .map(|policy| Session::simulated().with_policy(policy));
    for (index, (b, c)) in pairs::<T>(4).into_iter().enumerate().step_by(2) {
        let sum = if T::SIGNED {
            let top = I256::ONE << (T::BITS - 1) as u32;
            let (sum, wrapped) = signed::<T>(b).overflowing_add(signed::<T>(c));
            let beyond = if signed::<T>(b) < 0 { top } else { top.wrapping_sub(I256::ONE) };
            let fits = !wrapped && signed::<T>(sum.as_u256()) == sum;
            if fits { sum.as_u256() } else { beyond.as_u256() }
        } else if c > mask::<T>() - b {
            mask::<T>()
        } else {
            b + c
        };
        let random = Numbers(index as u64).value();
        for a in [sum, sum.wrapping_sub(U256::ONE), U256::ZERO, U256::MAX, random] {
            let a = a & mask::<T>();
            let less = if T::SIGNED { signed::<T>(a) < signed::<T>(sum) } else { a < sum };
            let expected = if less { a } else { sum & mask::<T>() };
            for session in &sessions {
                let [x, y, z]: [T; 3] = [a, b, c].map(|value| session.encrypt(value));
                let found = session.evaluator.min_sum(&x, &y, &z).unwrap();
                assert_eq!(session.decrypt(&found), expected, "min({a}, {b} + {c})");
            }
        }
    }
}

#[test]
fn minima_with_sums_do_not_wrap() {
    on_all!(minima);
}
