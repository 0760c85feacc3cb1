//! Maxima of maxima: the approximation of one round is an operand of the next.

use crate::ckks::setup::{Setup, complex};
use fathom::ckks::{Ciphertext, DomainError, Params, Rotations, SignApproximation};
use fathom::wire::{Wire, WireObject};
use fathom::{Error, SecurityLevel};

/// Four numbers, of which the greatest takes two rounds, and the least.
#[test]
fn maxima_and_minima_of_four_numbers() {
    let sign = SignApproximation::new(0.05, &[7, 15]).unwrap();
    let params = Params::for_circuit(
        |server| {
            let top = server.params().top_level();
            let key = fathom::ckks::Encryption::SecretKey;
            let x = server.simulated_encryption_within(key, 0.44, top)?;
            let y = server.simulated_encryption_within(key, 0.44, top)?;
            let first = server.max(&x, &y, &sign)?;
            Ok(vec![server.max(&first, &server.max(&y, &x, &sign)?, &sign)?])
        },
        4.0,
        SecurityLevel::Bits128,
    )
    .unwrap();
    let mut s = Setup::of(params.params().clone(), &Rotations::none(), 66);
    let count = s.params.slot_count();
    let numbers: Vec<Vec<f64>> =
        (0..4).map(|_| (0..count).map(|_| 0.44 * s.real()).collect()).collect();
    let c: Vec<Ciphertext> = numbers.iter().map(|x| s.encrypt_within(x, 0.44)).collect();
    let e = &s.evaluator;
    let greatest = e
        .max(&e.max(&c[0], &c[1], &sign).unwrap(), &e.max(&c[2], &c[3], &sign).unwrap(), &sign)
        .unwrap();
    let least = e
        .min(&e.min(&c[0], &c[1], &sign).unwrap(), &e.min(&c[2], &c[3], &sign).unwrap(), &sign)
        .unwrap();
    let of = |f: fn(f64, f64) -> f64| -> Vec<f64> {
        (0..count).map(|i| numbers.iter().map(|x| x[i]).reduce(f).unwrap()).collect()
    };
    // For each round, half of the larger one of gap and error of the sign.
    let round = 0.5 * sign.error().max(sign.gap());
    for (what, result, expected) in
        [("greatest", &greatest, of(f64::max)), ("least", &least, of(f64::min))]
    {
        let slack = s.check(what, result, &complex(&expected)).slack_bits();
        let bound = result.error_bound();
        assert!(slack < 4.0 && bound < 2.5 * round, "{what}: {bound}, {slack:.1} bits");
        // What was approximated travels with the ciphertext.
        let read = Ciphertext::from_bytes(&s.params, &result.to_bytes()).unwrap();
        assert_eq!(read.to_bytes(), result.to_bytes());
    }

    // Where the numbers could be beyond the interval, they are refused with their bounds.
    let beyond = [0, 1].map(|i| s.encrypt_within(&numbers[i], 0.56));
    let once = s.evaluator.max(&beyond[0], &c[1], &sign).unwrap();
    let refused = s.evaluator.max(&once, &beyond[1], &sign).unwrap_err();
    let Error::CkksDomain(DomainError::Difference { left, right, .. }) = refused else {
        panic!("{refused:?}")
    };
    assert!((left - 0.56).abs() < 1e-6 && (right - 0.56).abs() < 1e-6, "{left} and {right}");
    // Where only the approximations could be, they take one level more, which is not planned here.
    let wide = numbers.iter().map(|x| s.encrypt_within(x, 0.5)).collect::<Vec<_>>();
    let e = &s.evaluator;
    let once = e.max(&wide[0], &wide[1], &sign).unwrap();
    let refused = e.max(&once, &wide[2], &sign).unwrap_err();
    assert!(matches!(refused, Error::NoiseExhausted { .. }), "{refused}");
    let half = |c: &Ciphertext| e.mul_scalar(c, 0.5).unwrap();
    assert!(e.max(&half(&wide[2]), &half(&wide[3]), &sign).is_ok());
}
