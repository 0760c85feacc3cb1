//! The schemes whose operations on vectors are measured.

use fathom::Error;
use fathom::SecretRng;
use fathom::bfv::Bfv;
use fathom::ckks::Ckks;
use fathom::rlwe::{Ciphertext, Evaluator, LinearMap, MetaCodec, Params, SecretKey, Slotted};

/// The shape of a matrix and of the layout of its operands.
pub(super) struct MatrixShape {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) size: usize,
}

/// A scheme whose vectors can be encrypted and decrypted.
pub(super) trait Vectors: Slotted + MetaCodec {
    /// Encrypts ones.
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error>;

    /// Decrypts and decodes.
    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error>;

    /// Multiplies by a number.
    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error>;

    /// Prepares a dense matrix for operands of a level in the layout of a size.
    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        level: usize,
    ) -> Result<LinearMap<Self>, Error>;
}

impl Vectors for Bfv {
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error> {
        let ones = vec![1; secret.params().degree()];
        secret.encrypt(&secret.params().encode_signed(&ones)?, rng)
    }

    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error> {
        secret.decrypt(ciphertext)?.slots_signed().map(drop)
    }

    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.mul_scalar(a, 3)
    }

    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        _: usize,
    ) -> Result<LinearMap<Self>, Error> {
        LinearMap::with_size(params, &vec![vec![1; shape.columns]; shape.rows], shape.size)
    }
}

impl Vectors for Ckks {
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error> {
        let ones = vec![0.5; secret.params().degree() / 2];
        secret.encrypt(&secret.params().encode(&ones)?, rng)
    }

    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error> {
        secret.decrypt_with_precision(ciphertext, 0.0)?.slots();
        Ok(())
    }

    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.mul_scalar(a, 0.5)
    }

    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        level: usize,
    ) -> Result<LinearMap<Self>, Error> {
        let matrix = vec![vec![0.5; shape.columns]; shape.rows];
        LinearMap::for_level_with_size(params, &matrix, shape.size, level)
    }
}
