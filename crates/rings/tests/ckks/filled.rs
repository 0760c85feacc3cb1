//! Programs whose sums fill the slots that no value was given for run as they were planned.

use crate::ckks::setup::Setup;
use fathom::ckks::{
    Ciphertext, DomainError, Encryption, Evaluator, Interval, Params, Rotations, SignApproximation,
};
use fathom::{Error, SecurityLevel};

type Outcome = Result<Ciphertext, Error>;
type Run = fn(&Evaluator, &Ciphertext) -> Outcome;

/// A program on three numbers, what it computes in every slot or in the first ones, and the bits
/// that it is planned for.
struct Program {
    name: &'static str,
    bits: f64,
    run: Run,
    clear: fn(&[f64]) -> Vec<f64>,
}

const X: [f64; 3] = [0.9, 0.25, 0.5];

fn mean_of(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

fn exp(e: &Evaluator, x: &Ciphertext) -> Outcome {
    e.exp(x, Interval::UNIT, 7)
}

const PROGRAMS: [Program; 6] = [
    Program {
        name: "a reciprocal of a sum of exponentials",
        bits: 6.0,
        run: |e, x| e.reciprocal(&e.sum_prefix(&exp(e, x)?, 3)?, Interval::new(2.0, 9.0), 4),
        clear: |x| vec![1.0 / x.iter().map(|x| x.exp()).sum::<f64>(); 8],
    },
    Program {
        name: "softmax",
        bits: 6.0,
        run: |e, x| {
            let powers = exp(e, x)?;
            let sum = e.sum_prefix(&powers, 3)?;
            e.mul(&powers, &e.reciprocal(&sum, Interval::new(2.0, 9.0), 4)?)
        },
        clear: |x| {
            let sum: f64 = x.iter().map(|x| x.exp()).sum();
            x.iter().map(|x| x.exp() / sum).collect()
        },
    },
    Program {
        name: "a logarithm of a copy",
        bits: 8.0,
        run: |e, x| {
            let shifted = e.add_scalar(&e.mul_scalar(x, 2.0)?, 2.0)?;
            e.log(&e.replicate(&shifted, 1)?, Interval::new(1.0, 4.0), 15)
        },
        clear: |x| vec![(2.0 + 2.0 * x[1]).ln(); 8],
    },
    Program {
        name: "a root of a mean",
        bits: 6.0,
        run: |e, x| e.sqrt(&e.mean(x, 3)?, 0.3, 3),
        clear: |x| vec![mean_of(x).sqrt(); 8],
    },
    Program {
        name: "the norm of what is left of the mean",
        bits: 6.0,
        run: |e, x| {
            let centred = e.sub(x, &e.mean(x, 3)?)?;
            e.add_scalar(&e.norm_squared(&centred, 3)?, 0.5)
        },
        clear: |x| vec![0.5 + x.iter().map(|v| (v - mean_of(x)).powi(2)).sum::<f64>(); 8],
    },
    Program {
        name: "a comparison of a copy with the mean",
        bits: 3.0,
        run: |e, x| {
            let sign = SignApproximation::new(0.05, &[7, 15]).unwrap();
            let half = e.mul_scalar(x, 0.5)?;
            e.gt(&e.replicate(&half, 0)?, &e.mean(&half, 3)?, &sign)
        },
        clear: |_| vec![1.0; 8],
    },
];

/// Runs a program under the parameters that were planned for it, on a message that leaves slots
/// without a value and on one that leaves none.
fn check(program: &Program, seed: u64) {
    let Program { name, bits, run, clear } = program;
    let planned = Params::for_circuit(
        |server| {
            let top = server.params().top_level();
            let x = server.simulated_encryption_within(Encryption::SecretKey, 1.0, top)?;
            Ok(vec![run(server, &x)?])
        },
        *bits,
        SecurityLevel::Bits128,
    );
    let planned = planned.unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut s = Setup::of(planned.params().clone(), planned.rotations(), seed);
    for x in [s.encrypt_within(&X, 1.0), s.encrypt_padded(&X, 0.75, 1.0)] {
        let result = run(&s.evaluator, &x).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(result.precision_bits() >= *bits - 1e-6, "{name}: {}", result.precision_bits());
        s.check_first(name, &result, &clear(&X));
    }
}

#[test]
fn programs_with_sums_of_the_first_slots_run_as_planned() {
    for (seed, program) in (300..).zip(&PROGRAMS) {
        check(program, seed);
    }
}

/// The remedy of a refusal, run in the program that was refused: a filler in all messages of an
/// attention counts in no sum of the first slots.
#[test]
fn an_attention_on_padded_messages_is_that_of_its_values() {
    let attention = |e: &Evaluator, [q, k, v]: [&Ciphertext; 3]| -> Outcome {
        let powers = exp(e, &e.mul(q, k)?)?;
        let weights = e.reciprocal(&e.sum_prefix(&powers, 3)?, Interval::new(1.0, 9.0), 5)?;
        e.sum_prefix(&e.mul(&e.mul(&powers, v)?, &weights)?, 3)
    };
    let planned = Params::for_circuit(
        |server| {
            let top = server.params().top_level();
            let fresh = || server.simulated_encryption_within(Encryption::SecretKey, 1.0, top);
            Ok(vec![attention(server, [&fresh()?, &fresh()?, &fresh()?])?])
        },
        5.0,
        SecurityLevel::Bits128,
    )
    .unwrap();
    let mut s = Setup::of(planned.params().clone(), planned.rotations(), 320);
    let [q, k, v] = [X, [0.1, -0.5, 0.7], [0.3, 0.8, -0.6]];
    let powers: Vec<f64> = q.iter().zip(k).map(|(q, k)| (q * k).exp()).collect();
    let sum: f64 = powers.iter().sum();
    let expected: f64 = powers.iter().zip(v).map(|(power, v)| power / sum * v).sum();
    for filler in [None, Some(0.5), Some(-1.0)] {
        let operands = [q, k, v].map(|x| match filler {
            None => s.encrypt_within(&x, 1.0),
            Some(filler) => s.encrypt_padded(&x, filler, 1.0),
        });
        let result = attention(&s.evaluator, operands.each_ref()).unwrap();
        s.check_first("attention", &result, &[expected; 8]);
    }
}

/// The interval of a function takes what a copy may hold: the rounding of a mask is an error, and
/// no larger value.
#[test]
fn masks_keep_magnitudes() {
    let params = Params::preset(fathom::ckks::Preset::E3).unwrap();
    let e = Evaluator::simulated(&params).unwrap();
    let plain = e.params().encode_within(&[4.0, 1.0], 4.0).unwrap();
    let top = e.params().top_level();
    let x = e.simulated_encryption_like(Encryption::SecretKey, &plain, top).unwrap();
    for copy in [e.replicate(&x, 0), e.mean(&x, 1), e.sum_prefix(&x, 1)] {
        let copy = copy.unwrap();
        assert!((copy.magnitude_bound() / 4.0 - 1.0).abs() < 2e-9, "{:e}", copy.magnitude_bound());
        assert!(e.log(&copy, Interval::new(1.0, 4.0), 15).is_ok());
    }
    // A plaintext of the real parameters says as much.
    let plain = params.encode_within(&[4.0, 1.0], 4.0).unwrap();
    let real = e.simulated_encryption_like(Encryption::SecretKey, &plain, top).unwrap();
    assert_eq!((real.padding(), real.error_bound()), (x.padding(), x.error_bound()));
}

/// A function takes vectors whose other slots held zeros, once or in every repetition.
#[test]
fn functions_take_vectors_whose_rest_is_filled() {
    let interval = Interval::new(0.25, 1.0);
    let params = Params::preset(fathom::ckks::Preset::E3).unwrap();
    let mut s = Setup::of(params.clone(), &Rotations::none(), 330);
    let slots = params.slot_count();
    let once = s.encrypt_within(&X, 1.0);
    let repeated = params.encode_repeated_within(&[X[0], X[1], X[2], 0.0], 1.0).unwrap();
    let repeated = s.secret.encrypt(&repeated, &mut s.rng).unwrap();
    let refused = s.evaluator.inverse_sqrt(&once, interval, 2).unwrap_err();
    let zeros = Error::CkksDomain(DomainError::Padding {
        operation: "inverse_sqrt",
        low: 0.25,
        high: 1.0,
        padding_low: 0.0,
        padding_high: 0.0,
    });
    assert_eq!(refused, zeros);
    for (x, period) in [(once, slots), (repeated, 4)] {
        let filled = s.evaluator.fill_rest(&x, 3, period, 0.5).unwrap();
        assert!((filled.magnitude_bound() - 1.0).abs() < 1e-6);
        let slot = |i: usize| *X.get(i % period).unwrap_or(&0.5);
        let expected: Vec<f64> = (0..slots).map(slot).collect();
        s.check_first("filled", &filled, &expected);
        let root = s.evaluator.inverse_sqrt(&filled, interval, 2).unwrap();
        let expected: Vec<f64> = expected.iter().map(|x| x.powf(-0.5)).collect();
        s.check_first("its inverse root", &root, &expected);
    }
    let x = s.encrypt_within(&X, 1.0);
    for (count, period) in [(3, 0), (3, 6), (5, 4), (3, 2 * slots)] {
        let refused = s.evaluator.fill_rest(&x, count, period, 0.5);
        assert!(matches!(refused, Err(Error::Shape { operation: "fill_rest", .. })));
    }
    assert!(s.evaluator.fill_rest(&x, 3, 4, f64::NAN).is_err());
}
