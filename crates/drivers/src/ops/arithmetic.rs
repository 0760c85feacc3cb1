//! Arithmetic on clear values, in which the oracles of the table of operations compute.

use ethnum::U256;

use super::torus::IntegerType;

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

/// Machine integers, which wrap around.
#[derive(Clone, Copy, Debug)]
pub struct Machine(pub IntegerType);

impl Arithmetic for Machine {
    type Value = U256;

    const ROWS: usize = 1;

    fn constant(&self, value: i64) -> U256 {
        self.0.wrap(ethnum::I256::from(value).as_u256())
    }

    fn is_zero(&self, value: U256) -> bool {
        value == U256::ZERO
    }

    fn add(&self, a: U256, b: U256) -> U256 {
        self.0.wrap(a.wrapping_add(b))
    }

    fn sub(&self, a: U256, b: U256) -> U256 {
        self.0.wrap(a.wrapping_sub(b))
    }

    fn mul(&self, a: U256, b: U256) -> U256 {
        self.0.wrap(a.wrapping_mul(b))
    }
}

/// A function from operands and the count of a family to a result, in one arithmetic.
pub type Function<A> =
    fn(&A, &[&[<A as Arithmetic>::Value]], usize) -> Vec<<A as Arithmetic>::Value>;

/// An oracle: an operation on vectors in every arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct VectorOracle {
    /// The function modulo the plaintext modulus.
    pub residues: Function<Modulo>,
    /// The function in double precision.
    pub reals: Function<Real>,
    /// The function on machine integers.
    pub words: Function<Machine>,
}
