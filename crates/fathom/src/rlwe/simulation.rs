//! The state of a simulated evaluator beside its keys.

use super::Galois;
use fathom_ring::Seed;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, PoisonError};

/// The state of a simulated evaluator.
#[derive(Debug)]
pub(crate) struct Simulation {
    /// Stand-in for the key of every Galois element.
    pub(crate) galois: Arc<Galois>,
    /// Simulated encryptions so far, each of which has a mask of its own.
    pub(crate) encryptions: AtomicU32,
    /// The seed of the masks.
    pub(crate) seed: Seed,
    /// The Galois elements whose keys were used.
    pub(crate) used: Mutex<BTreeSet<usize>>,
}

impl Simulation {
    /// Returns the stand-in for the key of a Galois element, and notes its use.
    pub(crate) fn key_of(&self, exponent: usize) -> &Arc<Galois> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(exponent);
        &self.galois
    }
}
