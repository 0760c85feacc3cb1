use super::{Call, Operation, ShortInt, ShortInts};
use crate::tfhe::TableError;
use crate::tfhe::{Error, Evaluator, Params, Spec};

#[expect(clippy::needless_pass_by_value, reason = "parameters are made in place by the callers")]
fn ints(params: Params) -> ShortInts {
    ShortInts::new(Evaluator::simulated(&params)).unwrap()
}

fn sets() -> Vec<ShortInts> {
    ["u_1_1_128", "u_2_2_128", "u_3_3_128", "u_4_4_128"]
        .map(|name| ints(Params::preset(name).unwrap()))
        .into()
}

fn fresh(ints: &ShortInts, value: u32) -> ShortInt {
    ShortInt::simulated(ints.params(), value).unwrap()
}

fn raw(ints: &ShortInts, a: &ShortInt) -> i32 {
    let (period, (low, high)) = (2 * ints.params().space().half(), a.block().range());
    let value = low + (a.block().space().decode(a.block().lwe().body()) - low).rem_euclid(period);
    assert!(value <= high, "{value} is outside {low}..={high}");
    value
}

/// Returns the message of an integer that must be canonical.
fn canonical(ints: &ShortInts, a: &ShortInt) -> u32 {
    assert!(a.is_canonical(ints.params()), "{:?}", a.block());
    u32::try_from(raw(ints, a)).unwrap()
}

fn pairs(ints: &ShortInts) -> impl Iterator<Item = (u32, u32)> + use<> {
    let modulus = ints.modulus().unsigned_abs();
    (0..modulus * modulus).map(move |i| (i / modulus, i % modulus))
}

#[test]
fn every_operation_agrees_with_integers_on_every_pair() {
    for ints in sets() {
        let bits = ints.params().spec().message_bits;
        for (x, y) in pairs(&ints) {
            let (a, b) = (fresh(&ints, x), fresh(&ints, y));
            let clear = ShortInt::trivial(ints.params(), y).unwrap();
            for right in [&b, &clear] {
                let call = |operation| Call { operation, left: &a, right };
                let divides = |o: &Operation| matches!(o, Operation::Divide | Operation::Remainder);
                let by_clear_zero = y == 0 && std::ptr::eq(right, &raw const clear);
                let allowed = |o: &Operation| !(by_clear_zero && divides(o));
                let operations = || Operation::ALL.into_iter().filter(allowed);
                let outputs = ints.evaluate(&operations().map(call).collect::<Vec<_>>()).unwrap();
                let outputs: Vec<_> = outputs.iter().map(|a| canonical(&ints, a)).collect();
                let expected: Vec<_> =
                    operations().map(|o| o.of_clear(x, y, bits).unwrap()).collect();
                assert_eq!(outputs, expected, "{x}, {y} of {bits} bits");
                for operation in Operation::ALL.into_iter().filter(|o| !allowed(o)) {
                    let refused = ints.evaluate(&[call(operation)]).unwrap_err();
                    assert_eq!(refused, Error::DivisionByZero, "{operation:?}");
                }
            }
        }
    }
}

#[test]
fn an_operation_on_canonical_operands_is_one_bootstrap() {
    for ints in sets() {
        let (a, b) = (fresh(&ints, 1), fresh(&ints, 1));
        for operation in Operation::ALL {
            let before = ints.evaluator().counts().bootstraps;
            ints.unchecked(operation, &a, &b).unwrap();
            assert_eq!(ints.evaluator().counts().bootstraps - before, 1, "{operation:?}");
        }
    }
}

#[test]
fn methods_compute_what_their_names_say() {
    let ints = ints(Params::preset(Params::INTEGERS).unwrap());
    for (x, y) in pairs(&ints) {
        let (a, b) = (fresh(&ints, x), fresh(&ints, y));
        let clear = |result: Result<ShortInt, Error>| canonical(&ints, &result.unwrap());
        assert_eq!(clear(ints.add(&a, &b)), (x + y) % 4);
        assert_eq!(clear(ints.sub_scalar(&a, y)), (4 + x - y) % 4);
        assert_eq!(clear(ints.mul_high(&a, &b)), x * y / 4);
        assert_eq!(clear(ints.shl(&a, &b)), (x << y) % 4);
        assert_eq!(clear(ints.lt(&a, &b)), u32::from(x < y));
        assert_eq!(clear(ints.ge_scalar(&a, y)), u32::from(x >= y));
        assert_eq!(clear(ints.max(&a, &b)), x.max(y));
        assert_eq!(clear(ints.xor(&a, &b)), x ^ y);
        assert_eq!(clear(ints.neg(&a)), (4 - x) % 4);
        assert_eq!(clear(ints.apply(&a, |x| x * x + 1)), (x * x + 1) % 4);
        assert_eq!(clear(ints.apply_two(&a, &b, |x, y| 3 * x + y)), (3 * x + y) % 4);
        assert_eq!(clear(ints.div(&a, &b)), x.checked_div(y).unwrap_or(3));
        assert_eq!(clear(ints.rem(&a, &b)), x.checked_rem(y).unwrap_or(x));
    }
}

#[test]
fn carries_are_kept_and_extracted() {
    for ints in sets() {
        let modulus = ints.modulus();
        for (x, y) in pairs(&ints) {
            let (a, b) = (fresh(&ints, x), fresh(&ints, y));
            let (x, y) = (x as i32, y as i32);
            let sum = ints.unchecked_add(&a, &b).unwrap();
            let difference = ints.unchecked_sub(&a, &b).unwrap();
            assert_eq!((raw(&ints, &sum), raw(&ints, &difference)), (x + y, x - y));
            for (block, value) in [(sum, x + y), (difference, x - y)] {
                let [message, carry] = ints.message_and_carry(&block).unwrap();
                assert_eq!(canonical(&ints, &message) as i32, value.rem_euclid(modulus));
                assert_eq!(raw(&ints, &carry), value.div_euclid(modulus));
                assert_eq!(ints.message(&block).unwrap(), message);
                assert_eq!(ints.carry(&block).unwrap(), carry);
            }
        }
    }
}

#[test]
fn a_product_has_two_halves() {
    for ints in sets() {
        for (x, y) in pairs(&ints) {
            let (a, b) = (fresh(&ints, x), fresh(&ints, y));
            let [low, high] = ints.mul_full(&a, &b).unwrap();
            let modulus = ints.modulus().unsigned_abs();
            assert_eq!(canonical(&ints, &high) * modulus + canonical(&ints, &low), x * y);
        }
    }
}

#[test]
fn one_bootstrap_gives_both_halves_with_more_noise() {
    let ints = ints(Params::preset(Params::INTEGERS).unwrap());
    let before = ints.evaluator().counts().bootstraps;
    for (x, y) in pairs(&ints) {
        let halves = ints.unchecked_mul_full(&fresh(&ints, x), &fresh(&ints, y)).unwrap();
        let [low, high] = halves.each_ref().map(|half| raw(&ints, half) as u32);
        assert_eq!(high * 4 + low, x * y);
        assert!(halves.iter().any(|half| half.block().noise_variance() > 1));
    }
    assert_eq!(ints.evaluator().counts().bootstraps - before, 16);
}

#[test]
fn carries_do_not_change_results() {
    for ints in sets() {
        let bits = ints.params().spec().message_bits;
        let modulus = ints.modulus().unsigned_abs();
        for (x, y) in pairs(&ints).step_by(3) {
            // x - y, and y doubled: blocks with a borrow and with a carry.
            let left = ints.unchecked_sub(&fresh(&ints, x), &fresh(&ints, y)).unwrap();
            let right = ints.unchecked_add(&fresh(&ints, y), &fresh(&ints, y)).unwrap();
            let (a, b) = ((modulus + x - y) % modulus, 2 * y % modulus);
            let call = |operation| Call { operation, left: &left, right: &right };
            let outputs = ints.evaluate(&Operation::ALL.map(call)).unwrap();
            for (operation, output) in Operation::ALL.into_iter().zip(&outputs) {
                let expected = operation.of_clear(a, b, bits).unwrap();
                assert_eq!(canonical(&ints, output), expected, "{operation:?} of {a} and {b}");
            }
        }
    }
}

#[test]
fn a_sum_past_the_carry_is_refused_unless_refreshed() {
    let ints = ints(Params::preset(Params::INTEGERS).unwrap());
    let mut sum = fresh(&ints, 3);
    for _ in 0..4 {
        sum = ints.unchecked_add(&sum, &fresh(&ints, 3)).unwrap();
    }
    let refused = ints.unchecked_add(&sum, &fresh(&ints, 3)).unwrap_err();
    assert_eq!(
        refused,
        Error::Table(TableError::OutsideDomain {
            low: 0,
            high: 18,
            domain_low: 0,
            domain_high: 15
        }),
        "{refused}"
    );
    let total = ints.add(&sum, &fresh(&ints, 3)).unwrap();
    assert_eq!(canonical(&ints, &total), 18 % 4);
}

#[test]
fn noise_past_the_limit_is_refused_unless_refreshed() {
    let quiet = Params::preset(Params::INTEGERS).unwrap();
    let params = Params::new(Spec { max_noise_variance: 25, ..*quiet.spec() }).unwrap();
    let ints = ints(params);
    // The values are 0 or 1, so that the noise reaches its limit before the range does.
    let [bit, other, third] = [0; 3].map(|_| ints.eq(&fresh(&ints, 1), &fresh(&ints, 1)).unwrap());
    let two = ints.unchecked_add(&bit, &other).unwrap();
    for (sum, added, noise_variance) in [(&two, &third, 27), (&bit, &bit, 36)] {
        let sum = ints.unchecked_add(sum, added).unwrap();
        let refused = ints.unchecked_mul_scalar(&sum, 3).unwrap_err();
        let params = ints.params().name().to_owned();
        assert_eq!(refused, Error::NoiseExceeded { noise_variance, limit: 25, params });
    }
    let sum = ints.unchecked_add(&bit, &bit).unwrap();
    let sum = ints.unchecked_add(&sum, &bit).unwrap();
    assert!(matches!(
        ints.unchecked(Operation::And, &sum, &sum),
        Err(Error::NoiseExceeded { .. } | Error::Table(TableError::OutsideDomain { .. }))
    ));
    assert_eq!(canonical(&ints, &ints.and(&sum, &sum).unwrap()), 3);
}

#[test]
fn values_and_parameters_are_checked() {
    let ints = ints(Params::preset(Params::INTEGERS).unwrap());
    let refused = ShortInt::trivial(ints.params(), 4);
    assert_eq!(refused, Err(Error::MessageOutOfRange { low: 0, high: 3 }));
    assert!(matches!(ints.add_scalar(&fresh(&ints, 1), 4), Err(Error::MessageOutOfRange { .. })));
    let foreign = ShortInt::simulated(&Params::preset("u_1_1_128").unwrap(), 1).unwrap();
    for result in [ints.add(&fresh(&ints, 1), &foreign), ints.message(&foreign)] {
        assert!(matches!(result, Err(Error::ParamsMismatch { .. })));
    }
    let gates = Evaluator::simulated(&Params::preset(Params::GATES).unwrap());
    assert!(matches!(ShortInts::new(gates), Err(Error::Spec { field: "carry_bits", .. })));
    let spec = Spec { max_noise_variance: 24, ..*Params::preset(Params::INTEGERS).unwrap().spec() };
    let noisy = Evaluator::simulated(&Params::new(spec).unwrap());
    assert!(matches!(ShortInts::new(noisy), Err(Error::Spec { field: "max_noise_variance", .. })));
}

/// Fault S7: a division by an encrypted zero has a defined value and a checked form beside it.
#[test]
fn s7_checked_division_says_whether_it_is_defined() {
    let ints = ints(Params::preset(Params::INTEGERS).unwrap());
    for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
        let (x, y) = (fresh(&ints, a), fresh(&ints, b));
        let (quotient, defined) = ints.checked_div(&x, &y).unwrap();
        assert_eq!(canonical(&ints, &quotient), a.checked_div(b).unwrap_or(3));
        assert_eq!(canonical(&ints, &defined), u32::from(b != 0));
        let (remainder, defined) = ints.checked_rem(&x, &y).unwrap();
        assert_eq!(canonical(&ints, &remainder), a.checked_rem(b).unwrap_or(a));
        assert_eq!(canonical(&ints, &defined), u32::from(b != 0));
    }
    let zero = ShortInt::trivial(ints.params(), 0).unwrap();
    for refused in [ints.checked_div(&fresh(&ints, 1), &zero), ints.checked_rem(&zero, &zero)] {
        assert_eq!(refused.unwrap_err(), Error::DivisionByZero);
    }
}

#[test]
fn clear_operands_cost_no_bootstrap() {
    let ints = ints(Params::preset(Params::INTEGERS).unwrap());
    let [a, b] = [2, 3].map(|value| ShortInt::trivial(ints.params(), value).unwrap());
    assert_eq!(canonical(&ints, &ints.mul_low(&a, &b).unwrap()), 2);
    assert_eq!(ints.evaluator().counts().bootstraps, 0);
}

#[test]
fn a_block_that_a_bootstrap_takes_is_a_small_integer() {
    let params = Params::preset(Params::INTEGERS).unwrap();
    let three = crate::tfhe::Block::simulated(params.space(), 3, (0, 3));
    let sum = three.unchecked_add_scaled(&three, 4);
    assert_eq!(ShortInt::from_block(&params, sum.clone()).unwrap().block(), &sum);
    let wide = ShortInt::from_block(&params, three.mul_scalar(6)).unwrap_err();
    assert!(
        matches!(wide, Error::Table(TableError::OutsideDomain { low: 0, high: 18, .. })),
        "{wide}"
    );
    let far = ShortInt::from_block(&params, three.add_scalar(i32::MAX)).unwrap_err();
    assert!(matches!(far, Error::Table(TableError::OutsideDomain { high: i32::MAX, .. })), "{far}");
    let noisy = ShortInt::from_block(&params, three.mul_scalar(13).add_scalar(-30).within(0, 9));
    assert!(matches!(noisy, Err(Error::NoiseExceeded { noise_variance: 169, .. })), "{noisy:?}");
    let other = ShortInt::from_block(&Params::preset(Params::GATES).unwrap(), three).unwrap_err();
    assert!(matches!(other, Error::ParamsMismatch { .. }), "{other}");
}
