//! The state of a simulated evaluator beside its keys.

use super::{Context, Galois, KeyPlan, KeyUse, Level, SwitchingKey};
use fathom_ring::{Automorphism, GadgetVector, Seed, uniform_eval};
use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The state of a simulated evaluator.
#[derive(Debug)]
pub(crate) struct Simulation {
    /// Stand-ins for the keys of the Galois elements, which are odd, made on first use. If several
    /// elements shared one, rotations of a ciphertext would be equal, and their difference would
    /// seem to need a mask.
    galois: Vec<OnceLock<Box<Galois>>>,
    /// Conversion tables, which all keys share.
    tables: GadgetVector,
    /// Simulated encryptions so far, each of which has a mask of its own.
    pub(crate) encryptions: AtomicU32,
    /// The seed of the masks.
    pub(crate) seed: Seed,
    /// The keys that were used, with the highest levels.
    pub(crate) used: Mutex<KeyPlan>,
}

impl Simulation {
    /// Creates a simulation of which nothing was used.
    pub(crate) fn new(context: &Context, seed: Seed, tables: GadgetVector) -> Simulation {
        let galois = (0..context.degree()).map(|_| OnceLock::new()).collect();
        Simulation { galois, tables, encryptions: AtomicU32::new(0), seed, used: Mutex::default() }
    }

    /// Returns what stands for the key of a Galois element.
    pub(crate) fn galois(&self, context: &Context, exponent: usize) -> &Galois {
        let place = exponent / 2 % context.degree();
        self.galois[place].get_or_init(|| {
            let degree = context.ring.degree();
            let automorphism = Automorphism::new(degree, exponent % (2 * degree));
            // Those of encryptions are children of low numbers.
            let seed = self.seed.child(u32::MAX - place as u32);
            let key = stand_in_key(context, seed, Some(&self.tables));
            Box::new(Galois { automorphism, key })
        })
    }

    /// Notes the use of a key at a level.
    pub(crate) fn note(&self, key: KeyUse, level: Level) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).note(key, level);
    }
}

/// Returns a key of nothing, for the top level.
pub(crate) fn stand_in_key(
    context: &Context,
    seed: Seed,
    tables: Option<&GadgetVector>,
) -> SwitchingKey {
    let (ring, limbs) = (&context.ring, context.ring.all_limbs());
    let digits = context.gadget.digit_count(ring, ring.chain_len());
    let halves = (0..digits).map(|g| uniform_eval(ring, limbs, &seed.child(g as u32)));
    SwitchingKey::from_halves(context, seed, halves.collect(), tables)
}
