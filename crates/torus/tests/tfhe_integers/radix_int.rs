//! Integers of a type known at run time.

use super::harness::{Session, clear, mask, pairs};
use crate::on_all;
use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::integer::{
    Clear, FheInt8, FheInteger, FheUint, FheUint8, FheValue, RadixInt, Typed, U256, ValueType,
};
use fathom::tfhe::{Block, ClientKey, Params};
use fathom::wire::{Wire, WireFresh, WireValue};

fn same_as_typed<T: FheInteger + Typed>()
where
    RadixInt: From<T>,
{
    if T::BITS > 64 {
        return;
    }
    let session = Session::simulated();
    let e = &session.integers;
    for (a, b) in pairs::<T>(1).into_iter().step_by(3) {
        let (x, y): (T, T) = (session.encrypt(a), session.encrypt(b));
        let [r, s] = [&x, &y].map(|value| RadixInt::from(value.clone()));
        let value = |result: Result<T, Error>| result.map(|value| session.decrypt(&value));
        let radix = |result: Result<RadixInt, Error>| {
            result.map(|value| session.decrypt(&value.to_word::<T>().unwrap()))
        };
        macro_rules! same {
            ($($method:ident),*) => {$(
                assert_eq!(radix(e.$method(&r, &s)), value(e.$method(&x, &y)));
                let c = clear::<T>(b);
                assert_eq!(radix(e.$method(&r, c)), value(e.$method(&x, c)));
            )*};
        }
        same!(add, sub, mul, and, or, xor, max, min, saturating_add);
        macro_rules! same_flags {
            ($($method:ident),*) => {$(
                let [typed, dynamic] = [e.$method(&x, &y).unwrap(), e.$method(&r, &s).unwrap()];
                assert_eq!(session.decrypt_bool(&typed), session.decrypt_bool(&dynamic));
            )*};
        }
        same_flags!(eq, ne, lt, le, gt, ge);
        assert_eq!(radix(e.neg(&r)), value(e.neg(&x)));
        assert_eq!(radix(e.abs(&r)), value(e.abs(&x)));
        assert_eq!(radix(e.not(&r)), value(e.not(&x)));
        assert_eq!(radix(e.shr(&r, 1)), value(e.shr(&x, 1)));
        assert_eq!(radix(e.pow(&r, 3)), value(e.pow(&x, 3)));
        let condition = e.lt(&r, &s).unwrap();
        assert_eq!(radix(e.select(&condition, &r, &s)), value(e.select(&condition, &x, &y)));
        if T::BITS <= 16 && b != U256::ZERO {
            assert_eq!(radix(e.div(&r, &s)), value(e.div(&x, &y)));
        }
    }
}

#[test]
fn integers_of_run_time_types_compute_as_typed_ones() {
    on_all!(same_as_typed);
}

#[test]
fn types_are_checked() {
    let session = Session::simulated();
    let x: FheUint8 = session.encrypt(5_u8.into());
    let y: FheUint<16> = session.encrypt(5_u8.into());
    let (r, s) = (RadixInt::from(x), RadixInt::from(y));
    let (expected, got) = (r.value_type(), Some(s.value_type()));
    assert_eq!(session.integers.add(&r, &s).unwrap_err(), Error::TypeMismatch { expected, got });
    let (expected, got) = (ValueType::of::<FheInt8>(), Some(expected));
    assert_eq!(r.to_word::<FheInt8>().unwrap_err(), Error::TypeMismatch { expected, got });
    assert_eq!(
        session.integers.add(&r, 256_u32).unwrap_err(),
        Error::ClearOutOfRange { bits: 8, signed: false }
    );
    assert_eq!(ValueType::unsigned(7).unwrap_err(), Error::IntegerBits { bits: 7 });
    assert_eq!(ValueType::signed(258).unwrap_err(), Error::IntegerBits { bits: 258 });
    assert_eq!(ValueType::unsigned(0).unwrap_err(), Error::IntegerBits { bits: 0 });
    let condition = session.encrypt_bool(true);
    let refused = session.integers.select::<RadixInt>(&condition, 1_u8, 2_u8).unwrap_err();
    assert_eq!(refused, Error::TypeUnknown);
    let truth = ValueType::of::<fathom::tfhe::integer::FheBool>();
    assert!(matches!(RadixInt::trivial(truth, 1_u8), Err(Error::TypeMismatch { .. })));
    let few = RadixInt::from_blocks(ValueType::unsigned(8).unwrap(), Vec::<Block>::new());
    assert!(matches!(few, Err(Error::NotCanonical { blocks: 4, .. })));
}

#[test]
fn casts_reach_every_type() {
    let session = Session::simulated();
    let x: FheInt8 = session.encrypt(0xfb_u8.into());
    for bits in [2, 8, 30, 256] {
        for ty in [ValueType::unsigned(bits).unwrap(), ValueType::signed(bits).unwrap()] {
            let wide = session.integers.cast_to(&x, ty).unwrap();
            assert_eq!(wide.value_type(), ty);
            let expected =
                U256::ZERO.wrapping_sub(U256::from(5_u8)) & (U256::MAX >> (256 - bits) as u32);
            assert_eq!(session.decrypt_blocks(wide.blocks()), expected, "{ty}");
        }
    }
    assert_eq!(x.as_unsigned().value_type(), ValueType::unsigned(8).unwrap());
}

#[test]
fn encrypted_values_of_run_time_types_travel_and_decrypt() {
    let mut rng = SecretRng::insecure_from_seed(2);
    let params = Params::preset(Params::INTEGERS).unwrap();
    let client = ClientKey::generate(&params, &mut rng);
    let ty = ValueType::signed(34).unwrap();
    let value = client.encrypt_radix(ty, -77_i64, &mut rng).unwrap();
    assert_eq!(client.decrypt(&value).unwrap(), Clear::from(-77));
    let bytes = value.to_bytes(&params).unwrap();
    assert_eq!(bytes.len(), value.byte_len(&params));
    for read in [RadixInt::from_bytes(&params, &bytes), RadixInt::from_bytes_fresh(&params, &bytes)]
    {
        let read = read.unwrap();
        assert_eq!(read.value_type(), ty);
        assert_eq!(client.decrypt(&read).unwrap().to_string(), "-77");
    }
    let typed = fathom::tfhe::integer::FheInt::<34>::from_bytes(&params, &bytes).unwrap();
    assert_eq!(i64::try_from(Clear::from(client.decrypt(&typed).unwrap())), Ok(-77));
    let refused = client.encrypt_radix(ty, u64::MAX, &mut rng).unwrap_err();
    assert_eq!(refused, Error::ClearOutOfRange { bits: 34, signed: true });
    let truth = fathom::tfhe::integer::FheBool::trivial(true).to_bytes(&params).unwrap();
    assert!(RadixInt::from_bytes(&params, &truth).is_err());
    let bits = U256::from(3_u8) & mask::<FheUint8>();
    assert_eq!(RadixInt::trivial(ty, Clear::from(bits)).unwrap().bits(), 34);
}
