//! The schemes whose operations on vectors are measured.

use fathom::bfv::Bfv;
use fathom::ckks::Ckks;
use fathom::rlwe::{Ciphertext, LinearMap, Params, Scheme, SecretKey, Slotted};
use fathom::{Error, SecretRng};

/// The shape of a matrix and of the layout of its operands.
pub(crate) struct MatrixShape {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) size: usize,
}

/// A scheme whose operations on vectors are measured.
pub(crate) trait Vectors: Scheme + Slotted {
    /// The number with which vectors are filled and multiplied.
    const NUMBER: Self::Value;

    /// Prepares a dense matrix for operands of a level in the layout of a size.
    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        level: usize,
    ) -> Result<LinearMap<Self>, Error>;
}

/// Encodes a full vector.
pub(crate) fn full<S: Vectors>(params: &Params<S>) -> Result<S::Plaintext, Error> {
    S::encode(params, &vec![S::NUMBER; params.degree() / 2 * S::ROWS])
}

/// Encodes and encrypts a full vector.
pub(crate) fn encrypted<S: Vectors>(
    secret: &SecretKey<S>,
    rng: &mut SecretRng,
) -> Result<Ciphertext<S>, Error> {
    secret.encrypt(&full(secret.params())?, rng)
}

impl Vectors for Bfv {
    const NUMBER: i64 = 3;

    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        _: usize,
    ) -> Result<LinearMap<Self>, Error> {
        LinearMap::with_size(params, &vec![vec![1; shape.columns]; shape.rows], shape.size)
    }
}

impl Vectors for Ckks {
    const NUMBER: f64 = 0.5;

    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        level: usize,
    ) -> Result<LinearMap<Self>, Error> {
        let matrix = vec![vec![0.5; shape.columns]; shape.rows];
        LinearMap::for_level_with_size(params, &matrix, shape.size, level)
    }
}
