//! Compressed lists: many blocks in few bytes, made by whoever holds the evaluation keys.
//!
//! Blocks share ciphertexts as digits of one message, ciphertexts become the coefficients of one
//! ring ciphertext under the small key, and its words are rounded to exponents of the blind
//! rotation. A bootstrap starts there, so what a list leaves out is what a bootstrap would have
//! rounded off. Derivation: docs/maths/tfhe.md and docs/maths/tfhe-parameters.md.

mod compress;
mod compressed_list;
mod decompress;
mod decrypt;
mod packing_key;
mod seeded_packing_key;
mod shape;

pub use compressed_list::CompressedList;
pub(crate) use compressed_list::{Origin, Run};
pub use packing_key::PackingKey;
pub use seeded_packing_key::SeededPackingKey;
pub(crate) use shape::PackingShape;
