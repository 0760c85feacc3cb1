//! The wire forms of scales and of parameters. Ciphertexts and keys: `rlwe::codec`.

mod params;
mod scale;
