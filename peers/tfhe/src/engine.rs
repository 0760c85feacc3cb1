//! Fathom with fresh keys.

use crate::race::Failure;
use fathom::SecretRng;
use fathom::tfhe::{Block, ClientKey, EvaluationKey, Evaluator, Params, SeededEvaluationKey};
use std::sync::Arc;

/// Keys, and an evaluator under them.
pub(crate) struct Engine {
    pub(crate) client: ClientKey,
    pub(crate) evaluator: Evaluator,
    rng: SecretRng,
}

impl Engine {
    /// Fresh keys; bootstraps run on `threads` threads.
    pub(crate) fn new(params: Params, threads: usize) -> Result<Engine, Failure> {
        let mut rng = SecretRng::from_os()?;
        let client = ClientKey::generate(&Arc::new(params), &mut rng);
        let key = EvaluationKey::expand(&SeededEvaluationKey::generate(&client, &mut rng)?)?;
        Ok(Engine { client, evaluator: Evaluator::new(key, threads)?, rng })
    }

    /// A fresh encryption of a message.
    pub(crate) fn encrypt(&mut self, message: u32) -> Result<Block, Failure> {
        Ok(self.client.encrypt(message, &mut self.rng)?)
    }
}
