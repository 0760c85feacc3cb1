//! The state of a simulated evaluator beside its keys.

use super::{Galois, KeyPlan, KeyUse, Level};
use fathom_ring::Seed;
use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, PoisonError};

/// The state of a simulated evaluator.
#[derive(Debug)]
pub(crate) struct Simulation {
    /// Stand-in for the key of every Galois element.
    pub(crate) galois: Galois,
    /// Simulated encryptions so far, each of which has a mask of its own.
    pub(crate) encryptions: AtomicU32,
    /// The seed of the masks.
    pub(crate) seed: Seed,
    /// The keys that were used, with the highest levels.
    pub(crate) used: Mutex<KeyPlan>,
}

impl Simulation {
    /// Notes the use of a key at a level.
    pub(crate) fn note(&self, key: KeyUse, level: Level) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).note(key, level);
    }
}
