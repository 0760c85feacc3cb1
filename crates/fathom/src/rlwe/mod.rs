//! The core of the ring schemes: parameters, keys, ciphertexts, key switching, rotations and noise.
//!
//! [`exact`] adds the encoding of integers modulo `t`, which BFV and BGV share.

mod add;
mod ciphertext;
pub(crate) mod codec;
mod context;
mod cost;
mod decrypt;
mod describe;
mod encoding;
pub(crate) mod encrypt;
mod evaluation_keys;
mod evaluator;
pub mod exact;
mod galois_keys;
mod inner_product;
mod key_generation;
mod level;
mod lineage;
mod linear_map;
pub(crate) mod mod_switch;
mod model;
mod mul;
mod noise;
mod packed;
mod params;
mod public_key;
mod relinearization_key;
mod rotate;
mod rotations;
mod scheme;
mod secret_key;
mod simulate;
mod simulation;
mod switching_key;
#[cfg(test)]
mod toy;

pub use ciphertext::Ciphertext;
pub(crate) use ciphertext::{refuse_beyond_budget, source};
pub use codec::MetaCodec;
pub(crate) use context::{Context, ContextSpec};
pub(crate) use cost::{product_cost, product_transforms};
pub use describe::Describe;
pub(crate) use encoding::sealed;
pub use encoding::{Encoding, Levels};
pub use evaluation_keys::EvaluationKeys;
pub use evaluator::Evaluator;
pub(crate) use evaluator::same_key;
pub use galois_keys::GaloisKeys;
pub(crate) use galois_keys::selected;
pub use level::Level;
pub(crate) use level::LimbCount;
pub(crate) use lineage::Lineage;
pub use linear_map::LinearMap;
pub(crate) use linear_map::{Diagonal, Giant, MapShape, baby_steps};
pub(crate) use model::{ERROR_DEVIATION, NoiseModel, SecretBounds};
pub(crate) use noise::{Noise, Norms, Random, Relation, Rest, Tails};
pub use packed::Packed;
pub use params::Params;
pub use public_key::PublicKey;
pub use relinearization_key::RelinearizationKey;
pub use rotations::{Rotations, RowSwap};
pub use scheme::{Both, Scheme};
pub use secret_key::SecretKey;
pub use simulate::Encryption;
pub(crate) use switching_key::{Galois, SwitchingKey, encryption_of_zero};
