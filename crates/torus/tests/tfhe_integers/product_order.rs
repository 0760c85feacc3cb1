//! Products as columns, and the carries of columns, by which exact products are compared.

use super::harness::{Numbers, Session, mask, pairs};
use fathom::Error;
use fathom::tfhe::integer::{
    FheBool, FheInt8, FheInteger, FheUint, FheUint8, Integers, RadixInt, U256, ValueType,
};
use fathom::tfhe::{Block, TableError};

/// Returns whether `a * b <= bound`: the product plus the complement of the bound has no carry.
pub(crate) fn product_le<T: FheInteger, U: FheInteger>(
    integers: &Integers,
    [a, b]: [&T; 2],
    bound: &U,
) -> Result<FheBool, Error> {
    let mut columns = integers.product_columns(a, b)?;
    let space = integers.params().space();
    columns.resize(columns.len().max(bound.blocks().len()), Vec::new());
    for (place, column) in columns.iter_mut().enumerate() {
        let digit = bound.blocks().get(place);
        let complement = digit.map(|digit| digit.mul_scalar(-1).add_scalar(3));
        column.push(complement.unwrap_or_else(|| Block::trivial(space, 3)));
    }
    integers.not(&integers.carry_of_columns(&columns)?)
}

fn products<const BITS: usize, const BOUND: usize>(random: usize)
where
    FheUint<BITS>: FheInteger,
    FheUint<BOUND>: FheInteger,
{
    let session = Session::simulated();
    let (e, mut numbers) = (&session.integers, Numbers(9));
    for (a, b) in pairs::<FheUint<BITS>>(random) {
        let product = a * b;
        let [x, y]: [FheUint<BITS>; 2] = [a, b].map(|value| session.encrypt(value));
        let near = [product, product.saturating_sub(U256::ONE), product + U256::ONE];
        for bound in near.into_iter().chain([U256::ZERO, numbers.value_of_any_length()]) {
            let bound = bound & mask::<FheUint<BOUND>>();
            let encrypted: FheUint<BOUND> = session.encrypt(bound);
            let found = product_le(e, [&x, &y], &encrypted).unwrap();
            assert_eq!(session.decrypt_bool(&found), product <= bound, "{a} * {b} <= {bound}");
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
    for a in [0_u8, 1, 91, 255] {
        let x: FheUint8 = session.encrypt(a.into());
        let found = product_le(&session.integers, [&x, &x], &x).unwrap();
        assert_eq!(session.decrypt_bool(&found), a <= 1);
    }
}

#[test]
fn columns_have_carries_beyond_every_digit() {
    let session = Session::simulated();
    let (e, space) = (&session.integers, session.integers.params().space());
    for (total, carries) in [(0, false), (15, false), (16, true), (31, true)] {
        // Blocks of up to 7 in both columns.
        let block = |value| Block::simulated(space, value, (0, 7));
        let low = (total % 4) + 4 * i32::from(total >= 4);
        let rest = (total - low) / 4;
        let columns = [vec![block(low)], vec![block(rest.min(7)), block(rest - rest.min(7))]];
        let found = e.carry_of_columns(&columns).unwrap();
        assert_eq!(session.decrypt_bool(&found), carries, "{total}");
    }
    assert!(!session.decrypt_bool(&e.carry_of_columns(&[]).unwrap()));
    let wide = Block::simulated(space, 0, (0, 8));
    let refused = e.carry_of_columns(&[vec![wide]]).unwrap_err();
    assert!(
        matches!(refused, Error::Table(TableError::OutsideDomain { high: 8, .. })),
        "{refused}"
    );
}

#[test]
fn products_of_signed_and_of_unlike_integers_are_refused() {
    let session = Session::simulated();
    let e = &session.integers;
    let [x, y]: [FheInt8; 2] = [3_u8, 4].map(|value| session.encrypt(value.into()));
    let unsigned = ValueType::of::<FheUint8>();
    let signed = Error::TypeMismatch { expected: unsigned, got: Some(ValueType::of::<FheInt8>()) };
    assert_eq!(e.product_columns(&x, &y).unwrap_err(), signed);
    let wide = ValueType::of::<FheUint<16>>();
    let [narrow, other] = [unsigned, wide].map(|ty| RadixInt::trivial(ty, 1_u8).unwrap());
    let unlike = Error::TypeMismatch { expected: unsigned, got: Some(wide) };
    assert_eq!(e.product_columns(&narrow, &other).unwrap_err(), unlike);
}
