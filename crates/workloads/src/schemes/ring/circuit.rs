//! The description of a program on vectors in slots.

use fathom::SecretRng;
use fathom::rlwe::{Ciphertext, EvaluationKeys, Params, Rotations, SecretKey};
use fathom::wire::{Wire, WireObject};

use super::counted::Counted;
use super::kept::Kept;
use super::numbers::Numbers;
use crate::{Data, Error, Task};

/// A program on ciphertexts of `S`. The circuit is the same for ciphertexts and for simulated
/// ones.
pub(crate) trait Circuit<S: Numbers>: Clone + Send + Sync + 'static {
    /// Returns the algorithm in one sentence.
    fn method(&self) -> &'static str;

    /// Refuses tasks that the circuit does not compute.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    fn supports(&self, task: &Task) -> Result<(), Error>;

    /// Returns the parameters for a task.
    ///
    /// # Errors
    /// Those of the search for parameters.
    fn params(&self, task: &Task) -> Result<Params<S>, Error>;

    /// Returns the rotations for which the server needs keys.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the shape lacks a number.
    fn rotations(&self, task: &Task, params: &Params<S>) -> Result<Rotations, Error>;

    /// Returns the message of the vector with this index.
    ///
    /// # Errors
    /// Those of the encoding.
    fn encode(
        &self,
        _: &Task,
        params: &Params<S>,
        _: usize,
        vector: &[S::Value],
    ) -> Result<S::Plaintext, Error> {
        Ok(S::encode(params, vector)?)
    }

    /// Returns the keys that the client sends.
    ///
    /// # Errors
    /// Those of the key generation.
    fn keys(
        &self,
        task: &Task,
        secret: &SecretKey<S>,
        rng: &mut SecretRng,
    ) -> Result<Vec<u8>, Error> {
        let rotations = self.rotations(task, secret.params())?;
        Ok(secret.evaluation_keys(&rotations, rng)?.to_bytes())
    }

    /// Reads the bytes that [`Circuit::keys`] returned, for a server of this number of threads;
    /// `kept` keeps all keys that are not evaluation keys.
    ///
    /// # Errors
    /// Those of decoding.
    fn read_keys(
        &self,
        _: &Task,
        params: &Params<S>,
        message: &[u8],
        _: usize,
        _: &Kept,
    ) -> Result<EvaluationKeys<S>, Error> {
        Ok(EvaluationKeys::from_bytes(params, message)?)
    }

    /// Returns the bytes of keys that are not evaluation keys.
    ///
    /// # Errors
    /// Those of the parameters.
    fn bootstrapping_key_bytes(&self, _: &Params<S>) -> Result<usize, Error> {
        Ok(0)
    }

    /// Returns the number of ciphertexts that the client sends, and of those of the result.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the shape lacks a number.
    fn counts(&self, task: &Task, params: &Params<S>) -> Result<Counts, Error>;

    /// Arranges the inputs in slots: the vector of each ciphertext.
    ///
    /// # Errors
    /// [`Error::Column`] if a column is missing or has another length or a value out of range.
    fn pack(
        &self,
        task: &Task,
        params: &Params<S>,
        secret: &Data,
    ) -> Result<Vec<Vec<S::Value>>, Error>;

    /// Computes the result.
    ///
    /// # Errors
    /// Those of the operations and of the public columns.
    fn compute(
        &self,
        server: &Counted<S>,
        task: &Task,
        public: &Data,
        inputs: &[Ciphertext<S>],
    ) -> Result<Vec<Ciphertext<S>>, Error>;

    /// Reads the columns of the result from the slots of each ciphertext. `secret` are the inputs
    /// that the client encrypted.
    ///
    /// # Errors
    /// [`Error::Message`] for a value that no computation gives.
    fn unpack(
        &self,
        task: &Task,
        params: &Params<S>,
        secret: &Data,
        results: &[Vec<S::Value>],
    ) -> Result<Data, Error>;

    /// Returns the bits behind the binary point that decrypted slots must have at least; exact
    /// schemes ignore it.
    fn precision_bits(&self, _: &Task) -> f64 {
        0.0
    }
}

/// Numbers of ciphertexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Ciphertexts that the client sends.
    pub(crate) inputs: usize,
    /// Ciphertexts of the result.
    pub(crate) results: usize,
}
