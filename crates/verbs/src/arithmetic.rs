//! Arithmetic on clear values, in which the clear forms of verbs compute.

/// Arithmetic on clear values.
pub trait Arithmetic {
    /// Type of a value.
    type Value: Copy;

    /// Number of rows of slots that rotations act on: 2 in exact schemes on residues, else 1.
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
pub struct Modulo(pub u64);

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
pub struct Real;

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

/// Clear arguments of a verb.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Number of terms, of operations that come in families.
    pub count: usize,
    /// Steps, coefficients or other integers.
    pub numbers: &'a [i64],
}

/// A function from operands and clear arguments to a result, in one arithmetic.
pub type Clear<A> =
    fn(&A, &[&[<A as Arithmetic>::Value]], Given<'_>) -> Vec<<A as Arithmetic>::Value>;
