//! Compressed lists: many blocks in few bytes, packed by the server under public keys.
//!
//! Several blocks become the digits of one message, the ciphertexts become the coefficients of one
//! ring ciphertext under the small key, and its words are rounded to exponents of the blind
//! rotation. Since a bootstrap starts with this rounding, it loses nothing that a bootstrap would
//! keep. Derivation: docs/maths/tfhe.md and docs/maths/tfhe-parameters.md.

mod compress;
mod compressed_list;
mod decompress;
mod decrypt;
mod packing_keys;
mod seeded_packing_keys;
mod shape;

pub use compressed_list::CompressedList;
pub(crate) use compressed_list::{Origin, Run};
pub use packing_keys::PackingKeys;
pub use seeded_packing_keys::SeededPackingKeys;
pub(crate) use shape::PackingShape;
