//! What the ring-based schemes share: contexts, keys, key switching and noise.

mod context;
pub mod exact;
mod key;
mod noise;

pub(crate) use context::{Context, ContextSpec, ERROR_DEVIATION};
pub(crate) use key::{Galois, SwitchingKey, encryption_of_zero};
pub(crate) use noise::Noise;
