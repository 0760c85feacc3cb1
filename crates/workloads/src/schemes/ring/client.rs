//! The client of programs on BFV and CKKS.

use fathom::SecretRng;
use fathom::rlwe::{Ciphertext, Params, SecretKey};
use fathom::wire::{Wire, WireObject};

use super::circuit::Circuit;
use super::numbers::Numbers;
use crate::message::{join, split};
use crate::{Client, Data, Error, Task};

/// The role that holds the secret key.
pub(super) struct RingClient<S: Numbers, C> {
    circuit: C,
    task: Task,
    secret: SecretKey<S>,
    rng: SecretRng,
    inputs: Option<Data>,
}

impl<S: Numbers, C: Circuit<S>> RingClient<S, C> {
    /// Generates a secret key.
    pub(super) fn new(circuit: C, task: Task, params: &Params<S>) -> Result<Self, Error> {
        let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
        let secret = SecretKey::generate(params, &mut rng);
        Ok(Self { circuit, task, secret, rng, inputs: None })
    }
}

impl<S: Numbers, C: Circuit<S>> Client for RingClient<S, C> {
    fn keys(&mut self) -> Result<Vec<u8>, Error> {
        self.circuit.keys(&self.task, &self.secret, &mut self.rng)
    }

    fn encrypt(&mut self, secret: &Data) -> Result<Vec<u8>, Error> {
        let vectors = self.circuit.pack(&self.task, self.secret.params(), secret)?;
        let mut frames = Vec::with_capacity(vectors.len());
        for (index, vector) in vectors.iter().enumerate() {
            let params = self.secret.params();
            let message = self.circuit.encode(&self.task, params, index, vector)?;
            frames.push(self.secret.encrypt(&message, &mut self.rng)?.to_bytes());
        }
        self.inputs = Some(secret.clone());
        Ok(join(&frames))
    }

    fn decrypt(&mut self, answer: &[u8]) -> Result<Data, Error> {
        let inputs = self.inputs.as_ref().ok_or(Error::Order("encrypt the inputs"))?;
        let params = self.secret.params();
        let expected = self.circuit.counts(&self.task, params)?.results;
        let frames = split(answer)?;
        if frames.len() != expected {
            let problem = format!("{} results in place of {expected}", frames.len());
            return Err(Error::Message(problem));
        }
        let precision = self.circuit.precision_bits(&self.task);
        let mut results = Vec::with_capacity(frames.len());
        for frame in frames {
            let ciphertext = Ciphertext::from_bytes(params, frame)?;
            results.push(S::decrypted(&self.secret, &ciphertext, precision)?);
        }
        self.circuit.unpack(&self.task, params, inputs, &results)
    }
}
