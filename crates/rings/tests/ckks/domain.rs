//! Functions refuse slots that may be outside of their interval, and every remedy works.

use crate::ckks::setup::{Setup, complex};
use fathom::Error;
use fathom::ckks::{
    Approximation, Complex64, DomainError, Interval, Preset, Rotations, RowSwap, SignApproximation,
};

const CONJUGATION: Rotations = Rotations { steps: Vec::new(), row_swap: RowSwap::With };

fn deep(seed: u64) -> Setup {
    Setup::new(Preset::E3, &CONJUGATION, seed)
}

/// Returns the reason of a refusal.
fn domain<T: std::fmt::Debug>(result: Result<T, Error>) -> DomainError {
    match result {
        Err(Error::CkksDomain(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// Asserts a refusal for this magnitude, whose text names both remedies.
fn too_large<T: std::fmt::Debug>(result: Result<T, Error>, operation: &str, expected: f64) {
    let error = domain(result);
    let text = error.to_string();
    assert!(text.contains("rescale the input") && text.contains("assume_magnitude"), "{text}");
    let DomainError::Magnitude { operation: named, magnitude, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(named, operation);
    assert!((magnitude - expected).abs() < 1e-9, "{magnitude} instead of {expected}");
}

/// Asserts a refusal of two numbers up to 1, whose text speaks of them and names both remedies.
fn too_far_apart<T: std::fmt::Debug>(result: Result<T, Error>, operation: &'static str) {
    let error = domain(result);
    let text = error.to_string();
    assert!(text.contains("mul_scalar") && text.contains("assume_magnitude"), "{text}");
    let DomainError::Difference { operation: named, left, right } = error else {
        panic!("{error}")
    };
    assert_eq!(named, operation);
    assert!((left - 1.0).abs() < 1e-9 && (right - 1.0).abs() < 1e-9, "{left} and {right}");
}

#[test]
fn comparisons_refuse_differences_beyond_one_until_rescaled() {
    let mut s = deep(200);
    let (x, y) = ([0.9, 0.3], [-0.9, 0.1]);
    let (a, b) = (s.encrypt_within(&x, 1.0), s.encrypt_within(&y, 1.0));
    let sign = SignApproximation::new(0.05, &[3, 7]).unwrap();
    let e = &s.evaluator;
    too_far_apart(e.gt(&a, &b, &sign), "gt");
    too_far_apart(e.max(&a, &b, &sign), "max");
    too_far_apart(e.min(&a, &b, &sign), "min");
    too_large(e.sign(&e.add(&a, &a).unwrap(), &sign), "sign", 2.0);
    let [half_a, half_b] = [&a, &b].map(|c| e.mul_scalar(c, 0.5).unwrap());
    let greater = e.gt(&half_a, &half_b, &sign).unwrap();
    let found = s.secret.decrypt(&greater).unwrap();
    for slot in &found.slots()[..2] {
        assert!((slot - 1.0).abs() <= found.error_bound(), "{slot}");
    }
}

#[test]
fn comparisons_take_operands_whose_bounds_are_promised() {
    let mut s = deep(201);
    let (x, y) = ([0.4, 0.3, -0.5], [-0.4, 0.1, 0.5]);
    let (a, b) = (s.encrypt_within(&x, 1.0), s.encrypt_within(&y, 1.0));
    let sign = SignApproximation::new(0.05, &[7, 7]).unwrap();
    let e = &s.evaluator;
    too_far_apart(e.gt(&a, &b, &sign), "gt");
    // What is known of the difference alone is promised of it.
    let near = e.assume_magnitude(&e.sub(&a, &b).unwrap(), 1.0).unwrap();
    s.check_first("sign", &e.sign(&near, &sign).unwrap(), &[1.0, 1.0, -1.0]);
    let [a, b] = [&a, &b].map(|c| e.assume_magnitude(c, 0.5).unwrap());
    s.check_first("gt", &e.gt(&a, &b, &sign).unwrap(), &[1.0, 1.0, 0.0]);
}

#[test]
fn square_roots_refuse_numbers_beyond_one_until_rescaled() {
    let mut s = deep(202);
    let x = [4.0, 2.0, 1.5];
    let a = s.encrypt_within(&x, 4.0);
    too_large(s.evaluator.sqrt(&a, 0.5, 4), "sqrt", 4.0);
    let a = s.encrypt_padded(&x, 4.0, 4.0);
    let quarter = s.evaluator.mul_scalar(&a, 0.25).unwrap();
    let root = s.evaluator.sqrt(&quarter, 0.375, 2).unwrap();
    s.check_first("sqrt", &root, &x.map(|x| (x / 4.0f64).sqrt()));
}

#[test]
fn functions_refuse_sums_beyond_their_interval_until_promised() {
    let mut s = deep(203);
    let x = [0.5, -0.25, 0.125];
    let a = s.encrypt_within(&x, 1.0);
    let e = &s.evaluator;
    let sum = e.add(&a, &a).unwrap();
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let function = Approximation::new(logistic, Interval::UNIT, 7).unwrap();
    too_large(e.sigmoid(&sum, Interval::UNIT, 7), "sigmoid", 2.0);
    too_large(e.exp(&sum, Interval::UNIT, 7), "exp", 2.0);
    too_large(e.evaluate_function(&sum, &function), "evaluate_function", 2.0);
    too_large(e.evaluate_chebyshev(&sum, &[0.0, 1.0], Interval::UNIT), "evaluate_chebyshev", 2.0);
    let promised = e.assume_magnitude(&sum, 1.0).unwrap();
    let result = e.sigmoid(&promised, Interval::UNIT, 7).unwrap();
    s.check_first("sigmoid", &result, &x.map(|x| logistic(2.0 * x)));
    let halved = e.mul_scalar(&sum, 0.5).unwrap();
    let result = e.sigmoid(&halved, Interval::UNIT, 7).unwrap();
    s.check_first("sigmoid", &result, &x.map(logistic));
}

#[test]
fn exponentials_refuse_zeros_in_slots_without_a_value_until_these_are_given_one() {
    let mut s = deep(204);
    let (x, interval) = ([5.1, 5.9], Interval::new(5.0, 6.0));
    let a = s.encrypt_within(&x, 6.0);
    let refused = domain(s.evaluator.exp(&a, interval, 15));
    let DomainError::Padding { operation, low, high, padding_low, padding_high } = refused else {
        panic!("{refused}")
    };
    assert_eq!((operation, low, high, padding_low, padding_high), ("exp", 5.0, 6.0, 0.0, 0.0));
    let padded = s.encrypt_padded(&x, 5.5, 6.0);
    let repeated = s.params.encode_repeated_within(&x, 6.0).unwrap();
    let repeated = s.secret.encrypt(&repeated, &mut s.rng).unwrap();
    for a in [padded, repeated] {
        let exp = s.evaluator.exp(&a, interval, 15).unwrap();
        let small = s.evaluator.mul_scalar(&exp, 1e-3).unwrap();
        s.check_first("exp", &small, &x.map(|x| 1e-3 * x.exp()));
    }
}

#[test]
fn logarithms_and_reciprocals_refuse_zeros_in_slots_without_a_value() {
    let mut s = deep(205);
    let (x, interval) = ([1.0, 2.0, 3.0, 4.0], Interval::new(1.0, 4.0));
    let a = s.encrypt_within(&x, 4.0);
    let padding = |refused| matches!(refused, DomainError::Padding { .. });
    assert!(padding(domain(s.evaluator.log(&a, interval, 31))));
    assert!(padding(domain(s.evaluator.reciprocal(&a, interval, 3))));
    let a = s.encrypt_padded(&x, 1.0, 4.0);
    let log = s.evaluator.log(&a, interval, 31).unwrap();
    s.check_first("log", &log, &x.map(f64::ln));
    let inverse = s.evaluator.reciprocal(&a, interval, 4).unwrap();
    s.check_first("reciprocal", &inverse, &x.map(f64::recip));
    let a = s.encrypt_within(&[0.75], 1.0);
    assert!(padding(domain(s.evaluator.sqrt(&a, 0.5, 2))));
}

#[test]
fn functions_of_real_numbers_refuse_complex_ones_until_their_real_part_is_taken() {
    let mut s = deep(206);
    let x = [Complex64::new(0.3, 0.8), Complex64::new(-0.5, 0.1)];
    let a = s.encrypt(&x);
    assert!(!a.is_real());
    let e = &s.evaluator;
    let refused = domain(e.exp(&a, Interval::UNIT, 7));
    assert_eq!(refused, DomainError::Complex { operation: "exp" });
    let real = s.encrypt_within(&[0.5], 1.0);
    let e = &s.evaluator;
    for complex in [e.add(&real, &a), e.mul(&a, &real), e.mul_scalar(&real, Complex64::I)] {
        assert!(!complex.unwrap().is_real());
    }
    let twice = e.twice_real_part(&a).unwrap();
    assert!(twice.is_real() && e.mul(&real, &twice).unwrap().is_real());
    let result = e.exp(&twice, Interval::new(-2.0, 2.0), 15).unwrap();
    s.check_first("exp", &result, &x.map(|x| (2.0 * x.re).exp()));
}

/// Roundings of scales are errors of the message, not a larger message.
#[test]
fn switches_of_the_level_keep_the_magnitude() {
    let mut s = deep(207);
    let x = s.random_reals();
    let a = s.encrypt_within(&x, 1.0);
    for level in (0..=a.level().get()).rev() {
        let lowered = s.evaluator.mod_switch_to(&a, level).unwrap();
        let magnitude = lowered.magnitude_bound();
        assert!((magnitude - a.magnitude_bound()).abs() < 1e-11, "level {level}: {magnitude}");
        s.check("mod_switch_to", &lowered, &complex(&x));
    }
    let square = s.evaluator.square(&a).unwrap();
    assert!(s.evaluator.sigmoid(&square, Interval::UNIT, 3).is_ok());
}

/// The magnitude after a function is the range of the function.
#[test]
fn results_of_functions_are_as_large_as_the_function() {
    let mut s = deep(208);
    let x = s.random_reals();
    let a = s.encrypt_within(&x, 1.0);
    let sign = SignApproximation::new(0.2, &[7]).unwrap();
    let e = &s.evaluator;
    let signs = e.sign(&a, &sign).unwrap();
    assert!(signs.magnitude_bound() <= 1.0 + 2.001 * sign.error());
    let exp = e.exp(&a, Interval::UNIT, 7).unwrap();
    assert!((2.71..3.1).contains(&exp.magnitude_bound()), "{}", exp.magnitude_bound());
    assert_eq!((signs.promise(), exp.promise()), (None, None), "both are proven");
    let a = s.encrypt_padded(&[0.7], 0.7, 1.0);
    let inverse = s.evaluator.reciprocal(&a, Interval::new(0.5, 1.0), 2).unwrap();
    assert_eq!(inverse.promise(), Some(Interval::new(0.5, 1.0)), "the low end is a promise");
}

#[test]
fn bounds_that_are_none_are_refused_everywhere() {
    let mut s = Setup::new(Preset::E3Depth1, &Rotations::none(), 209);
    let a = s.encrypt_within(&[0.5], 1.0);
    let p = &s.params;
    for bound in [-1.0, -0.5e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e-310] {
        let refusals = [
            p.encode_within(&[0.0], bound).err(),
            p.encode_within(&[-1.0], bound).err(),
            p.encode_repeated_within(&[0.0], bound).err(),
            p.encode_padded_within(&[0.0], 0.0, bound).err(),
            s.evaluator.assume_magnitude(&a, bound).err(),
        ];
        for refused in refusals {
            let error = domain(refused.map_or(Ok(()), Err));
            assert!(matches!(error, DomainError::NotABound { .. }), "{bound}: {error}");
        }
        let spec = fathom::ckks::Spec { magnitude: bound, ..Preset::E3Depth1.spec() };
        let refused = fathom::ckks::Params::new(spec);
        assert!(matches!(refused, Err(Error::Spec { field: "magnitude", .. })), "{bound}");
    }
    // Zero is a bound, and small public numbers have one.
    assert!(p.encode_within(&[0.0], 0.0).is_ok());
    assert!(p.encode_public(&[5e-324]).unwrap().magnitude() >= 5e-324);
    // Squares of small numbers are zero in double precision, which hides nothing.
    let exceeded = p.encode_within(&[1e-170], 1e-200).err();
    assert!(matches!(exceeded, Some(Error::MagnitudeExceeded { index: 0, .. })));
}

#[test]
fn numbers_that_are_not_finite_are_refused_everywhere() {
    let mut s = Setup::new(Preset::E3Depth1, &Rotations::none(), 210);
    let a = s.encrypt_within(&[0.5], 1.0);
    let (p, e) = (&s.params, &s.evaluator);
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let imaginary = Complex64::new(0.5, x);
        let refusals = [
            p.encode(&[0.5, x]).err(),
            p.encode_within(&[x], 2.0).err(),
            p.encode_padded(&[0.5], x).err(),
            p.encode_repeated(&[x]).err(),
            p.encode_public(&[x]).err(),
            p.encode_public_repeated(&[imaginary]).err(),
            e.mul_scalar(&a, x).err(),
            e.mul_scalar(&a, imaginary).err(),
            e.add_scalar(&a, x).err(),
            e.sub_scalar(&a, imaginary).err(),
            e.evaluate_polynomial(&a, &[0.0, x]).err(),
            e.evaluate_chebyshev(&a, &[0.0, x], Interval::UNIT).err(),
            s.secret.decrypt_with_precision(&a, x).err(),
        ];
        for refused in refusals {
            let error = domain(refused.map_or(Ok(()), Err));
            assert!(matches!(error, DomainError::NotFinite { .. }), "{x}: {error}");
        }
    }
    assert_eq!(
        p.encode(&[0.5, f64::NAN]).err(),
        Some(DomainError::NotFinite { operation: "encode", index: 1 }.into())
    );
}
