//! Results of operations on vectors, in any arithmetic: the oracles that the table of operations
//! names.

use ethnum::U256;

use crate::ops::torus::IntegerType;

/// The polynomial of the case `polynomial`, constant coefficient first: 3x^3 + 2x^2 + 5x + 7.
pub const POLYNOMIAL: [i64; 4] = [7, 5, 2, 3];

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

/// An operation on vectors in every arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct VectorOracle {
    /// Modulo the plaintext modulus.
    pub residues: Function<Modulo>,
    /// The function in double precision.
    pub reals: Function<Real>,
    /// The function on machine integers.
    pub words: Function<Machine>,
}

/// Makes a [`VectorOracle`] of a function of this module that is generic over its arithmetic.
macro_rules! oracle {
    ($name:ident) => {
        $crate::verify::vectors::VectorOracle {
            residues: $crate::verify::vectors::$name::<$crate::verify::vectors::Modulo>,
            reals: $crate::verify::vectors::$name::<$crate::verify::vectors::Real>,
            words: $crate::verify::vectors::$name::<$crate::verify::vectors::Machine>,
        }
    };
}
pub(crate) use oracle;

/// Operands of one call: the values of each ciphertext or plaintext, or of each factor of a chain.
type Vectors<'a, A> = &'a [&'a [<A as Arithmetic>::Value]];
type Vector<A> = Vec<<A as Arithmetic>::Value>;

/// Returns the first operand: encryptions, decryptions and switches change no value.
pub fn same<A: Arithmetic>(_: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    x[0].to_vec()
}

/// Adds.
pub fn add<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    zip(x[0], x[1], |x, y| a.add(x, y))
}

/// Subtracts.
pub fn sub<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    zip(x[0], x[1], |x, y| a.sub(x, y))
}

/// Negates.
pub fn neg<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    x[0].iter().map(|&x| a.sub(a.constant(0), x)).collect()
}

/// Squares.
pub fn square<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    x[0].iter().map(|&x| a.mul(x, x)).collect()
}

/// Multiplies all operands, slot by slot.
pub fn product<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let ones = vec![a.constant(1); x[0].len()];
    x.iter().fold(ones, |product, x| zip(&product, x, |x, y| a.mul(x, y)))
}

/// Rotates every row by one step to the left.
pub fn rotate<A: Arithmetic>(_: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let mut rotated = x[0].to_vec();
    let row = (rotated.len() / A::ROWS).max(1);
    rotated.chunks_mut(row).for_each(|row| row.rotate_left(1));
    rotated
}

/// Conjugates every slot: real values stay. In two rows, which have no complex values, the same key
/// swaps the rows.
pub fn conjugate<A: Arithmetic>(_: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let mut conjugated = x[0].to_vec();
    let row = conjugated.len() / A::ROWS;
    conjugated.rotate_left(if A::ROWS > 1 { row } else { 0 });
    conjugated
}

/// Adds all slots, in every slot.
pub fn sum_slots<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let sum = x[0].iter().fold(a.constant(0), |sum, &v| a.add(sum, v));
    vec![sum; x[0].len()]
}

/// Adds the products of the first `count` operands with the others.
pub fn dot<A: Arithmetic>(a: &A, x: Vectors<'_, A>, count: usize) -> Vector<A> {
    let zeros = vec![a.constant(0); x[0].len()];
    x[..count].iter().zip(&x[count..]).fold(zeros, |sum, (x, y)| {
        let products = zip(x, y, |x, y| a.mul(x, y));
        zip(&sum, &products, |x, y| a.add(x, y))
    })
}

/// Multiplies, then adds all slots, in every slot.
pub fn dot_slots<A: Arithmetic>(a: &A, x: Vectors<'_, A>, count: usize) -> Vector<A> {
    let products = product(a, x, count);
    sum_slots(a, &[&products], count)
}

/// Multiplies, then adds the `count` values of each row at the distance of a `count`-th of the row:
/// of as many vectors as that distance, which lie side by side.
pub fn inner_product<A: Arithmetic>(a: &A, x: Vectors<'_, A>, count: usize) -> Vector<A> {
    let mut products = product(a, x, count);
    let row = (products.len() / A::ROWS).max(1);
    let distance = (row / count).max(1);
    for row in products.chunks_mut(row) {
        let (first, others) = row.split_at_mut(distance);
        for others in others.chunks(distance) {
            first.iter_mut().zip(others).for_each(|(sum, value)| *sum = a.add(*sum, *value));
        }
        others.chunks_mut(distance).for_each(|other| other.copy_from_slice(first));
    }
    products
}

/// Evaluates [`POLYNOMIAL`] by Horner's rule.
pub fn polynomial<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let step = |x, value, &c: &i64| a.add(a.mul(value, x), a.constant(c));
    let at =
        |&x: &A::Value| POLYNOMIAL.iter().rev().fold(a.constant(0), |value, c| step(x, value, c));
    x[0].iter().map(at).collect()
}

/// Multiplies two polynomials modulo X^n + 1.
pub fn negacyclic<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let n = x[0].len();
    let mut product = vec![a.constant(0); n];
    for (i, &left) in x[0].iter().enumerate().filter(|(_, v)| !a.is_zero(**v)) {
        for (j, &right) in x[1].iter().enumerate().filter(|(_, v)| !a.is_zero(**v)) {
            let term = a.mul(left, right);
            let slot = &mut product[(i + j) % n];
            *slot = if i + j < n { a.add(*slot, term) } else { a.sub(*slot, term) };
        }
    }
    product
}

fn zip<T: Copy>(a: &[T], b: &[T], f: impl Fn(T, T) -> T) -> Vec<T> {
    a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
}
