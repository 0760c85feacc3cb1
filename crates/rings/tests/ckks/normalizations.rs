//! Programs that normalize the first slots: softmax, attention, norms, scores and correlations.
//!
//! Each has a circuit, the same computation on clear numbers, and numbers for which its error is
//! large. A bound holds for every slot, so that those behind the first ones count too: they hold a
//! filler, which a mean of the first ones may be far from.

use super::setup::Setup;
use fathom::ckks::{Approximation, Ciphertext, Encryption, Evaluator, Interval, Params};
use fathom::{Error, SecurityLevel};

type Outcome = Result<Ciphertext, Error>;

/// Number of values that the programs take of each operand.
const FIRST: usize = 16;

/// A program on the first slots of ciphertexts whose values are up to 1.
pub(crate) struct Normalization {
    pub(crate) name: &'static str,
    pub(crate) bits: f64,
    operands: usize,
    run: fn(&Evaluator, &[Ciphertext]) -> Outcome,
    /// Computes the first values of the result and the one in all slots behind them, from the same
    /// of the operands.
    clear: fn(&[Vec<f64>]) -> Vec<f64>,
    /// Values for which the error is large: a shape, its size, and the filler behind.
    values: &'static [(Shape, f64, f64)],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Alternating,
    /// Two numbers from -1 on.
    Lowest,
    Thirds,
    Spread,
    Single,
    Opposite,
    Least,
    Positive,
}

impl Normalization {
    /// Runs the program without data.
    pub(crate) fn simulated(&self, server: &Evaluator) -> Outcome {
        let top = server.params().top_level();
        let fresh = |_| server.simulated_encryption_within(Encryption::SecretKey, 1.0, top);
        let operands: Result<Vec<_>, _> = (0..self.operands).map(fresh).collect();
        (self.run)(server, &operands?)
    }
}

/// Computes exponentials of the first slots, divided by their sum.
fn softmax(s: &Evaluator, x: &Ciphertext) -> Outcome {
    let powers = s.exp(x, Interval::UNIT, 7)?;
    let sum = s.sum_prefix(&powers, FIRST)?;
    s.mul(&powers, &s.reciprocal(&sum, Interval::new(5.0, 45.0), 5)?)
}

fn centred(s: &Evaluator, x: &Ciphertext) -> Outcome {
    s.sub(x, &s.mean(x, FIRST)?)
}

/// Computes the variance, which is at most 1 for numbers up to 1.
fn variance(s: &Evaluator, centred: &Ciphertext) -> Outcome {
    s.assume_magnitude(&s.mean(&s.square(centred)?, FIRST)?, 1.0)
}

/// Computes the inverse square root of numbers that are promised to be in an interval.
fn inverse_root(s: &Evaluator, x: &Ciphertext, interval: Interval) -> Outcome {
    let root = Approximation::new(|x| x.powf(-0.5), interval, 31)?;
    s.evaluate_function(&s.assume_magnitude(x, interval.high)?, &root)
}

fn mean_of(x: &[f64]) -> f64 {
    x[..FIRST].iter().sum::<f64>() / FIRST as f64
}

fn less_mean(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v - mean_of(x)).collect()
}

fn product_mean(x: &[f64], y: &[f64]) -> f64 {
    mean_of(&x.iter().zip(y).map(|(x, y)| x * y).collect::<Vec<_>>())
}

fn softmax_of(x: &[f64]) -> Vec<f64> {
    let sum: f64 = x[..FIRST].iter().map(|x| x.exp()).sum();
    x.iter().map(|x| x.exp() / sum).collect()
}

/// Scale and offset of a layer norm, and what it adds to the variance.
const LAYER: [f64; 3] = [0.75, 0.125, 0.0625];

pub(crate) const NORMALIZATIONS: [Normalization; 7] = [
    Normalization {
        name: "softmax",
        bits: 8.0,
        operands: 1,
        run: |s, x| softmax(s, &x[0]),
        clear: |x| softmax_of(&x[0]),
        values: &[
            (Shape::Alternating, 1.0, 1.0),
            (Shape::Spread, 1.0, 1.0),
            (Shape::Single, 1.0, 1.0),
            (Shape::Least, 1.0, 1.0),
        ],
    },
    Normalization {
        name: "an attention",
        bits: 6.0,
        operands: 3,
        run: |s, x| {
            let weights = softmax(s, &s.mul(&x[0], &x[1])?)?;
            s.sum_prefix(&s.mul(&weights, &x[2])?, FIRST)
        },
        clear: |x| {
            let products: Vec<f64> = x[0].iter().zip(&x[1]).map(|(q, k)| q * k).collect();
            let weights = softmax_of(&products);
            vec![FIRST as f64 * product_mean(&weights, &x[2]); FIRST + 1]
        },
        values: &[
            (Shape::Alternating, 1.0, 1.0),
            (Shape::Spread, 1.0, 1.0),
            (Shape::Single, 1.0, 1.0),
            (Shape::Opposite, 1.0, 1.0),
        ],
    },
    Normalization {
        name: "the norm of what is left of the mean",
        bits: 8.0,
        operands: 1,
        run: |s, x| s.norm_squared(&centred(s, &x[0])?, FIRST),
        clear: |x| {
            let left = less_mean(&x[0]);
            vec![FIRST as f64 * product_mean(&left, &left); FIRST + 1]
        },
        values: &[
            (Shape::Alternating, 1.0, 1.0),
            (Shape::Alternating, 1.0, -1.0),
            (Shape::Thirds, 1.0, 1.0),
            (Shape::Spread, 1.0, 1.0),
            (Shape::Single, 1.0, 1.0),
            (Shape::Least, 1.0, 1.0),
        ],
    },
    Normalization {
        name: "z-scores",
        bits: 8.0,
        operands: 1,
        run: |s, x| {
            let centred = centred(s, &x[0])?;
            s.mul(&centred, &inverse_root(s, &variance(s, &centred)?, Interval::new(0.1, 1.0))?)
        },
        clear: |x| {
            let left = less_mean(&x[0]);
            let deviation = product_mean(&left, &left).sqrt();
            left.iter().map(|v| v / deviation).collect()
        },
        values: &[
            (Shape::Alternating, 1.0, 1.0),
            (Shape::Alternating, 0.32, -1.0),
            (Shape::Lowest, 0.32, 1.0),
            (Shape::Lowest, 0.33, 1.0),
            (Shape::Lowest, 0.34, 1.0),
            (Shape::Single, 1.0, 1.0),
        ],
    },
    Normalization {
        name: "a layer norm",
        bits: 8.0,
        operands: 1,
        run: |s, x| {
            let [scale, offset, least] = LAYER;
            let centred = centred(s, &x[0])?;
            let variance = s.add_scalar(&variance(s, &centred)?, least)?;
            let root = inverse_root(s, &variance, Interval::new(least, 1.0 + least))?;
            let scores = s.mul(&centred, &root)?;
            s.add_scalar(&s.mul_scalar(&scores, scale)?, offset)
        },
        clear: |x| {
            let [scale, offset, least] = LAYER;
            let left = less_mean(&x[0]);
            let deviation = (product_mean(&left, &left) + least).sqrt();
            left.iter().map(|v| scale * v / deviation + offset).collect()
        },
        values: &[
            (Shape::Alternating, 1.0, 1.0),
            (Shape::Lowest, 0.05, 1.0),
            (Shape::Lowest, 0.1, 1.0),
            (Shape::Lowest, 0.15, 1.0),
            (Shape::Lowest, 0.2, 1.0),
            (Shape::Least, 1.0, 1.0),
        ],
    },
    Normalization {
        name: "an inverse square root by five steps",
        bits: 8.0,
        operands: 1,
        run: |s, x| s.inverse_sqrt(&x[0], Interval::new(0.1, 1.0), 5),
        clear: |x| x[0].iter().map(|x| x.powf(-0.5)).collect(),
        values: &[(Shape::Positive, 1.0, 0.1)],
    },
    Normalization {
        name: "a correlation",
        bits: 8.0,
        operands: 2,
        run: |s, x| {
            let (x, y) = (centred(s, &x[0])?, centred(s, &x[1])?);
            let product = s.mul(&variance(s, &x)?, &variance(s, &y)?)?;
            let common = s.assume_magnitude(&s.mean(&s.mul(&x, &y)?, FIRST)?, 1.0)?;
            s.mul(&common, &inverse_root(s, &product, Interval::new(0.05, 1.0))?)
        },
        clear: |x| {
            let (x, y) = (less_mean(&x[0]), less_mean(&x[1]));
            let deviations = (product_mean(&x, &x) * product_mean(&y, &y)).sqrt();
            vec![product_mean(&x, &y) / deviations; FIRST + 1]
        },
        values: &[
            (Shape::Alternating, 1.0, 1.0),
            (Shape::Alternating, 0.48, -1.0),
            (Shape::Alternating, 0.474, 1.0),
            (Shape::Alternating, 0.476, 1.0),
            (Shape::Lowest, 0.474, 1.0),
            (Shape::Lowest, 0.476, 1.0),
            (Shape::Spread, 1.0, 1.0),
            (Shape::Thirds, 1.0, 1.0),
            (Shape::Thirds, 0.85, 1.0),
        ],
    },
];

/// Returns value `i` of operand `k` of a shape of this size.
fn value(shape: Shape, size: f64, i: usize, k: usize) -> f64 {
    if shape == Shape::Lowest {
        return size * [0.0, 2.0][i % 2] - 1.0;
    }
    size * shaped(shape, i, k)
}

/// Returns value `i` of operand `k` of a shape of size 1: numbers as far apart as they may be,
/// equal ones, one among others, and all of an interval.
fn shaped(shape: Shape, i: usize, k: usize) -> f64 {
    match shape {
        Shape::Alternating | Shape::Lowest => [1.0, -1.0][i % 2],
        Shape::Thirds => {
            if (i + k).is_multiple_of(3) {
                1.0
            } else {
                -0.25
            }
        }
        Shape::Spread => ((7 * i + 5 * k) % FIRST) as f64 / 7.5 - 1.0,
        Shape::Single => {
            if i == k {
                1.0
            } else {
                -0.5
            }
        }
        Shape::Opposite => [1.0, -1.0, -1.0][k],
        Shape::Least => -1.0,
        Shape::Positive => 0.55 + 0.45 * shaped(Shape::Spread, i, k),
    }
}

/// The greatest number of bits by which a bound may exceed the largest error of all slots.
const NEAR_BITS: f64 = 8.0;

/// The plan runs, no error is beyond its bound, and the bound is near the largest.
#[test]
fn bounds_of_normalizations_are_near() {
    let mut far = Vec::new();
    for (seed, program) in (700..).zip(&NORMALIZATIONS) {
        let Normalization { name, bits, run, clear, .. } = program;
        let circuit = |server: &Evaluator| Ok(vec![program.simulated(server)?]);
        let plan = Params::for_circuit(circuit, *bits, SecurityLevel::Bits128).unwrap();
        let mut s = Setup::of(plan.params().clone(), plan.rotations(), seed);
        let (mut largest, mut bound) = (0.0_f64, 0.0_f64);
        for (shape, size, filler) in program.values {
            let first = |k: usize| (0..FIRST).map(move |i| value(*shape, *size, i, k));
            let operand = |k: usize| first(k).chain([*filler]).collect::<Vec<_>>();
            let values: Vec<_> = (0..program.operands).map(operand).collect();
            let encrypted = values.iter().map(|x| s.encrypt_padded(&x[..FIRST], *filler, 1.0));
            let operands: Vec<_> = encrypted.collect();
            let result = run(&s.evaluator, &operands).unwrap_or_else(|e| panic!("{name}: {e}"));
            let found = s.secret.decrypt(&result).unwrap();
            bound = bound.max(found.error_bound());
            let expected = clear(&values);
            for (i, found) in found.slots().iter().enumerate() {
                let expected = expected[i.min(FIRST)];
                let error = (found - expected).abs();
                assert!(error <= bound, "{name}: {found} instead of {expected}, {bound:e}");
                largest = largest.max(error);
            }
        }
        let slack = (bound / largest).log2();
        println!("{name}: bound {bound:.1e}, error {largest:.1e}, {slack:.1} bits apart");
        far.extend((slack > NEAR_BITS).then(|| format!("{name}: {slack:.1} bits apart")));
    }
    assert!(far.is_empty(), "{}", far.join("\n"));
}
