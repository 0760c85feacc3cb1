//! TFHE: exact computing on small encrypted integers by programmable bootstrapping.

mod automorphism_keys;
mod block;
pub mod boolean;
mod bootstrap;
mod client_key;
mod encrypted_table;
mod error;
mod evaluation_key;
mod evaluator;
mod expand_rows;
pub mod fhew;
pub mod integer;
mod list;
mod lut;
mod merge;
mod modulus_switch;
#[cfg(test)]
mod noise_record;
mod params;
mod preset_table;
mod presets;
mod public_key;
mod rotation_rows;
mod seeded_key;
pub mod shortint;
mod space;

pub use block::Block;
pub use client_key::ClientKey;
pub(crate) use encrypted_table::{EncryptedTable, Lookup, table_shape};
pub use error::Error;
pub use evaluation_key::EvaluationKey;
pub use evaluator::{Counts, Evaluator, Job, Policy};
pub use list::{CompressedList, PackingKey, SeededPackingKey};
pub(crate) use list::{PackingShape, Run};
pub use lut::{Function, Lut};
pub use params::{Decomposition, KeyFamily, Params, Spec};
pub use public_key::{CompactList, PublicKey};
pub use seeded_key::SeededEvaluationKey;
pub use space::Space;
