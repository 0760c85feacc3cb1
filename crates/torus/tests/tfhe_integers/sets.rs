//! Shifts, products and quotients on every set for integers, with operands that have the greatest
//! noise of an integer's blocks, and for widths whose tables of moves overlap.

use super::harness::{Numbers, Session, mask};
use super::product_order::product_le;
use fathom::tfhe::Params;
use fathom::tfhe::integer::{FheUint, U256};

const SETS: [&str; 6] = ["u_2_2_128", "u_2_2_64", "u_2_2_40", "b_2_2_128", "b_2_2_64", "b_2_2_40"];

fn moves<const BITS: usize>(session: &Session, amounts: impl Iterator<Item = u64>)
where
    FheUint<BITS>: fathom::tfhe::integer::FheInteger,
{
    let (integers, mut numbers) = (&session.integers, Numbers(BITS as u64));
    for amount in amounts {
        let a = numbers.value() & mask::<FheUint<BITS>>();
        let x: FheUint<BITS> = session.encrypt(a);
        let by: FheUint<16> = session.encrypt(amount.into());
        let (amount, around) = (amount as u32, amount as u32 % BITS as u32);
        let left = |by: u32| a.checked_shl(by).unwrap_or(U256::ZERO);
        let right = |by: u32| a.checked_shr(by).unwrap_or(U256::ZERO);
        let back = BITS as u32 - around;
        for (moved, expected) in [
            (integers.shl(&x, &by), left(amount)),
            (integers.shr(&x, &by), right(amount)),
            (integers.rotate_left(&x, &by), left(around) | right(back)),
            (integers.rotate_right(&x, &by), right(around) | left(back)),
        ] {
            let expected = expected & mask::<FheUint<BITS>>();
            assert_eq!(session.decrypt(&moved.unwrap()), expected, "{BITS} bits by {amount}");
        }
    }
}

fn arithmetic<const BITS: usize>(session: &Session)
where
    FheUint<BITS>: fathom::tfhe::integer::FheInteger,
{
    let (integers, mut numbers) = (&session.integers, Numbers(BITS as u64 + 1));
    for _ in 0..3 {
        let mut operand = || (numbers.value_of_any_length() | U256::ONE) & mask::<FheUint<BITS>>();
        let (a, b) = (operand(), operand());
        let [x, y]: [FheUint<BITS>; 2] = [a, b].map(|value| session.encrypt(value));
        for (factor, expected) in [(&y, b), (&x, a)] {
            let product = session.decrypt(&integers.mul(&x, factor).unwrap());
            assert_eq!(product, a.wrapping_mul(expected) & mask::<FheUint<BITS>>());
        }
        for factor in [b, U256::from(77u8), mask::<FheUint<BITS>>() - U256::from(2u8)] {
            let product = session.decrypt(&integers.mul(&x, factor).unwrap());
            assert_eq!(product, a.wrapping_mul(factor) & mask::<FheUint<BITS>>(), "clear {factor}");
        }
        let flag = product_le(integers, [&x, &y], &x).unwrap();
        assert_eq!(session.decrypt_bool(&flag), a * b <= a, "{a} * {b} <= {a}");
        let (quotient, remainder) = integers.div_rem(&x, &y).unwrap();
        let found = [quotient, remainder].map(|value| session.decrypt(&value));
        assert_eq!(found, [a / b, a % b], "{a} / {b}");
    }
}

#[test]
fn tables_of_encrypted_values_serve_every_set_at_the_greatest_noise() {
    for set in SETS {
        let session = Session::simulated_with_noise(Params::preset(set).unwrap());
        moves::<10>(&session, 0..16);
        moves::<12>(&session, 0..16);
        moves::<64>(&session, [0, 1, 7, 33, 63].into_iter());
        moves::<80>(&session, [3, 64, 79, 80, 127].into_iter());
        moves::<160>(&session, [5, 130, 159, 255].into_iter());
        moves::<176>(&session, [2, 100, 175, 200].into_iter());
        arithmetic::<10>(&session);
        arithmetic::<24>(&session);
        arithmetic::<64>(&session);
    }
}

/// Fault L6: the standard deviations of received results add up, which no operation refuses.
#[test]
fn l6_received_integers_serve_every_set() {
    for set in SETS {
        let session = Session::simulated_received(Params::preset(set).unwrap(), 2);
        moves::<10>(&session, 0..16);
        moves::<64>(&session, [0, 1, 7, 33, 63].into_iter());
        moves::<80>(&session, [3, 64, 79].into_iter());
        arithmetic::<10>(&session);
        arithmetic::<24>(&session);
        arithmetic::<64>(&session);
    }
}

#[test]
fn block_binary_keys_read_tables_too() {
    let session = Session::encrypted_with(Params::preset("b_2_2_128").unwrap());
    moves::<16>(&session, [9].into_iter());
    arithmetic::<10>(&session);
}
