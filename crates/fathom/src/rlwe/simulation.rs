//! The state of a simulated evaluator beside its keys.

use super::Galois;
use fathom_ring::Seed;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

/// The state of a simulated evaluator.
#[derive(Debug)]
pub(crate) struct Simulation {
    /// Stand-in for the key of every Galois element.
    pub(crate) galois: Arc<Galois>,
    /// Simulated encryptions so far, each of which has a mask of its own.
    pub(crate) encryptions: AtomicU32,
    /// The seed of the masks.
    pub(crate) seed: Seed,
}
