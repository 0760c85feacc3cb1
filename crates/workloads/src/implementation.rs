//! A workload on one scheme, in two roles.

use fathom_planner::RingCounts;

use crate::{Data, Error, Task, Work};

/// The parameters of an implementation, with what they guarantee.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Name of the preset, or a description of generated parameters.
    pub name: String,
    /// Security in bits, on the largest modulus that is published under the key.
    pub security_bits: f64,
    /// Base-2 logarithm of the probability that the whole task gives a wrong result; `None` if it
    /// cannot, because a bound on the noise is carried and checked.
    pub failure_log2: Option<f64>,
}

/// A workload on one scheme by one algorithm.
pub trait Implementation: Send + Sync {
    /// Returns the scheme: `tfhe`, `bfv`, `bgv` or `ckks`.
    fn scheme(&self) -> &'static str;

    /// Returns the algorithm in one sentence.
    fn method(&self) -> &'static str;

    /// Checks that the task is one that this implementation computes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] with the limit and the numbers.
    fn supports(&self, task: &Task) -> Result<(), Error>;

    /// Returns the parameters for a task.
    ///
    /// # Errors
    /// Those of the parameters.
    fn parameters(&self, task: &Task) -> Result<Parameters, Error>;

    /// Returns the bytes of the bootstrapping keys as they are sent, on which the memory of both
    /// roles depends; 0 for programs that do not bootstrap on CKKS.
    ///
    /// # Errors
    /// Those of the parameters.
    fn bootstrapping_key_bytes(&self, _: &Task) -> Result<u64, Error> {
        Ok(0)
    }

    /// Makes the client, with fresh keys.
    ///
    /// # Errors
    /// Those of the parameters and of the random generator of the system.
    fn client(&self, task: &Task) -> Result<Box<dyn Client>, Error>;

    /// Makes a server that computes on `threads` threads.
    ///
    /// # Errors
    /// Those of the parameters and of the threads.
    fn server(&self, task: &Task, threads: usize) -> Result<Box<dyn Server>, Error>;

    /// Returns the work of a run, from the same circuit on simulated ciphertexts: nothing is
    /// encrypted, and no key is generated. `public` are the clear columns of the server.
    ///
    /// # Errors
    /// [`Error::Unsupported`]; those of the circuit on columns that are not those of the task.
    fn simulate(&self, task: &Task, threads: usize, public: &Data) -> Result<Work, Error>;
}

/// The role that holds the secret key.
pub trait Client {
    /// Returns the evaluation keys as they are sent.
    ///
    /// # Errors
    /// Those of the key generation.
    fn keys(&mut self) -> Result<Vec<u8>, Error>;

    /// Encrypts the secret inputs and returns them as they are sent.
    ///
    /// # Errors
    /// [`Error::Column`] if a column is missing or a value is out of range.
    fn encrypt(&mut self, secret: &Data) -> Result<Vec<u8>, Error>;

    /// Decrypts an answer of the server.
    ///
    /// # Errors
    /// [`Error::Message`], and those of decoding and decryption.
    fn decrypt(&mut self, answer: &[u8]) -> Result<Data, Error>;
}

/// The role that computes. It never receives a secret key.
pub trait Server {
    /// Reads and expands the evaluation keys of the client.
    ///
    /// # Errors
    /// Those of decoding.
    fn accept_keys(&mut self, keys: &[u8]) -> Result<(), Error>;

    /// Reads the inputs: the clear ones of the server and the encrypted ones of the client.
    ///
    /// # Errors
    /// [`Error::Order`] before the keys; [`Error::Message`], [`Error::Column`], and those of
    /// decoding.
    fn load(&mut self, public: &Data, upload: &[u8]) -> Result<(), Error>;

    /// Computes the result from the loaded inputs and keeps it. Repeated calls compute it again.
    ///
    /// # Errors
    /// [`Error::Order`] before inputs are loaded; those of the operations.
    fn compute(&mut self) -> Result<(), Error>;

    /// Returns the bytes of the encrypted result.
    ///
    /// # Errors
    /// [`Error::Order`] before a computation.
    fn answer(&self) -> Result<Vec<u8>, Error>;

    /// Returns the number of bootstraps of the last computation, and of their sequential layers,
    /// for schemes that count them; 0 layers if only the bootstraps are counted.
    fn bootstraps(&self) -> Option<(u64, u64)> {
        None
    }

    /// Returns the number of operations of the last computation by kind and level, for schemes on
    /// vectors in slots.
    fn ring_operations(&self) -> Option<&RingCounts> {
        None
    }
}
