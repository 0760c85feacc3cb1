//! The face of machine integers: an evaluator whose parameters are known to suit them.

use crate::tfhe::{Error, EvaluationKeys, Evaluator, Params};
use std::ops::Deref;
use std::sync::Arc;

/// Computes on encrypted integers. It is cheap to clone.
///
/// It stands beside [`ShortInts`](crate::tfhe::shortint::ShortInts) and
/// [`Gates`](crate::tfhe::boolean::Gates). The operations are methods of the [`Evaluator`], to
/// which it dereferences: `integers.add(&a, &b)?`. Opening it checks the parameters once, so that
/// a server with keys of another kind is refused when it starts and not at its first operation.
///
/// ```
/// use fathom::prelude::*;
///
/// # fn main() -> Result<(), Error> {
/// let mut rng = SecretRng::from_os()?;
/// let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
/// let client = tfhe::ClientKey::generate(&params, &mut rng);
/// let integers = Integers::with_keys(client.evaluation_keys(&mut rng)?, 2)?;
///
/// let [a, b] = [client.encrypt::<FheUint8>(200_u8, &mut rng)?, FheUint8::trivial(77)?];
/// assert_eq!(client.decrypt(&integers.max(&a, &b)?)?, 200);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Integers {
    evaluator: Evaluator,
}

impl Integers {
    /// Returns the operations on integers over an evaluator.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if the blocks of its parameters do not have the 2 bits of message
    /// and 2 of carry that integers need, or allow too little noise.
    pub fn new(evaluator: Evaluator) -> Result<Integers, Error> {
        evaluator.radix()?;
        Ok(Integers { evaluator })
    }

    /// Returns the operations on integers under `keys`, on `threads` threads of their own.
    ///
    /// # Errors
    /// As [`Integers::new`] and [`Evaluator::new`].
    pub fn with_keys(
        keys: impl Into<Arc<EvaluationKeys>>,
        threads: usize,
    ) -> Result<Integers, Error> {
        Integers::new(Evaluator::new(keys, threads)?)
    }

    /// Returns the operations on integers without keys, which compute in the clear.
    ///
    /// # Errors
    /// As [`Integers::new`].
    pub fn simulated(params: &Params) -> Result<Integers, Error> {
        Integers::new(Evaluator::simulated(params))
    }

    /// Returns the evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }
}

impl Deref for Integers {
    type Target = Evaluator;

    fn deref(&self) -> &Evaluator {
        &self.evaluator
    }
}
