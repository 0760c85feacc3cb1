//! The core of the ring schemes: parameters, keys, ciphertexts, key switching, rotations and noise.
//!
//! [`exact`] adds the encoding of integers modulo `t`, which BFV and BGV share.

mod add;
mod ciphertext;
pub(crate) mod codec;
mod context;
mod decrypt;
mod describe;
pub(crate) mod encrypt;
mod evaluator;
pub mod exact;
mod inner_product;
mod keys;
mod level;
mod lineage;
mod linear_map;
pub(crate) mod mod_switch;
mod model;
mod mul;
mod noise;
mod packed;
mod params;
mod rotate;
mod scheme;
mod switching_key;
#[cfg(test)]
mod toy;

pub use ciphertext::Ciphertext;
pub(crate) use ciphertext::{refuse_beyond_budget, source};
pub use codec::MetaCodec;
pub(crate) use context::{Context, ContextSpec};
pub use describe::Describe;
pub use evaluator::Evaluator;
pub(crate) use evaluator::same_key;
pub use keys::{EvaluationKeys, PublicKey, Rotations, RowSwap, SecretKey};
pub use level::Level;
pub(crate) use level::LimbCount;
pub(crate) use lineage::Lineage;
pub use linear_map::LinearMap;
pub(crate) use linear_map::{Diagonal, Giant, baby_steps};
pub(crate) use mod_switch::common_level;
pub(crate) use model::{ERROR_DEVIATION, NoiseModel, SecretBounds};
pub(crate) use noise::{Noise, Norms, Random, Relation, Rest, Tails};
pub use packed::Packed;
pub use params::Params;
pub(crate) use scheme::sealed;
pub use scheme::{Both, Levels, Scheme};
pub(crate) use switching_key::{Galois, SwitchingKey, encryption_of_zero};
