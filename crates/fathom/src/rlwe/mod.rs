//! What the ring-based schemes share: contexts, keys, key switching and noise.

mod context;
pub mod exact;
mod key;
mod lineage;
mod model;
mod noise;

pub(crate) use context::{Context, ContextSpec};
pub(crate) use key::{Galois, SwitchingKey, encryption_of_zero};
pub(crate) use lineage::Lineage;
pub(crate) use model::{ERROR_DEVIATION, NoiseModel, SecretBounds};
pub(crate) use noise::{Noise, Norms, Random, Relation, Rest, Tails};
