//! Bounds of functions are near the errors that functions have.

use crate::ckks::setup::{Setup, complex, map, zip};
use fathom::SecurityLevel;
use fathom::ckks::{
    Approximation, Ciphertext, Complex64, Encryption, Interval, LinearMap, Params, Rotations,
    SignApproximation,
};

/// The greatest number of bits by which a bound may exceed the largest error of all slots.
const NEAR_BITS: f64 = 6.0;
/// The same for matrices, whose operator norm is only bounded.
const MAP_BITS: f64 = 10.0;

fn setup(depth: usize, bits: f64, seed: u64) -> Setup {
    let key = Encryption::SecretKey;
    let params = Params::for_precision(depth, bits, key, SecurityLevel::Bits128).unwrap();
    Setup::of(params, &Rotations::none(), seed)
}

fn assert_near(s: &Setup, what: &str, c: &Ciphertext, expected: &[Complex64]) {
    let slack = s.check(what, c, expected).slack_bits();
    let bits = c.precision_bits();
    println!("{what}: {bits:.1} bits, {slack:.1} bits above the largest error");
    assert!(slack < NEAR_BITS, "{what}: {bits:.1} bits, {slack:.1} bits above the largest error");
}

/// The error of the operand counts by the slope of the root, and not term by term.
#[test]
fn bounds_of_square_roots_are_near() {
    let mut s = setup(8, 15.0, 63);
    let x: Vec<f64> = s.random_reals().iter().map(|x| 0.75 + 0.25 * x).collect();
    let c = s.encrypt_within(&x, 1.0);
    let root = s.evaluator.sqrt(&c, 0.5, 4).unwrap();
    assert_eq!(c.level().get() - root.level().get(), 8);
    assert_near(
        &s,
        "square root",
        &root,
        &complex(&x.iter().map(|x| x.sqrt()).collect::<Vec<_>>()),
    );
}

#[test]
fn bounds_of_polynomials_and_functions_are_near() {
    let mut s = setup(6, 15.0, 60);
    let reals = s.random_reals();
    let x = complex(&reals);
    let c = s.encrypt_within(&reals, 1.0);

    let p = [0.25, -1.5, 0.0, 2.0, 0.5, -3.0, 0.0, 1.25];
    let value = |x: Complex64| p.iter().rev().fold(Complex64::ZERO, |sum, &c| sum * x + c);
    let result = s.evaluator.evaluate_polynomial(&c, &p).unwrap();
    assert_near(&s, "polynomial of degree 7", &result, &map(&x, value));

    let y: Vec<Complex64> = map(&s.random(), |z| 0.5 * z);
    let turned = s.encrypt(&y);
    let result = s.evaluator.evaluate_polynomial(&turned, &p).unwrap();
    assert_near(&s, "polynomial of complex numbers", &result, &map(&y, value));

    let unit = Interval::UNIT;
    let wave = Approximation::new(|x| (6.0 * x).cos(), unit, 31).unwrap();
    let result = s.evaluator.evaluate_function(&c, &wave).unwrap();
    assert_near(&s, "cos(6 x)", &result, &map(&x, |x| (6.0 * x.re).cos().into()));

    let result = s.evaluator.exp(&c, unit, 15).unwrap();
    assert_near(&s, "exp", &result, &map(&x, |x| x.re.exp().into()));

    let positive: Vec<f64> = reals.iter().map(|x| 0.75 + 0.25 * x).collect();
    let c = s.encrypt_within(&positive, 1.0);
    let result = s.evaluator.reciprocal(&c, Interval::new(0.5, 1.0), 4).unwrap();
    let inverses: Vec<f64> = positive.iter().map(|x| 1.0 / x).collect();
    // The error of the iteration is part of the bound, and of the error where it is largest.
    assert_near(&s, "reciprocal", &result, &complex(&inverses));
}

#[test]
fn bounds_of_signs_and_maxima_are_near() {
    let gap = 0.0125;
    let sign = SignApproximation::new(gap, &[7, 15, 15]).unwrap();
    let mut s = setup(sign.depth() + 1, 12.0, 61);
    let beyond = |x: f64| x.signum() * (gap + (1.0 - gap) * x.abs());
    let reals: Vec<f64> = s.random_reals().into_iter().map(beyond).collect();
    let c = s.encrypt_within(&reals, 1.0);
    let result = s.evaluator.sign(&c, &sign).unwrap();
    let signs: Vec<f64> = reals.iter().map(|x| x.signum()).collect();
    assert_near(&s, "sign", &result, &complex(&signs));

    let halves = |values: Vec<f64>| values.into_iter().map(|x| 0.5 * x).collect::<Vec<f64>>();
    let (a, b) = (halves(s.random_reals()), halves(s.random_reals()));
    let [c, d] = [&a, &b].map(|values| s.encrypt_within(values, 0.5));
    let result = s.evaluator.max(&c, &d, &sign).unwrap();
    let expected = zip(&complex(&a), &complex(&b), |a, b| a.re.max(b.re).into());
    assert_near(&s, "max", &result, &expected);
}

/// The message of a product with a matrix is at most the largest sum of a row.
#[test]
fn bounds_of_maps_follow_the_rows_of_the_matrix() {
    let key = Encryption::SecretKey;
    let params = Params::for_precision(3, 12.0, key, SecurityLevel::Bits128).unwrap();
    let (rows, columns) = (64, 200);
    let entry = |i: usize, j: usize| ((1 + i * columns + j) as f64 * 0.618_034).fract() - 0.5;
    let matrix: Vec<Vec<f64>> =
        (0..rows).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect();
    let map = LinearMap::for_level(&params, &matrix, params.top_level()).unwrap();
    let mut s = Setup::of(params, &map.rotations(), 62);
    let vector: Vec<f64> = s.random_reals().into_iter().take(columns).collect();
    let packed = map.pack(&vector).unwrap();
    let Setup { secret, rng, .. } = &mut s;
    let encrypted = packed.try_map(|plain| secret.encrypt(plain, rng)).unwrap();
    let result = s.evaluator.transform(&map, &encrypted).unwrap();
    let dot = |row: &Vec<f64>| row.iter().zip(&vector).map(|(m, v)| m * v).sum::<f64>();
    let expected: Vec<f64> = matrix.iter().map(dot).collect();
    let found = s.secret.decrypt(result.value()).unwrap();
    let errors =
        found.slots().iter().zip(&expected).map(|(a, b)| (a - b).abs()).collect::<Vec<_>>();
    let largest = errors.into_iter().fold(0.0, f64::max);
    let slack = (found.error_bound() / largest).log2();
    println!(
        "map: {:.1} bits, {slack:.1} bits above the largest error",
        result.value().precision_bits()
    );
    assert!(slack > 0.0 && slack < MAP_BITS, "{slack:.1} bits above the largest error");
    let sums = matrix.iter().map(|row| row.iter().map(|m| m.abs()).sum::<f64>());
    let magnitude = result.value().magnitude_bound();
    assert!(magnitude <= 1.001 * sums.fold(0.0, f64::max), "{magnitude}");
}
