//! The work of a bootstrap: an input and a table.

use super::Running;
use crate::CancelToken;
use crate::lwe::LweCiphertext;
use crate::tfhe::Lut;
use crate::threads::Pool;

/// The outputs of each task.
pub(in crate::tfhe) type Outputs = Vec<Vec<LweCiphertext>>;

/// The input ciphertext of a bootstrap.
#[derive(Clone, Copy, Debug)]
pub(in crate::tfhe) enum Input<'a> {
    /// A block's ciphertext, under the GLWE key's coefficients.
    Big(&'a LweCiphertext),
    /// A ciphertext under the small key: its mask, then its body.
    Small(&'a [u64]),
}

/// The table that a bootstrap evaluates.
#[derive(Clone, Copy, Debug)]
pub(in crate::tfhe) enum Table<'a> {
    /// A table of clear functions.
    Clear(&'a Lut),
    /// The GLWE ciphertext of a test polynomial of encrypted values
    /// ([`Bootstrap::test_polynomials`]), to be read at these places of its first half.
    Encrypted { words: &'a [u64], places: &'a [usize] },
}

/// One table to be evaluated on one ciphertext.
#[derive(Clone, Copy, Debug)]
pub(in crate::tfhe) struct Task<'a> {
    pub(in crate::tfhe) input: Input<'a>,
    pub(in crate::tfhe) table: Table<'a>,
}

/// Computes blind rotations under a bootstrapping key.
pub(in crate::tfhe) trait Bootstrap: Send + Sync + std::fmt::Debug {
    /// Returns the outputs of each task, in order, or `None` if the token was cancelled. Inputs
    /// have a mask; ranges and noise were checked before.
    fn bootstrap(&self, tasks: &[Task<'_>], token: Option<&CancelToken>) -> Option<Outputs>;

    /// Returns, for each row of values, the GLWE ciphertext that [`Table::Encrypted`] reads.
    fn test_polynomials(&self, rows: &[Vec<&LweCiphertext>]) -> Vec<Vec<u64>>;

    /// Returns the threads that batches run on. They may do other work until the second value is
    /// dropped.
    fn threads(&self) -> (&Pool, Running<'_>);
}
