//! The client of every program.

use fathom_workloads::message::{join, split};
use fathom_workloads::{Client, Data, Error};
use tfhe::{ClientKey, CompressedServerKey, ConfigBuilder};

use super::columns::{Field, all_taken};
use super::frames::write;
use super::server::caught;

/// The role that holds the secret key.
pub(super) struct ProgramClient {
    key: ClientKey,
    inputs: Vec<Field>,
    outputs: Vec<Field>,
}

impl ProgramClient {
    /// Generates a secret key for the default parameters.
    pub(super) fn new(inputs: Vec<Field>, outputs: Vec<Field>) -> Result<Self, Error> {
        let key = caught(|| Ok(ClientKey::generate(ConfigBuilder::default())))?;
        Ok(Self { key, inputs, outputs })
    }
}

impl Client for ProgramClient {
    fn keys(&mut self) -> Result<Vec<u8>, Error> {
        caught(|| write(&CompressedServerKey::new(&self.key)))
    }

    fn encrypt(&mut self, secret: &Data) -> Result<Vec<u8>, Error> {
        let mut frames = Vec::new();
        for field in &self.inputs {
            frames.extend(caught(|| field.encrypt(secret, &self.key))?);
        }
        Ok(join(&frames))
    }

    fn decrypt(&mut self, answer: &[u8]) -> Result<Data, Error> {
        let frames = split(answer)?;
        let mut rest = frames.as_slice();
        let mut data = Data::new();
        for field in &self.outputs {
            let own = field.take(&mut rest)?;
            let values = caught(|| field.decrypt(own, &self.key))?;
            data = data.with_integers(field.name(), values);
        }
        all_taken(rest)?;
        Ok(data)
    }
}
