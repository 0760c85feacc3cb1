//! Polynomials and functions of encrypted numbers.

use crate::ckks::setup::{Setup, complex, map};
use fathom::ckks::{
    Approximation, Ciphertext, DomainError, Encryption, Interval, Params, Preset, Rotations,
    SignApproximation, Spec,
};
use fathom::{Error, SecurityLevel};

/// Keys for as many products as this in a ring of degree 8192, with 13 bits or so.
fn shallow(depth: usize) -> Setup {
    let spec = Preset::E3Small.spec();
    let (base_bits, special_bits) = (vec![40.0], vec![42.0]);
    let params = Params::new(Spec {
        base_bits,
        special_bits,
        depth,
        scale_bits: 31.0,
        digit_limbs: 1,
        ..spec
    });
    Setup::of(params.unwrap(), &Rotations::none(), 60)
}

fn deep() -> Setup {
    Setup::new(Preset::E3, &Rotations::none(), 61)
}

/// Encrypts real numbers of an interval, and returns them.
fn within(s: &mut Setup, interval: Interval) -> (Ciphertext, Vec<f64>) {
    let Interval { low, high } = interval;
    let x: Vec<f64> =
        s.random_reals().iter().map(|r| low + 0.5 * (high - low) * (r + 1.0)).collect();
    let plain = s.params.encode_within(&x, low.abs().max(high.abs())).unwrap();
    (s.secret.encrypt(&plain, &mut s.rng).unwrap(), x)
}

#[test]
fn polynomials_of_every_degree_take_the_levels_they_need() {
    let mut s = shallow(4);
    let x = s.random();
    let a = s.encrypt(&x);
    for degree in [0, 1, 2, 3, 4, 5, 7, 8, 11, 15] {
        let coefficients: Vec<f64> = (0..=degree).map(|_| s.real()).collect();
        let result = s.evaluator.evaluate_polynomial(&a, &coefficients).unwrap();
        let depth = if degree == 0 { 0 } else { (degree as usize).ilog2() as usize + 1 };
        assert_eq!(result.level().get(), a.level().get() - depth, "degree {degree}");
        let expected =
            map(&x, |x| coefficients.iter().rev().fold(0.0.into(), |sum, c| sum * x + c));
        s.check(&format!("degree {degree}"), &result, &expected);
    }
    // Gaps, and the polynomial of the benchmarks.
    for coefficients in
        [&[0.0, 0.0, 0.0, 0.5][..], &[7.0, 5.0, 2.0, 3.0], &[0.0, 0.0, 0.0, 0.0, 1.0]]
    {
        let result = s.evaluator.evaluate_polynomial(&a, coefficients).unwrap();
        let expected =
            map(&x, |x| coefficients.iter().rev().fold(0.0.into(), |sum, c| sum * x + c));
        s.check("polynomial", &result, &expected);
    }
    let refused = s.evaluator.evaluate_polynomial(&a, &[1.0; 17]).err();
    assert!(matches!(refused, Some(Error::NoiseExhausted { .. })));
    let refused = s.evaluator.evaluate_polynomial(&a, &[1.0, f64::NAN]).err();
    let not_finite = DomainError::NotFinite { operation: "evaluate_polynomial", index: 1 };
    assert_eq!(refused, Some(not_finite.into()));
}

#[test]
fn chebyshev_polynomials_are_those_of_the_clear_numbers() {
    let mut s = shallow(4);
    for (interval, degree) in [(Interval::UNIT, 15), (Interval::new(-2.0, 3.0), 7)] {
        let (a, x) = within(&mut s, interval);
        let coefficients: Vec<f64> = (0..=degree).map(|_| s.real() / 4.0).collect();
        let expected: Vec<f64> = x
            .iter()
            .map(|x| {
                let y = (2.0 * x - interval.low - interval.high) / (interval.high - interval.low);
                let angle = y.clamp(-1.0, 1.0).acos();
                coefficients.iter().enumerate().map(|(i, c)| c * (i as f64 * angle).cos()).sum()
            })
            .collect();
        let result = s.evaluator.evaluate_chebyshev(&a, &coefficients, interval).unwrap();
        s.check("chebyshev", &result, &complex(&expected));
    }
    let a = s.encrypt(&[]);
    let empty = s.evaluator.evaluate_chebyshev(&a, &[1.0], Interval::new(1.0, 1.0));
    assert!(matches!(empty, Err(Error::Spec { field: "interval", .. })));
}

#[test]
fn approximations_are_within_their_error() {
    type Function = (fn(f64) -> f64, Interval);
    let functions: [Function; 3] = [
        (f64::exp, Interval::new(-1.0, 2.0)),
        (f64::ln, Interval::new(0.5, 2.0)),
        (|x| 1.0 / (1.0 + x * x), Interval::new(-4.0, 4.0)),
    ];
    for (function, interval) in functions {
        for degree in [3, 7, 15, 31] {
            let p = Approximation::new(function, interval, degree).unwrap();
            let mut largest = 0.0f64;
            for i in 0..=1000 {
                let y = f64::from(i) / 500.0 - 1.0;
                let x =
                    0.5 * (interval.low + interval.high) + 0.5 * y * (interval.high - interval.low);
                let terms = p.coefficients().iter().enumerate();
                let value: f64 = terms.map(|(i, c)| c * (i as f64 * y.acos()).cos()).sum();
                largest = largest.max((value - function(x)).abs());
            }
            assert!(largest <= p.error(), "degree {degree}: {largest:e} of {:e}", p.error());
            assert!(p.error() <= 30.0 * largest + 1e-9, "degree {degree}");
        }
    }
    let refused = Approximation::new(f64::ln, Interval::new(-1.0, 1.0), 7);
    assert!(matches!(refused, Err(Error::Spec { field: "function", .. })));
    let refused = Approximation::new(f64::abs, Interval::UNIT, 7);
    assert!(matches!(refused, Err(Error::Spec { field: "function", .. })));
}

/// Values as large as the magnitude allows do not fit into the last level at its scale, where the
/// base has 8 bits above it: the result has a smaller scale, and is used on.
#[test]
fn polynomials_of_large_magnitudes_have_a_smaller_scale() {
    let mut s = Setup::new(Preset::E3Small, &Rotations::none(), 64);
    let x = s.random_reals();
    let a = s.encrypt_within(&x, 16.0);
    let cubic = [0.5, -0.25, 0.0, 0.75];
    let result = s.evaluator.evaluate_polynomial(&a, &cubic).unwrap();
    let level_scale = s.evaluator.drop_to(&a, result.level()).unwrap().scale();
    assert!(result.scale() < level_scale / 16.0 && result.magnitude_bound() > 3000.0);
    let expected: Vec<f64> = x.iter().map(|x| 0.5 - 0.25 * x + 0.75 * x * x * x).collect();
    s.check("cubic", &result, &complex(&expected));
    let negated = s.evaluator.mul_scalar(&result, -1.0).unwrap();
    s.check("negated", &negated, &map(&complex(&expected), |x| -x));
    // Nothing that is left of the values would be right.
    let vast = s.encrypt_within(&x, 1e5);
    let refused = s.evaluator.evaluate_polynomial(&vast, &[0.0, 0.0, 1.0, 1e20]);
    assert!(matches!(refused, Err(Error::NoiseExhausted { .. })));
}

#[test]
fn exponential_logarithm_and_sigmoid_are_close() {
    let mut s = shallow(4);
    let (a, x) = within(&mut s, Interval::UNIT);
    let e = &s.evaluator;
    let exp = e.exp(&a, Interval::UNIT, 7).unwrap();
    s.check("exp", &exp, &complex(&x.iter().map(|x| x.exp()).collect::<Vec<_>>()));
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let sigmoid = e.sigmoid(&a, Interval::UNIT, 7).unwrap();
    s.check("sigmoid", &sigmoid, &complex(&x.iter().map(|&x| logistic(x)).collect::<Vec<_>>()));
    let interval = Interval::new(0.5, 1.5);
    let (a, x) = within(&mut s, interval);
    let log = s.evaluator.log(&a, interval, 7).unwrap();
    s.check("log", &log, &complex(&x.iter().map(|x| x.ln()).collect::<Vec<_>>()));
}

#[test]
fn reciprocals_and_roots_are_close() {
    let mut s = deep();
    let interval = Interval::new(0.5, 1.5);
    let (a, x) = within(&mut s, interval);
    let inverse = s.evaluator.reciprocal(&a, interval, 4).unwrap();
    let expected: Vec<f64> = x.iter().map(|x| 1.0 / x).collect();
    let measured = s.check("reciprocal", &inverse, &complex(&expected));
    assert!(measured.bound < 1e-4, "{:e}", measured.bound);
    let root = s.evaluator.inverse_sqrt(&a, interval, 3).unwrap();
    let expected: Vec<f64> = x.iter().map(|x| x.powf(-0.5)).collect();
    let measured = s.check("inverse_sqrt", &root, &complex(&expected));
    assert!(measured.bound < 1e-3 && measured.slack_bits() < 6.0, "{measured:?}");
    let first = s.evaluator.inverse_sqrt(&a, interval, 1).unwrap();
    s.check("one step", &first, &complex(&expected));
    assert_eq!([first.level(), root.level()], [1, 6].map(|levels| a.level().get() - levels));
    let (a, x) = within(&mut s, Interval::new(0.5, 1.0));
    let root = s.evaluator.sqrt(&a, 0.5, 2).unwrap();
    let expected: Vec<f64> = x.iter().map(|x| x.sqrt()).collect();
    let measured = s.check("sqrt", &root, &complex(&expected));
    assert!(measured.bound < 0.02, "{:e}", measured.bound);
    for interval in [Interval::new(-1.0, 1.0), Interval::new(0.0, 1.0)] {
        let refused = s.evaluator.reciprocal(&a, interval, 3);
        assert!(matches!(refused, Err(Error::Spec { field: "interval", .. })));
        let refused = s.evaluator.inverse_sqrt(&a, interval, 3);
        assert!(matches!(refused, Err(Error::Spec { field: "interval", .. })));
    }
    let interval = Interval::new(0.5, 1.5);
    for refused in
        [s.evaluator.reciprocal(&a, interval, 0), s.evaluator.inverse_sqrt(&a, interval, 0)]
    {
        assert!(matches!(refused, Err(Error::Spec { field: "iterations", .. })));
    }
}

#[test]
fn signs_and_comparisons_are_right_outside_the_gap() {
    let sign = SignApproximation::new(0.1, &[7, 7]).unwrap();
    assert_eq!(sign.depth(), 6);
    assert!(sign.error() < 0.01, "{}", sign.error());
    let mut s = deep();
    let (_, x) = within(&mut s, Interval::UNIT);
    let x: Vec<f64> =
        x.iter().map(|x| if x.abs() < 0.1 { 0.1f64.copysign(*x) } else { *x }).collect();
    let a = s.encrypt_within(&x, 1.0);
    let signs = s.evaluator.sign(&a, &sign).unwrap();
    let measured =
        s.check("sign", &signs, &complex(&x.iter().map(|x| x.signum()).collect::<Vec<_>>()));
    assert!(measured.bound < 0.1, "{}", measured.bound);
    let zero = vec![0.25; x.len()];
    let shifted: Vec<f64> = x.iter().map(|x| 0.5 * x + 0.25).collect();
    let sign = SignApproximation::new(0.05, &[7, 7]).unwrap();
    let (a, b) = (s.encrypt_within(&shifted, 0.75), s.encrypt_within(&zero, 0.25));
    let greater = s.evaluator.gt(&a, &b, &sign).unwrap();
    let expected: Vec<f64> = x.iter().map(|x| f64::from(u8::from(*x > 0.0))).collect();
    s.check("gt", &greater, &complex(&expected));
    for (gap, degrees) in [(0.0, &[7][..]), (1.0, &[7]), (0.1, &[]), (0.1, &[4]), (0.1, &[65])] {
        assert!(matches!(SignApproximation::new(gap, degrees), Err(Error::Spec { .. })));
    }
}

#[test]
fn maximum_and_minimum_are_right_within_the_gap_too() {
    let sign = SignApproximation::new(0.2, &[7, 3]).unwrap();
    let mut s = deep();
    let [x, y] = [(); 2].map(|()| s.random_reals().iter().map(|x| x / 2.0).collect::<Vec<_>>());
    let (a, b) = (s.encrypt_within(&x, 0.5), s.encrypt_within(&y, 0.5));
    let pairs = || x.iter().zip(&y);
    let largest = s.evaluator.max(&a, &b, &sign).unwrap();
    assert!(largest.magnitude_bound() < 0.500_001, "the larger number is one of both");
    s.check("max", &largest, &complex(&pairs().map(|(x, y)| x.max(*y)).collect::<Vec<_>>()));
    let least = s.evaluator.min(&a, &b, &sign).unwrap();
    s.check("min", &least, &complex(&pairs().map(|(x, y)| x.min(*y)).collect::<Vec<_>>()));
}

/// A maximum exceeds its operands by its error, so that one of two maxima may be refused that are
/// no larger than what was taken before.
#[test]
fn maxima_of_maxima_take_numbers_up_to_one_half() {
    let sign = SignApproximation::new(0.2, &[7]).unwrap();
    let (depth, security) = (2 * sign.depth() + 3, SecurityLevel::Bits128);
    let params = Params::for_precision(depth, 10.0, Encryption::SecretKey, security).unwrap();
    let mut s = Setup::of(params, &Rotations::none(), 66);
    let all = [(); 4].map(|()| s.random_reals().iter().map(|x| x / 2.0).collect::<Vec<_>>());
    let [a, b, c, d] = all.each_ref().map(|x| s.encrypt_within(x, 0.5));
    let e = &s.evaluator;
    let slots = |of: fn(f64, f64) -> f64| -> Vec<f64> {
        let slot = |i: usize| all.iter().map(|x| x[i]).reduce(of).unwrap();
        (0..all[0].len()).map(slot).collect()
    };
    let largest = e.max(&e.max(&a, &b, &sign).unwrap(), &e.max(&c, &d, &sign).unwrap(), &sign);
    let largest = largest.unwrap();
    assert!(largest.magnitude_bound() < 0.500_001);
    let measured = s.check("max of max", &largest, &complex(&slots(f64::max)));
    assert!(measured.bound < 0.5, "{measured:?}");
    let least = e.min(&e.min(&a, &b, &sign).unwrap(), &e.min(&c, &d, &sign).unwrap(), &sign);
    s.check("min of min", &least.unwrap(), &complex(&slots(f64::min)));
    // What the operands themselves exceed is refused as before.
    let wide = e.mul_scalar(&a, 2.0).unwrap();
    let refused = e.max(&wide, &e.max(&c, &d, &sign).unwrap(), &sign).unwrap_err();
    let Error::CkksDomain(DomainError::Difference { left, .. }) = refused else {
        panic!("{refused:?}")
    };
    assert!((left - 1.0).abs() < 1e-6, "{left}");
}
