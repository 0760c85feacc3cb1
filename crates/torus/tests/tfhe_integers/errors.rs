//! Refused operations.

use super::harness::Session;
use fathom::Error;
use fathom::tfhe::integer::{FheBool, FheInt8, FheInteger, FheUint8, FheUint32, Integers, Typed};
use fathom::tfhe::{Block, Params, Space};

#[test]
fn clear_operands_that_the_type_cannot_hold_are_refused() {
    let session = Session::simulated();
    let x: FheUint8 = session.encrypt(5u8.into());
    let y: FheInt8 = session.encrypt(5u8.into());
    let integers = &session.integers;
    let unsigned = Error::ClearOutOfRange { bits: 8, signed: false };
    let signed = Error::ClearOutOfRange { bits: 8, signed: true };
    assert_eq!(integers.add(&x, 256u16).unwrap_err(), unsigned);
    assert_eq!(integers.mul(&x, -1i8).unwrap_err(), unsigned);
    assert_eq!(integers.lt(&y, 128u8).unwrap_err(), signed);
    assert_eq!(integers.lt(&y, -129i16).unwrap_err(), signed);
    assert!(integers.add(&y, -128i16).is_ok());
    assert!(integers.add(&y, 127u8).is_ok());
    assert_eq!(FheUint8::trivial(300u16).unwrap_err(), unsigned);
}

#[test]
fn blocks_that_are_not_canonical_are_refused() {
    let space = Space::of::<5>();
    let block = |high: i32| Block::simulated(space, 0, (0, high));
    let refused = |blocks: Vec<Block>| FheUint8::from_blocks(blocks).unwrap_err();
    let expected = Error::NotCanonical { blocks: 4, top: 3, noise_variance: 2 };
    assert_eq!(refused(vec![block(3); 3]), expected);
    assert_eq!(refused(vec![block(4); 4]), expected);
    assert_eq!(refused(vec![block(3).add_scalar(-1); 4]), expected);
    assert_eq!(refused(vec![block(1).mul_scalar(2); 4]), expected);
    let other = refused(vec![Block::trivial(Space::of::<4>(), 0); 4]);
    assert!(matches!(other, Error::ParamsMismatch { .. }), "{other}");
    assert!(FheUint8::from_blocks(vec![block(3); 4]).is_ok());
    let expected = Error::NotCanonical { blocks: 1, top: 1, noise_variance: 2 };
    assert_eq!(FheBool::from_block(block(3)).unwrap_err(), expected);
}

#[test]
fn sets_that_take_too_little_noise_are_refused() {
    let refused = Integers::simulated(&Params::preset("tfhe_rs_2_2").unwrap()).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");
    assert!(refused.to_string().contains("132"), "{refused}");
}

#[test]
fn messages_name_the_remedy() {
    let text = Error::NotCanonical { blocks: 4, top: 3, noise_variance: 2 }.to_string();
    assert!(text.contains("refresh") && text.contains("0..=3"), "{text}");
    let text = Error::ClearOutOfRange { bits: 8, signed: true }.to_string();
    assert!(text.contains("8 bits (signed)"), "{text}");
    assert!(FheUint32::trivial(7u8).is_ok());
}

/// The three faces refuse the sets of one another when they are opened.
#[test]
fn integers_open_on_the_sets_of_integers_only() {
    let gates = Params::preset(Params::GATES).unwrap();
    let refused = Integers::simulated(&gates).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");
    let params = Params::preset(Params::INTEGERS).unwrap();
    let integers = Integers::simulated(&params).unwrap();
    let sum = integers.add(&FheUint8::trivial(200_u8).unwrap(), 100_u8).unwrap();
    assert_eq!(sum.to_digits(|block| block.range().0).to_string(), "44");
    assert_eq!(integers.params(), integers.evaluator().params());
    let mut rng = fathom::SecretRng::insecure_from_seed(1);
    let small = Params::preset("u_bool_40").unwrap();
    let keys = fathom::tfhe::ClientKey::generate(&small, &mut rng);
    let refused = Integers::with_keys(keys.evaluation_keys(&mut rng).unwrap(), 1).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");
}
