//! Arithmetic of machine integers, and oracles in every arithmetic.

use ethnum::U256;
pub use fathom_verbs::{Arithmetic, Clear, Given, Modulo, Real};

use super::torus::IntegerType;

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

/// An oracle: an operation on vectors in every arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct VectorOracle {
    /// The function modulo the plaintext modulus.
    pub residues: Clear<Modulo>,
    /// The function in double precision.
    pub reals: Clear<Real>,
    /// The function on machine integers.
    pub words: Clear<Machine>,
}
