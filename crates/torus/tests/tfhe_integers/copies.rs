//! Operands with noise in common: an integer with itself, and integers whose digits are all copies
//! of one block, as after sign extension.

use super::harness::{Numbers, Session, mask, signed};
use crate::on_all;
use fathom::tfhe::integer::{
    FheBool, FheInt8, FheInt64, FheInteger, FheUint, FheUint8, FheValue, Typed, U256,
};
use fathom::tfhe::{Params, Policy};

/// Returns all results of two-operand operations on `x` and `y` as bits, and the expected values.
fn results<T: FheInteger + Typed>(session: &Session, [x, y]: [&T; 2], [a, b]: [U256; 2]) {
    let integers = &session.integers;
    let less = if T::SIGNED { signed::<T>(a) < signed::<T>(b) } else { a < b };
    let (least, most) = if less { (a, b) } else { (b, a) };
    let word = |value: U256| value & mask::<T>();
    for (name, found, expected) in [
        ("add", integers.add(x, y), a.wrapping_add(b)),
        ("sub", integers.sub(x, y), a.wrapping_sub(b)),
        ("mul", integers.mul(x, y), a.wrapping_mul(b)),
        ("and", integers.and(x, y), a & b),
        ("or", integers.or(x, y), a | b),
        ("xor", integers.xor(x, y), a ^ b),
        ("min", integers.min(x, y), least),
        ("max", integers.max(x, y), most),
        (
            "sum",
            integers.sum([x, y, x, x, y]),
            a.wrapping_mul(U256::from(3u8)).wrapping_add(b.wrapping_mul(U256::from(2u8))),
        ),
    ] {
        let found = found.unwrap_or_else(|error| panic!("{name} {a} {b}: {error}"));
        assert_eq!(session.decrypt(&found), word(expected), "{name} {a} {b}");
    }
    for (name, found, expected) in [
        ("eq", integers.eq(x, y), a == b),
        ("lt", integers.lt(x, y), less),
        ("ge", integers.ge(x, y), !less),
        (
            "overflowing_add",
            integers.overflowing_add(x, y).map(|(_, flag)| flag),
            overflows::<T>(a, b),
        ),
    ] {
        let found = found.unwrap_or_else(|error| panic!("{name} {a} {b}: {error}"));
        assert_eq!(session.decrypt_bool(&found), expected, "{name} {a} {b}");
    }
    if b != U256::ZERO && T::BITS <= 64 {
        let (quotient, remainder) = integers.div_rem(x, y).unwrap();
        let expected = if T::SIGNED {
            let (a, b) = (signed::<T>(a), signed::<T>(b));
            [a.wrapping_div(b), a.wrapping_rem(b)].map(|value| word(value.as_u256()))
        } else {
            [a / b, a % b]
        };
        assert_eq!([quotient, remainder].map(|value| session.decrypt(&value)), expected);
    }
    let condition = integers.lt(x, y).unwrap();
    let selected = integers.select(&condition, x, y).unwrap();
    assert_eq!(session.decrypt(&selected), least);
    let again = integers.select(&condition, &selected, x).unwrap();
    assert_eq!(
        session.decrypt(&integers.sub(&again, &selected).unwrap()),
        word(a.wrapping_sub(least))
    );
}

fn overflows<T: FheInteger + Typed>(a: U256, b: U256) -> bool {
    if T::SIGNED {
        let sum = signed::<T>(a).checked_add(signed::<T>(b));
        sum.is_none_or(|sum| signed::<T>(sum.as_u256()) != sum)
    } else {
        b > mask::<T>() - a
    }
}

fn alone<T: FheInteger + Typed>(session: &Session, x: &T, a: U256) {
    let integers = &session.integers;
    let unused = 256 - T::BITS as u32;
    let zeros = a.leading_zeros() - unused;
    let ones = (a << unused).leading_ones();
    for (found, expected) in [
        (integers.leading_zeros(x), zeros),
        (integers.leading_ones(x), ones.min(T::BITS as u32)),
        (integers.trailing_zeros(x), a.trailing_zeros().min(T::BITS as u32)),
        (integers.count_ones(x), a.count_ones()),
    ] {
        assert_eq!(session.decrypt(&found.unwrap()), U256::from(expected), "{a}");
    }
    for factor in [3u8, 17, 77, 253] {
        let product = a.wrapping_mul(U256::from(factor)) & mask::<T>();
        let clear = super::harness::clear::<T>(U256::from(factor) & mask::<T>());
        assert_eq!(session.decrypt(&integers.mul(x, clear).unwrap()), product, "{a} {factor}");
    }
    let by_3 = 3 % T::BITS as u32;
    let by: FheUint<16> = session.encrypt(U256::from(by_3));
    let turned = session.decrypt(&integers.rotate_left(x, &by).unwrap());
    assert_eq!(turned, ((a << by_3) | (a >> (T::BITS as u32 - by_3))) & mask::<T>());
}

fn operands_with_noise_in_common<T: FheInteger + Typed>() {
    let noisy = || Session::simulated_with_noise(Params::preset(Params::INTEGERS).unwrap());
    let sessions = [
        Session::simulated(),
        noisy(),
        noisy().with_policy(Policy::Latency),
        noisy().with_policy(Policy::Chains(2)),
    ];
    let mut numbers = Numbers(T::BITS as u64 + 7);
    for session in &sessions {
        let b = numbers.value() & mask::<T>();
        let y: T = session.encrypt(b);
        results(session, [&y, &y], [b, b]);
        for digit in 0..4u8 {
            let block = session.encrypt::<FheUint<2>>(digit.into()).blocks()[0].clone();
            let x = T::from_blocks(vec![block; T::BITS / 2]).unwrap();
            let a = (U256::MAX / 3 * U256::from(digit)) & mask::<T>();
            assert_eq!(session.decrypt(&x), a);
            let inverse = session.integers.not(&x).unwrap();
            for (operands, values) in [
                ([&x, &x], [a, a]),
                ([&x, &y], [a, b]),
                ([&y, &x], [b, a]),
                ([&x, &inverse], [a, !a & mask::<T>()]),
            ] {
                results(session, operands, values);
            }
            alone(session, &x, a);
            // The digits are sums of a copy and a bit of their own.
            let condition = session.encrypt_bool(digit % 2 == 0);
            let chosen = session.integers.select(&condition, &y, &x).unwrap();
            let value = if digit % 2 == 0 { b } else { a };
            let inverse = session.integers.not(&chosen).unwrap();
            results(session, [&chosen, &inverse], [value, !value & mask::<T>()]);
            alone(session, &chosen, value);
        }
    }
}

#[test]
fn copies_of_noise_are_within_the_limits_of_every_operation() {
    on_all!(operands_with_noise_in_common);
}

/// Fault L6: checks every operation on received results, whose noise may depend on any other.
fn received<T: FheInteger + Typed>() {
    for set in ["u_2_2_128", "u_2_2_64", "b_2_2_128"] {
        let params = || Params::preset(set).unwrap();
        let mut numbers = Numbers(T::BITS as u64 + 9);
        for session in [
            Session::simulated_received(params(), 1),
            Session::simulated_received(params(), 2),
            Session::simulated_received(params(), 2).with_policy(Policy::Latency),
            Session::simulated_received(params(), 2).with_policy(Policy::Chains(2)),
        ] {
            let (a, b) = (numbers.value() & mask::<T>(), numbers.value() & mask::<T>());
            let [x, y]: [T; 2] = [a, b].map(|value| session.encrypt(value));
            results(&session, [&x, &y], [a, b]);
            results(&session, [&x, &x], [a, a]);
            alone(&session, &x, a);
            let condition = session.received_bool(true);
            let chosen = session.integers.select(&condition, &x, &y).unwrap();
            assert_eq!(session.decrypt(&chosen), a);
            results(&session, [&chosen, &y], [a, b]);
            let fresh = session.integers.refresh(&chosen).unwrap();
            assert_eq!(session.decrypt(&fresh), a);
            assert!(fresh.blocks().iter().all(|block| block.noise_variance() == 1));
        }
    }
}

#[test]
fn l6_received_integers_are_taken_by_every_operation() {
    on_all!(received);
}

#[test]
fn long_sums_of_one_integer_keep_the_noise_limit() {
    for session in [
        Session::simulated(),
        Session::simulated_with_noise(Params::preset(Params::INTEGERS).unwrap()),
    ] {
        let x: FheUint<16> = session.encrypt(U256::from(0xbeefu16));
        for count in [2u32, 15, 40, 100] {
            let sum = session.integers.sum(std::iter::repeat_n(&x, count as usize)).unwrap();
            let expected = U256::from(0xbeef * count) & mask::<FheUint<16>>();
            assert_eq!(session.decrypt(&sum), expected);
        }
        let flag = session.encrypt_bool(true);
        let one: FheUint<16> = session.integers.cast(&flag).unwrap();
        for count in [15u32, 40, 100] {
            let sum = session.integers.sum(std::iter::repeat_n(&one, count as usize)).unwrap();
            assert_eq!(session.decrypt(&sum), U256::from(count));
        }
    }
}

#[test]
fn a_condition_may_be_a_part_of_what_it_chooses_from() {
    let session = Session::simulated_with_noise(Params::preset(Params::INTEGERS).unwrap());
    let integers = &session.integers;
    for bits in 0..8u8 {
        let [c, d, other] = [1, 2, 4].map(|bit| session.encrypt_bool(bits & bit != 0));
        let c: FheBool = integers.select(&other, &c, &d).unwrap();
        let value = if bits & 4 != 0 { bits & 1 != 0 } else { bits & 2 != 0 };
        let chosen = integers.select(&c, &c, &d).unwrap();
        assert_eq!(session.decrypt_bool(&chosen), value || bits & 2 != 0);
        let (word, y): (FheUint8, FheUint8) =
            (integers.cast(&c).unwrap(), session.encrypt(U256::from(9u8)));
        let chosen = integers.select(&c, &word, &y).unwrap();
        assert_eq!(session.decrypt(&chosen), U256::from(if value { 1u8 } else { 9 }));
    }
}

#[test]
fn clear_digits_are_told_apart_by_their_values() {
    for session in [Session::simulated(), Session::encrypted()] {
        let integers = &session.integers;
        let a: FheUint8 = session.encrypt(U256::from(0x5au8));
        let zeros = integers.sub(&a, &a).unwrap();
        let ones = integers.not(&zeros).unwrap();
        assert_eq!(session.decrypt(&integers.max(&ones, &zeros).unwrap()), mask::<FheUint8>());
        assert_eq!(session.decrypt(&integers.min(&ones, &zeros).unwrap()), U256::ZERO);
        for condition in [false, true] {
            let c = session.encrypt_bool(condition);
            let chosen = integers.select(&c, &zeros, &ones).unwrap();
            let expected = if condition { U256::ZERO } else { mask::<FheUint8>() };
            assert_eq!(session.decrypt(&chosen), expected);
            let [yes, no] = [integers.eq(&a, &a).unwrap(), integers.ne(&a, &a).unwrap()];
            let chosen = integers.select(&c, &yes, &no).unwrap();
            assert_eq!(session.decrypt_bool(&chosen), condition);
        }
    }
}

#[test]
fn equal_bootstraps_have_one_noise() {
    let session = Session::simulated();
    let integers = &session.integers;
    let x: FheInt8 = session.encrypt(U256::from(0x9cu8));
    let [one, two] = [0; 2].map(|_| integers.add(&x, 1i8).unwrap());
    let difference = one.blocks()[0].sub(&two.blocks()[0]).unwrap();
    assert_eq!(
        (
            difference.noise_variance(),
            one.blocks()[0].add(&two.blocks()[0]).unwrap().noise_variance()
        ),
        (0, 4)
    );
    let other = integers.add(&x, 2i8).unwrap();
    assert_eq!(one.blocks()[0].sub(&other.blocks()[0]).unwrap().noise_variance(), 2);
}

#[test]
fn extended_signs_compute_under_real_keys() {
    let session = Session::encrypted();
    let integers = &session.integers;
    let value = U256::from(0x9cu8);
    let x: FheInt8 = session.encrypt(value);
    let wide: FheInt64 = integers.cast(&x).unwrap();
    let a = signed::<FheInt8>(value);
    assert!(session.decrypt_bool(&integers.eq(&wide, &wide).unwrap()));
    assert!(session.decrypt_bool(&integers.lt(&wide, -99i64).unwrap()));
    let doubled = session.decrypt(&integers.add(&wide, &wide).unwrap());
    assert_eq!(signed::<FheInt64>(doubled), a * 2);
    assert_eq!(session.decrypt(&integers.max(&wide, &wide).unwrap()), session.decrypt(&wide));
}
