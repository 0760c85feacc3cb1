//! The secret key and the public keys that are made from it.

pub(in crate::tfhe) mod automorphism_keys;
mod client_key;
pub(in crate::tfhe) mod evaluation_keys;
mod expand_rows;
mod key_file;
mod key_source;
pub(in crate::tfhe) mod key_streams;
pub(in crate::tfhe) mod merge;
mod packing_keys;
mod packing_shape;
mod public_key;
mod rotation_rows;
mod seeded_keys;
mod seeded_list;
mod seeded_packing_keys;
pub(in crate::tfhe) mod table_shape;

pub use client_key::ClientKey;
pub use evaluation_keys::EvaluationKeys;
pub use packing_keys::PackingKeys;
pub(crate) use packing_shape::PackingShape;
pub use public_key::{CompactList, PublicKey};
pub use seeded_keys::SeededEvaluationKeys;
pub use seeded_list::SeededList;
pub use seeded_packing_keys::SeededPackingKeys;
pub(crate) use table_shape::table_shape;
