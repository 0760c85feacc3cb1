//! The wire forms of ciphertexts and keys, the same for every ring scheme.

mod ciphertext;
mod claims;
mod evaluation_keys;
mod key_pair;
mod linear_map;
mod meta;
pub(crate) mod poly;
pub(crate) mod switching_key;

pub(crate) use ciphertext::{read_parts, refuse_transparent};
pub(crate) use claims::{Claims, is_bound, is_noise_bound, noise_numbers, read_noise};
pub use meta::MetaCodec;
pub(crate) use poly::{key_of, poly_len, write_poly};
