//! Results of operations on vectors, in any arithmetic.

use crate::ops::{POLYNOMIAL, Work};

/// Arithmetic on clear values.
pub(super) trait Arithmetic {
    /// Type of a value.
    type Value: Copy;

    /// Number of rows of slots that rotations act on: 2 in exact schemes, 1 in CKKS.
    const ROWS: usize;

    /// Returns the value of an integer.
    fn constant(&self, value: i64) -> Self::Value;

    /// Returns true if `value` is zero.
    fn is_zero(&self, value: Self::Value) -> bool;

    /// Adds two values.
    fn add(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// Subtracts `b` from `a`.
    fn sub(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// Multiplies two values.
    fn mul(&self, a: Self::Value, b: Self::Value) -> Self::Value;
}

/// Integers modulo the given number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modulo(pub(super) u64);

impl Arithmetic for Modulo {
    type Value = u64;

    const ROWS: usize = 2;

    fn constant(&self, value: i64) -> u64 {
        i128::from(value).rem_euclid(i128::from(self.0)) as u64
    }

    fn is_zero(&self, value: u64) -> bool {
        value == 0
    }

    fn add(&self, a: u64, b: u64) -> u64 {
        ((u128::from(a) + u128::from(b)) % u128::from(self.0)) as u64
    }

    fn sub(&self, a: u64, b: u64) -> u64 {
        self.add(a, self.0 - b % self.0)
    }

    fn mul(&self, a: u64, b: u64) -> u64 {
        ((u128::from(a) * u128::from(b)) % u128::from(self.0)) as u64
    }
}

/// Real numbers in double precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Real;

impl Arithmetic for Real {
    type Value = f64;

    const ROWS: usize = 1;

    fn constant(&self, value: i64) -> f64 {
        value as f64
    }

    fn is_zero(&self, value: f64) -> bool {
        value == 0.0
    }

    fn add(&self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn sub(&self, a: f64, b: f64) -> f64 {
        a - b
    }

    fn mul(&self, a: f64, b: f64) -> f64 {
        a * b
    }
}

/// Computes the clear result of `work` on vectors; other work returns the first vector.
pub(super) fn expected<A: Arithmetic>(a: &A, work: Work, inputs: &[&[A::Value]]) -> Vec<A::Value> {
    let first = inputs[0];
    match work {
        Work::Keygen
        | Work::RotateKeygen
        | Work::CiphertextSize
        | Work::KeySize
        | Work::Encrypt(_)
        | Work::Decrypt
        | Work::ModSwitch
        | Work::Gate(_)
        | Work::Block(_)
        | Work::Integer(_) => first.to_vec(),
        Work::Add | Work::AddPlain => zip(first, inputs[1], |x, y| a.add(x, y)),
        Work::Sub => zip(first, inputs[1], |x, y| a.sub(x, y)),
        Work::Mul | Work::MulBatch(_) | Work::MulPlain | Work::Relin => {
            zip(first, inputs[1], |x, y| a.mul(x, y))
        }
        Work::Square => zip(first, first, |x, y| a.mul(x, y)),
        Work::Rotate => rotate_rows(first, first.len() / A::ROWS),
        Work::RotateSum => sum_everywhere(a, first),
        Work::Depth(_) | Work::DecryptDepth(_) | Work::PastBudget => {
            let ones = vec![a.constant(1); first.len()];
            inputs.iter().fold(ones, |product, x| zip(&product, x, |x, y| a.mul(x, y)))
        }
        Work::Dot(n) => {
            let zeros = vec![a.constant(0); first.len()];
            let pairs = inputs[..n].iter().zip(&inputs[n..]);
            pairs.fold(zeros, |sum, (x, y)| {
                let products = zip(x, y, |x, y| a.mul(x, y));
                zip(&sum, &products, |x, y| a.add(x, y))
            })
        }
        Work::PackedDot(_) => negacyclic_product(a, first, inputs[1]),
        Work::Polynomial => first.iter().map(|&x| evaluate(a, &POLYNOMIAL, x)).collect(),
        Work::DotSlots => sum_everywhere(a, &zip(first, inputs[1], |x, y| a.mul(x, y))),
    }
}

fn zip<T: Copy>(a: &[T], b: &[T], f: impl Fn(T, T) -> T) -> Vec<T> {
    a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
}

fn rotate_rows<T: Copy>(values: &[T], row: usize) -> Vec<T> {
    let mut rotated = values.to_vec();
    rotated.chunks_mut(row.max(1)).for_each(|row| row.rotate_left(1));
    rotated
}

fn sum_everywhere<A: Arithmetic>(a: &A, values: &[A::Value]) -> Vec<A::Value> {
    let sum = values.iter().fold(a.constant(0), |sum, &v| a.add(sum, v));
    vec![sum; values.len()]
}

fn evaluate<A: Arithmetic>(a: &A, coefficients: &[i64], x: A::Value) -> A::Value {
    let step = |value, &c: &i64| a.add(a.mul(value, x), a.constant(c));
    coefficients.iter().rev().fold(a.constant(0), step)
}

fn negacyclic_product<A: Arithmetic>(a: &A, x: &[A::Value], y: &[A::Value]) -> Vec<A::Value> {
    let n = x.len();
    let mut product = vec![a.constant(0); n];
    for (i, &left) in x.iter().enumerate().filter(|(_, v)| !a.is_zero(**v)) {
        for (j, &right) in y.iter().enumerate().filter(|(_, v)| !a.is_zero(**v)) {
            let term = a.mul(left, right);
            let slot = &mut product[(i + j) % n];
            *slot = if i + j < n { a.add(*slot, term) } else { a.sub(*slot, term) };
        }
    }
    product
}
