//! Operators on bound operands.

use super::harness::Session;
use fathom::Error;
use fathom::tfhe::Evaluator;
use fathom::tfhe::integer::{FheBool, FheInt16, FheUint8, FheUint32, U256};

#[test]
fn an_expression_computes_what_it_says() {
    let session = Session::simulated();
    let evaluator = &session.evaluator;
    let (a, b, c) = (0xdead_beefu32, 0x1234_5678u32, 77u32);
    let [x, y, z]: [FheUint32; 3] = [a, b, c].map(|value| session.encrypt(value.into()));

    let value = ((evaluator.bind(&x) * &y + 1u8) ^ (evaluator.bind(&y) - &z)) / 3u8 % &z;
    let expected = ((a.wrapping_mul(b).wrapping_add(1)) ^ (b - c)) / 3 % c;
    assert_eq!(session.decrypt(&value.finish().unwrap()), U256::from(expected));

    let amount = evaluator.bind(&z).then(Evaluator::count_ones).finish().unwrap();
    let value = (!(evaluator.bind(&x) & 0xff00u32 | &y) << &amount) >> 3;
    let expected = (!(a & 0xff00 | b) << c.count_ones()) >> 3;
    assert_eq!(session.decrypt(&value.finish().unwrap()), U256::from(expected));
}

#[test]
fn signs_and_truth_values_have_operators_too() {
    let session = Session::simulated();
    let evaluator = &session.evaluator;
    let x: FheInt16 = session.encrypt(U256::from(-1234i16 as u16));
    let value = (-evaluator.bind(&x)).finish().unwrap();
    assert_eq!(session.decrypt(&value), U256::from(1234u16));

    let (yes, no) = (session.encrypt_bool(true), FheBool::trivial(false));
    let value = (!evaluator.bind(&no) & &yes ^ false).finish().unwrap();
    assert!(session.decrypt_bool(&value));
}

#[test]
fn the_first_error_of_an_expression_is_returned() {
    let session = Session::simulated();
    let x: FheUint8 = session.encrypt(5u8.into());
    let value = (session.evaluator.bind(&x) + 1000u32) * &x - 1u8;
    let expected = Error::ClearOutOfRange { bits: 8, signed: false };
    assert_eq!(value.finish().unwrap_err(), expected);
}
