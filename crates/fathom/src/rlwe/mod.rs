//! What the ring-based schemes share: contexts, keys, key switching and noise.

mod context;
pub mod exact;
mod key;
mod model;
mod noise;

pub(crate) use context::{Context, ContextSpec};
pub(crate) use key::{Galois, SwitchingKey, encryption_of_zero};
pub(crate) use model::{ERROR_DEVIATION, NoiseModel, extreme_factor};
pub(crate) use noise::{Independent, Noise};
