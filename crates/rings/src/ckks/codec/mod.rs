//! The wire forms of scales, of what is known of slots, and of parameters. Ciphertexts and keys:
//! `rlwe::codec`.

mod meta;
mod params;
