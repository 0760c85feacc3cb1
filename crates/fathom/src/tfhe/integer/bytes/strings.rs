//! The face of byte strings.

use crate::tfhe::{Error, EvaluationKeys, Evaluator, Params};
use std::sync::Arc;

/// Computes on encrypted byte strings. It is cheap to clone.
///
/// It stands beside [`Integers`](super::super::Integers), whose keys it takes. An operand is a
/// string, and the other one a string or clear bytes ([`Text`](super::Text)).
///
/// A string is the sequence of its bytes, without padding. Since a padded string has no zero byte,
/// a string with one, even at the end, differs from every padded string and is no part of it.
///
/// ```
/// use fathom::prelude::*;
///
/// # fn main() -> Result<(), Error> {
/// let mut rng = SecretRng::from_os()?;
/// let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
/// let client = tfhe::ClientKey::generate(&params, &mut rng);
/// let strings = ByteStrings::with_keys(client.evaluation_keys(&mut rng)?, 2)?;
///
/// let name = client.encrypt_bytes_padded(b"Ada", 4, &mut rng)?; // the server sees at most 4 bytes
/// let lower = strings.to_ascii_lowercase(&name)?;
/// assert!(client.decrypt(&strings.eq(&lower, b"ada")?)?);
/// assert_eq!(client.decrypt(&lower)?, b"ada");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ByteStrings {
    evaluator: Evaluator,
}

impl ByteStrings {
    /// Returns the operations on byte strings over an evaluator.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if its parameters are not those of integers.
    pub fn new(evaluator: Evaluator) -> Result<ByteStrings, Error> {
        evaluator.radix()?;
        Ok(ByteStrings { evaluator })
    }

    /// Returns the operations on byte strings under `keys`, on `threads` threads of their own.
    ///
    /// # Errors
    /// As [`ByteStrings::new`] and [`Evaluator::new`].
    pub fn with_keys(
        keys: impl Into<Arc<EvaluationKeys>>,
        threads: usize,
    ) -> Result<ByteStrings, Error> {
        ByteStrings::new(Evaluator::new(keys, threads)?)
    }

    /// Returns the operations on byte strings without keys, which compute in the clear.
    ///
    /// # Errors
    /// As [`ByteStrings::new`].
    pub fn simulated(params: &Params) -> Result<ByteStrings, Error> {
        ByteStrings::new(Evaluator::simulated(params))
    }

    /// Returns the evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }
}
