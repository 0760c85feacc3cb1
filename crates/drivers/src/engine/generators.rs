//! Generators of secret randomness for a session whose calls run on several threads.

use std::sync::{Mutex, PoisonError};

use fathom::SecretRng;

use crate::protocol::{Code, Refusal};

/// Unused generators; a call takes one and returns it, so that threads do not wait for each other.
pub(super) struct Generators {
    idle: Mutex<Vec<SecretRng>>,
    seed: Option<u64>,
}

impl Generators {
    /// Creates generators from the system's randomness, or insecure ones from a seed.
    pub(super) fn new(seed: Option<u64>) -> Self {
        Self { idle: Mutex::default(), seed }
    }

    /// Runs `work` with a generator that no other call uses.
    ///
    /// # Errors
    /// `internal` if the system provides no randomness; errors of `work`.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut SecretRng) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let pool = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = pool().pop();
        let mut generator = match (idle, self.seed) {
            (Some(generator), _) => generator,
            (None, Some(seed)) => SecretRng::insecure_from_seed(seed),
            (None, None) => {
                SecretRng::from_os().map_err(|e| Refusal::new(Code::Internal, e.to_string()))?
            }
        };
        let result = work(&mut generator);
        pool().push(generator);
        result
    }
}
